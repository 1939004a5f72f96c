import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { dump } from "js-yaml";
import { crd as cronJob } from "../../functions/cronjob/resource.ts";
import { crd as website } from "../../functions/website/resource.ts";
import { clusterStage } from "./cluster-stage.ts";
import { definition, definitionFile } from "./definition-file.ts";
import { type ScaffoldDir, scaffoldDir } from "./scaffold-dir.ts";

const ROOT = join(import.meta.dirname, "../..");
const LIMIT_MS = 120_000;

let project: ScaffoldDir;
beforeEach(async () => {
  project = await scaffoldDir();
  await cp(join(import.meta.dirname, "import-crds.yaml"), join(project.dir, "odd.yaml"));
});
afterEach(() => project.remove());

const read = (path: string) => readFile(join(project.dir, path), "utf8");

test(
  "what it makes compiles, and types what the definition says",
  async () => {
    await project.write("own.yaml", `${dump(website())}---\n${dump(cronJob())}`);
    await project.write("many.json", JSON.stringify({ kind: "List", items: large() }));
    for (const name of ["odd", "own", "many"]) {
      const done = await project.run([
        "import",
        `${name}.${name === "many" ? "json" : "yaml"}`,
        "-o",
        `functions/${name}`,
      ]);
      expect(done).toMatchObject({ code: 0, err: "" });
    }
    await project.write("functions/use.ts", USE);
    expect(await compiled()).toEqual({ code: 0, said: "" });
  },
  LIMIT_MS,
);

test("names kinds and fields so that nothing clashes, and keeps comments closed", async () => {
  const { out } = await project.run(["import", "odd.yaml"]);
  expect(out).toBe(
    "created functions/things/resource.ts\n  NetworkOdd of things.example.io/v1\n" +
      "  Object of things.example.io/v1beta1\n  Object of other.example.io/v1\n",
  );
  const text = await read("functions/things/resource.ts");
  expect(text.match(/^export (const|interface|type) \w+/gm)).toEqual([
    "export interface NetworkOddSpec",
    "export type NetworkOddStatus",
    "export interface NetworkOddData",
    "export interface NetworkOdd",
    "export const NetworkOdd",
    "export interface Object",
    "export const Object",
    "export type OtherObjectSpec",
    "export type OtherObjectAB",
    "export interface OtherObject",
    "export const OtherObject",
  ]);
  expect(text).toMatch(/^\/\/ Made by "tidegate import odd.yaml"/);
  expect(text).toMatch(
    /^\/\*\*\n \* Odd in \* \/ every way; `\$\{text\}` and\n \* a second line\.\n \*\/$/m,
  );
  expect(text).not.toMatch(/title that names no type|^export const evil/m);
});

test("takes the version that is asked for, else the stored one, and names those that there are", async () => {
  const [v1] = definition({ kind: "Cat" }).spec.versions;
  const old = { ...v1, name: "v1beta1", storage: false };
  const { spec, ...rest } = definition({ kind: "Cat" });
  await project.write("cat.yaml", dump({ ...rest, spec: { ...spec, versions: [old, v1] } }));
  await project.run(["import", "cat.yaml"]);
  expect(await read("functions/cat/resource.ts")).toContain('apiVersion: "example.com/v1",');
  const other = await project.run([
    "import",
    "cat.yaml",
    "--version",
    "v1beta1",
    "-o",
    "b",
    "--output",
    "json",
  ]);
  expect(JSON.parse(other.out)).toMatchObject({
    file: "b/resource.ts",
    created: ["b/resource.ts"],
    kinds: [
      { kind: "Cat", apiVersion: "example.com/v1beta1", plural: "cats", scope: "Namespaced" },
    ],
  });
  const none = await project.run(["import", "cat.yaml", "--version", "v2", "-o", "c"]);
  expect(none.err).toBe(
    "tidegate: cannot import cats.example.com: expected version v2, got v1beta1, v1\n",
  );
});

test("keeps a file that is there, and overwrites it when forced", async () => {
  await project.write("functions/things/resource.ts", "mine\n");
  const kept = await project.run(["import", "odd.yaml"]);
  expect(kept.code).toBe(1);
  expect(kept.err).toMatch(
    /cannot write functions\/things\/resource.ts: expected nothing there; --force/,
  );
  expect(await read("functions/things/resource.ts")).toBe("mine\n");
  const dry = await project.run(["import", "odd.yaml", "--force", "--dry-run"]);
  expect(dry.out).toMatch(/^Nothing is written. This file would be:\noverwritten functions/);
  expect((await project.run(["import", "odd.yaml", "--force"])).out).toMatch(
    /^overwritten functions/,
  );
  expect(await read("functions/things/resource.ts")).toMatch(/defineKind/);
});

