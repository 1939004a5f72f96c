import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type ScaffoldDir, scaffoldDir } from "./scaffold-dir.ts";

let place: ScaffoldDir;

beforeEach(async () => {
  place = await scaffoldDir();
});
afterEach(() => place.remove());

const INIT = ["init", "--domain", "example.com"];
const FILES = [
  ".gitignore",
  ".oxlintrc.json",
  "README.md",
  "cdk.json",
  "cdk/app.ts",
  "functions/.gitkeep",
  "jest.config.js",
  "package.json",
  "shared/.gitkeep",
  "test/.gitkeep",
  "tsconfig.json",
];

async function packageJson(below = ""): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(place.dir, below, "package.json"), "utf8"));
}

test("makes a project whose versions are exact, and remembers the domain", async () => {
  const { code, out, err } = await place.run([...INIT, "guestbook"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/Next:\n {2}cd guestbook\n {2}git init\n {2}npm install\n/);
  expect(await place.files()).toEqual(FILES.map((file) => `guestbook/${file}`));
  const made = await packageJson("guestbook");
  expect(made).toMatchObject({
    name: "guestbook",
    type: "module",
    tidegate: { domain: "example.com" },
  });
  const versions = { ...(made.dependencies as object), ...(made.devDependencies as object) };
  expect(Object.keys(versions)).toEqual(expect.arrayContaining(["tidegate", "zod", "aws-cdk"]));
  for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test.each(["dir with spaces/op", "it's & that/op", "Größe/Öp"])(
  "works in the folder %s",
  async (dir) => {
    const { code } = await place.run([...INIT, dir]);
    expect(code).toBe(0);
    expect(await packageJson(dir)).toMatchObject({ name: "op" });
    expect((await place.files()).every((file) => file.startsWith(`${dir}/`))).toBe(true);
  },
);

test("adds to what npm made, and leaves what was chosen", async () => {
  const test = 'echo "Error: no test specified" && exit 1';
  const before = {
    name: "chosen",
    type: "commonjs",
    scripts: { test, lint: "mine" },
    dependencies: { tidegate: "file:tidegate-0.1.0.tgz" },
    devDependencies: { zod: "4.0.0" },
  };
  await place.write("package.json", JSON.stringify(before));
  const { code, out } = await place.run([...INIT, "-o", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ name: "chosen", changed: ["package.json"] });
  const made = await packageJson();
  expect(made).toMatchObject({ name: "chosen", type: "module", dependencies: before.dependencies });
  expect(made.scripts).toMatchObject({ lint: "mine", test: expect.stringContaining("jest") });
  expect(made.devDependencies).toMatchObject({ zod: "4.0.0" });
  expect(made.dependencies).not.toHaveProperty("zod");
});

test("refuses a package that is CommonJS by choice", async () => {
  const before = { type: "commonjs", scripts: { test: "mocha" } };
  await place.write("package.json", JSON.stringify(before));
  const { code, err } = await place.run(INIT);
  expect({ code, err }).toEqual({
    code: 1,
    err: 'tidegate: cannot change package.json: expected "type": "module", got "commonjs"\n',
  });
  expect(await place.files()).toEqual(["package.json"]);
});

test("a second init is refused, naming the files, and force makes them anew", async () => {
  await place.run(INIT);
  await place.write("tsconfig.json", "mine");
  const { code, err } = await place.run(INIT);
  expect(code).toBe(1);
  expect(err).toMatch(/cannot write tsconfig\.json, jest\.config\.js, .*: expected nothing there/);
  expect((await place.run([...INIT, "--force"])).out).toMatch(/^overwritten tsconfig\.json$/m);
});

test("a dry run writes nothing", async () => {
  const { out } = await place.run([...INIT, "new", "--dry-run"]);
  expect(out).toMatch(/^Nothing is written\. .*\ncreated tsconfig\.json$/m);
  expect(await place.files()).toEqual([]);
});

test.each([
  [["init"], 2, /required option '--domain <DOMAIN>' not specified/],
  [["init", "--domain", "Example.com"], 2, /cannot use --domain: .*such as example\.com, got "Exa/],
  [["init", "--domain", "apps.k8s.io"], 2, /expected a domain of your own, .*got "apps\.k8s\.io"/],
  [[...INIT, "--name", "My Op"], 2, /cannot use --name: .*such as guestbook-operator, got "My Op"/],
  [[...INIT, "日本"], 2, /cannot name a project after the folder "日本".*give --name/],
  [[...INIT, "file"], 1, /cannot write .*file\/tsconfig\.json/],
])("refuses %j and makes nothing", async (args, code, text) => {
  await place.write("file", "");
  const answered = await place.run(args);
  expect({ code: answered.code, out: answered.out }).toEqual({ code, out: "" });
  expect(answered.err).toMatch(text);
  expect(await place.files()).toEqual(["file"]);
});

test("refuses a package.json that it cannot read", async () => {
  await place.write("package.json", "[]");
  expect((await place.run(INIT)).err).toMatch(
    /cannot read .*package\.json: expected a JSON object/,
  );
});
