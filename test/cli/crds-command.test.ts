import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { definitionFile } from "./definition-file.ts";
import { type ScaffoldDir, scaffoldDir } from "./scaffold-dir.ts";

const CRDS = ["cats", "dogs", "owls"].map((it) => `${it}.example.com.yaml`);

let project: ScaffoldDir;
beforeEach(async () => {
  project = await scaffoldDir();
  for (const kind of ["Owl", "Cat", "Dog"]) {
    await project.write(`functions/${kind}/resource.ts`, definitionFile({ kind }));
  }
});
afterEach(() => project.remove());

const crds = (...args: string[]) => project.run(["crds", ...args]);

test("writes a file for each definition, and nothing the second time", async () => {
  const first = await crds();
  expect(first).toEqual({
    code: 0,
    err: "",
    out: CRDS.map((name) => `created manifests/crds/${name}\n`).join(""),
  });
  const text = await readFile(join(project.dir, "manifests/crds", CRDS[2] as string), "utf8");
  expect(text).toMatch(/^# Written by "tidegate crds"; .*\napiVersion: apiextensions.k8s.io\/v1\n/);
  const second = await crds("--output", "json");
  expect(JSON.parse(second.out)).toEqual({
    dir: "manifests/crds",
    fresh: true,
    missing: [],
    stale: [],
    leftOver: [],
    unchanged: CRDS,
  });
});

test("checks without writing: names what is missing, stale and left over", async () => {
  await crds("-o", "made");
  const made = join(project.dir, "made");
  const [first = "", second = "", third = ""] = CRDS;
  await rename(join(made, first), join(made, "gone.example.com.yaml"));
  await writeFile(join(made, second), `${await readFile(join(made, second), "utf8")}# edited\n`);
  const before = await project.files();
  const { code, out } = await crds("-o", "made", "--check");
  expect({ code, lines: out.trim().split("\n") }).toEqual({
    code: 1,
    lines: [
      `missing made/${first}`,
      `stale made/${second}`,
      "left over made/gone.example.com.yaml",
      `up to date made/${third}`,
      'Run "tidegate crds -o made" to mend that.',
    ],
  });
  expect(await project.files()).toEqual(before);
  const mended = await crds("-o", "made");
  expect(mended.out).toContain("removed made/gone.example.com.yaml\n");
  expect(await readdir(made)).toEqual(CRDS);
  expect((await crds("-o", "made", "--check")).code).toBe(0);
});

test("leaves files alone that it did not write, and refuses to replace one", async () => {
  await project.write("manifests/crds/other.yaml", "kind: ConfigMap\n");
  await project.write("manifests/crds/notes.md", "notes\n");
  await crds();
  expect(await readdir(join(project.dir, "manifests/crds"))).toEqual(
    [...CRDS, "notes.md", "other.yaml"].sort(),
  );
  await project.write(`manifests/crds/${CRDS[1]}`, "by: hand\n");
  const { code, err } = await crds();
  expect(code).toBe(1);
  expect(err).toMatch(
    /cannot write manifests\/crds\/dogs.*: expected "# Written by .*got a file of somebody else; move it/,
  );
});

test("writes one stream to standard output", async () => {
  const { out } = await crds("-o", "-");
  expect(out.match(/^---$/gm)).toHaveLength(3);
  expect((await project.files()).filter((file) => file.endsWith(".yaml"))).toEqual([]);
  expect((await crds("-o", "-", "--check")).code).toBe(2);
});

test("refuses a folder without definitions, a file that does not load, and what two files define", async () => {
  const none = await crds("--functions", "none");
  expect(none.err).toMatch(
    /cannot find definitions in .*none: expected a resource.ts .*tidegate create api/,
  );
  await project.write("functions/copy/resource.ts", definitionFile({ kind: "Cat" }));
  const twice = await crds();
  expect(twice.err).toMatch(
    /cannot tell which cats.example.com is meant: .*got .*functions\/Cat\/resource.ts and .*functions\/copy\/resource.ts/,
  );
  await project.write("functions/copy/resource.ts", "throw new Error('no');");
  const broken = await crds();
  expect({ code: broken.code, out: broken.out }).toEqual({ code: 1, out: "" });
  expect(broken.err).toMatch(/cannot load .*functions\/copy\/resource.ts: no/);
});
