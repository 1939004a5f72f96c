import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type ScaffoldDir, scaffoldDir } from "./scaffold-dir.ts";

let place: ScaffoldDir;

beforeEach(async () => {
  place = await scaffoldDir();
  await place.write("package.json", '{ "tidegate": { "domain": "example.com" } }');
});
afterEach(() => place.remove());

const API = ["create", "api", "--group", "webapp", "--version", "v1"];
const CONTROLLER = ["create", "controller"];

function made(...names: string[]): string[] {
  const files = names.map((name) => (name.includes("/") ? name : `functions/guestbook/${name}`));
  return [...files, "package.json"].sort();
}
const GUESTBOOK = made(
  ...["resource", "controller", "reconciler", "handler"].map((name) => `${name}.ts`),
  "sample.yaml",
  "test/guestbook.test.ts",
);

function read(path: string): Promise<string> {
  return readFile(join(place.dir, path), "utf8");
}

test("makes a kind and its controller, and says what they are and what comes next", async () => {
  const { code, out, err } = await place.run([...API, "--kind", "Guestbook"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("Guestbook of webapp.example.com/v1, plural guestbooks, namespaced");
  expect(out).toContain("kubectl apply -f functions/guestbook/sample.yaml");
  expect(await place.files()).toEqual(GUESTBOOK);
});

test("the project is found from a folder in it", async () => {
  await place.write("functions/old/note.md", "");
  await place.run([...API, "--kind", "Guestbook"], "functions/old");
  expect(await place.files()).toEqual(expect.arrayContaining(GUESTBOOK));
});

test("plural, scope and name are the same in all files", async () => {
  const options = ["--kind", "Person", "--plural", "people", "--namespaced=false", "-o", "json"];
  const { out } = await place.run([...API, ...options, "--name", "staff"]);
  expect(JSON.parse(out)).toMatchObject({ plural: "people", scope: "Cluster", name: "staff" });
  expect(await read("functions/staff/resource.ts")).toMatch(
    /plural: "people",\n {2}scope: "Cluster"/,
  );
  expect(await read("functions/staff/reconciler.ts")).toContain('namespace: "default"');
  expect(await read("functions/staff/controller.ts")).toContain(
    "staffController = defineController",
  );
});

test.each([
  [["--kind", "guestbook"], /cannot use --kind: expected PascalCase .*such as Guestbook, got "gue/],
  [["--kind", "Guest-Book"], /cannot use --kind/],
  [["--kind", "Größe"], /cannot use --kind/],
  [["--kind", "K".repeat(60)], /at most 59/],
  [["--kind", "Resource"], /does not use otherwise, such as MyResource, got "Resource"/],
  [["--kind", "A", "--group", "Web_App"], /cannot use --group: .*such as webapp, for webapp\.exa/],
  [
    ["--kind", "A", "--group", "webapp.example.com"],
    /without the project's domain, such as webapp,/,
  ],
  [["--kind", "A", "--group", "g".repeat(64)], /cannot use --group/],
  [["--kind", "A", "--version", "1"], /cannot use --version: .*such as v1, v1alpha1 .*got "1"/],
  [["--kind", "A", "--plural", "As"], /cannot use --plural: .*such as guestbooks, got "As"/],
  [["--kind", "A", "--name", "a--b"], /cannot use --name: .*such as guestbook, got "a--b"/],
  [["--kind", "A", "--name", "../a"], /cannot use --name/],
  [["--kind", "A", "--namespaced", "no"], /Allowed choices are true, false/],
  [[], /required option '--kind <KIND>' not specified/],
])("refuses %j and makes nothing", async (options, text) => {
  const { code, out, err } = await place.run([...API, ...options]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(text);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  expect(await place.files()).toEqual(["package.json"]);
});

test("refuses a kind, and a plural, that the group has already", async () => {
  await place.run([...API, "--kind", "Guestbook"]);
  const again = [...API, "--kind", "Guestbook", "--name", "other"];
  expect((await place.run([...again, "--version", "v2"])).err).toMatch(
    /functions\/guestbook\/resource\.ts defines Guestbook of webapp\.example\.com\/v1; further versions/,
  );
  const plural = [...API, "--kind", "Book", "--plural", "guestbooks"];
  expect((await place.run(plural)).err).toMatch(/Guestbook in functions\/guestbook.* has it; give/);
  expect((await place.run([...again, "--group", "shop"])).code).toBe(0);
});

test("refuses files that are there, and makes them anew with force", async () => {
  await place.write("functions/guestbook/handler.ts", "mine");
  const { code, err } = await place.run([...API, "--kind", "Guestbook"]);
  expect(code).toBe(1);
  expect(err).toMatch(/cannot write functions\/guestbook\/handler\.ts: expected nothing there/);
  expect(await place.files()).toEqual(made("handler.ts"));
  await place.run([...API, "--kind", "Guestbook", "--force"]);
  expect(await read("functions/guestbook/handler.ts")).not.toBe("mine");
});

test.each([
  ["none", "{}", /cannot find the project of .*npx tidegate init --domain example\.com/],
  ["a bad one", '{ "tidegate": { "domain": "A" } }', /cannot use --domain/],
  ["no JSON", "{", /cannot read .*package\.json: expected a JSON object/],
])("refuses where package.json has %s", async (_what, text, error) => {
  await place.write("package.json", text);
  expect((await place.run([...API, "--kind", "Guestbook"])).err).toMatch(error);
  expect(await place.files()).toEqual(["package.json"]);
});

test("makes a controller for a kind of Kubernetes", async () => {
  const { code, out } = await place.run([...CONTROLLER, "--kind", "Deployment"]);
  expect(code).toBe(0);
  expect(out).toContain("controller deployment for Deployment of apps/v1");
  expect(await read("functions/deployment/controller.ts")).toContain(
    'import { Deployment, defineController } from "tidegate";',
  );
});

test("makes no test for a kind that the embedded cluster lacks, and says so", async () => {
  const { code, out, err } = await place.run([...CONTROLLER, "--kind", "ResourceQuota"]);
  expect(code).toBe(0);
  expect(err).toMatch(/^tidegate: the embedded cluster has no ResourceQuota: no test is made/);
  expect(out).toMatch(/Next:\n {2}npx tidegate dev --kubeconfig FILE\n$/);
  expect(await place.files()).not.toContain("test/resource-quota.test.ts");
});

test("makes a second controller for a kind of the project, under a name of its own", async () => {
  await place.run([...API, "--kind", "Guestbook"]);
  expect((await place.run([...CONTROLLER, "--kind", "Guestbook"])).err).toMatch(/cannot write/);
  await place.run([...CONTROLLER, "--kind", "Guestbook", "--name", "backup"]);
  expect(await read("functions/backup/controller.ts")).toContain(
    'import { Guestbook } from "../guestbook/resource.ts";',
  );
});

test("makes a controller for the kind of a file, by whatever name it is exported", async () => {
  const kind =
    '{ apiVersion: "a.example.org/v1", kind: "Cert", plural: "certs", scope: "Cluster" }';
  await place.write("shared/cert.ts", `export const Imported = defineKind<Imported>(${kind});`);
  const { code } = await place.run([...CONTROLLER, "--from", "cert.ts"], "shared");
  expect(code).toBe(0);
  const controller = await read("functions/cert/controller.ts");
  expect(controller).toContain('import { Imported } from "../../shared/cert.ts";');
  expect(controller).toContain("for: Imported,");
});

test("asks which of two kinds of one name is meant", async () => {
  await place.run([...API, "--kind", "Deployment", "--name", "mine"]);
  const { code, err } = await place.run([...CONTROLLER, "--kind", "Deployment"]);
  expect(code).toBe(2);
  expect(err).toMatch(
    /got Deployment of webapp\.example\.com\/v1, Deployment of apps\/v1; say which/,
  );
  const chosen = [...CONTROLLER, "--kind", "Deployment", "--api-version", "apps/v1"];
  expect((await place.run(chosen)).out).toContain("for Deployment of apps/v1");
});

test.each([
  [[], 2, /expected --kind KIND or --from FILE/],
  [["--kind", "Nothing"], 1, /cannot find kind Nothing in .*, Deployment, .*with --from/],
  [["--kind", "pods"], 2, /expected the kind as its objects have it, Pod, got "pods"/],
  [["--from", "../other.ts"], 2, /cannot use --from: expected a \.ts file in /],
  [["--from", "none.ts"], 1, /cannot read .*none\.ts/],
])("refuses a controller of %j", async (options, code, text) => {
  const answered = await place.run([...CONTROLLER, ...options]);
  expect(answered.code).toBe(code);
  expect(answered.err).toMatch(text);
  expect(await place.files()).toEqual(["package.json"]);
});

test("create alone shows what can be created", async () => {
  const { code, err } = await place.run(["create"]);
  expect(code).toBe(2);
  expect(err).toMatch(/^Usage: tidegate create COMMAND[\s\S]*\n {2}api .*\n {2}controller /);
});