test.each([
  ["none.yaml", "", /expected a file, an https URL, or the name of a definition/],
  [
    "empty.yaml",
    "kind: ConfigMap\n",
    /cannot import empty.yaml: expected CustomResourceDefinitions in YAML or JSON, got none/,
  ],
  ["bad.yaml", "a: [", /cannot import bad.yaml: expected YAML or JSON, got .* in line \d/],
  [
    "old.yaml",
    "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\n",
    /cannot import a.b: expected apiextensions.k8s.io\/v1, got apiextensions.k8s.io\/v1beta1/,
  ],
  [
    "half.yaml",
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec: {group: b, versions: [{name: v1, served: true}]}\n",
    /cannot import a.b: expected a whole definition, got none of kind, plural, scope, schema/,
  ],
])("refuses %s in a line, and writes nothing", async (name, text, said) => {
  if (text) await project.write(name, text);
  const before = await project.files();
  const { code, out, err } = await project.run(["import", name]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(said);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  expect(await project.files()).toEqual(before);
});

test("refuses plain http, and credentials in a URL, without naming them", async () => {
  const plain = await project.run(["import", "http://example.com/crds.yaml?token=secret"]);
  expect(plain.err).toMatch(/cannot import http:\/\/example.com\/crds.yaml: expected an https URL/);
  const secret = await project.run(["import", "https://me:secret@example.com/crds.yaml"]);
  expect(secret.err).toMatch(
    /cannot import https:\/\/example.com\/crds.yaml: expected a URL without credentials/,
  );
  expect(plain.err + secret.err).not.toContain("secret");
});

test("takes the definition of a cluster, and names what kubectl would where there is none", async () => {
  const stage = await clusterStage();
  try {
    await stage.project.write("functions/cat/resource.ts", definitionFile({ kind: "Cat" }));
    await stage.run(["install"]);
    const { code, err } = await stage.run(["import", "cats.example.com", "-o", "shared/cat"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const text = await readFile(join(stage.project.dir, "shared/cat/resource.ts"), "utf8");
    expect(text).toMatch(
      /^export interface CatSpec \{\n {2}host\?: string;\n {2}note\?: string;\n\}$/m,
    );
    const none = await stage.run(["import", "dogs.example.com"]);
    expect(none.err).toMatch(
      /cannot import dogs.example.com: expected a definition of that name in tidegate \(/,
    );
  } finally {
    await stage.close();
  }
});

/** As many fields as the largest definitions that are published. */
function large(): readonly object[] {
  const leaf = {
    type: "string",
    description: "A field of many, with a sentence on what it is for.",
  };
  const level = (depth: number): object => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [
        `field${index}`,
        depth === 0 ? leaf : level(depth - 1),
      ]),
    ),
  });
  const base = definition({ kind: "Large" });
  const [version] = base.spec.versions;
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: level(3) } } };
  return [{ ...base, spec: { ...base.spec, versions: [{ ...version, schema }] } }];
}

async function compiled(): Promise<{ readonly code: number | null; readonly said: string }> {
  await mkdir(join(project.dir, "node_modules"));
  await symlink(ROOT, join(project.dir, "node_modules/tidegate"));
  await symlink(join(ROOT, "node_modules/@types"), join(project.dir, "node_modules/@types"));
  const { compilerOptions } = JSON.parse(await readFile(join(ROOT, "tsconfig.json"), "utf8"));
  const strict = { ...compilerOptions, incremental: false };
  delete strict.tsBuildInfoFile;
  await project.write("package.json", '{ "type": "module" }');
  await project.write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: strict, include: ["functions"] }),
  );
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", project.dir], {
    encoding: "utf8",
  });
  return { code: status, said: stdout };
}

const USE = `
import { defineController, own, type Manifest, use } from "tidegate";
import { NetworkOdd, OtherObject, Object as Thing } from "./odd/resource.ts";
import { CronJob, Website } from "./own/resource.ts";
import { Large } from "./many/resource.ts";

export const controller = defineController({
  name: "odd",
  for: NetworkOdd,
  owns: [own(OtherObject), Website, CronJob],
  uses: [use(Thing, "get"), use(Large, "list")],
});

export const odd: Manifest<NetworkOdd> = {
  metadata: { name: "a", namespace: "b" },
  spec: {
    mode: 'it\\'s "so"',
    "it's": "x",
    maybe: null,
    count: 1,
    ports: [{ port: 80 }, { port: "http", name: null }, { port: 1 }, { port: 2 }],
    labels: { a: "b" },
    limits: { cpu: 1, memory: "1Gi" },
    anything: [1, { a: null }],
    open: { known: "k", other: 1 },
    empty: {},
    template: { apiVersion: "v1", kind: "Pod", metadata: { labels: {} }, spec: {} },
    choice: { a: "a" },
    nested: [["a", null]],
    $ref: "r",
    definitions: { one: 1 },
    properties: { type: "t" },
    required: ["r"],
    "with-dash.and/slash": "s",
    'quote"d': "q",
    __proto__: "p",
    constructor: "c",
  },
  data: { a: "b" },
};

export function read(object: NetworkOdd, site: Website, job: CronJob): unknown {
  const ready: boolean | undefined = object.status?.ready;
  const port: number | string | undefined = object.spec.ports[0]?.port;
  const group: "things.example.io/v1" = object.apiVersion;
  const host: string | undefined = site.spec?.host;
  const policy: "Allow" | "Forbid" | "Replace" | undefined = job.spec?.concurrencyPolicy;
  return [ready, port, group, host, policy];
}

export function refused(object: NetworkOdd): unknown[] {
  const spec = odd.spec;
  return [
    // @ts-expect-error: no such mode
    { ...spec, mode: "Of" } satisfies NetworkOdd["spec"],
    // @ts-expect-error: required
    { mode: "On", ports: [] } satisfies NetworkOdd["spec"],
    // @ts-expect-error: no such field
    object.spec.colour,
    // @ts-expect-error: a number
    { ...spec, count: "1" } satisfies NetworkOdd["spec"],
    // @ts-expect-error: not nullable
    { ...spec, count: null } satisfies NetworkOdd["spec"],
    // @ts-expect-error: nothing is kept in it
    { ...spec, choice: { c: "" } } satisfies NetworkOdd["spec"],
    // @ts-expect-error: of another kind
    object satisfies Website,
  ];
}
`;
