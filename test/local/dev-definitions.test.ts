import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { DevDefinitions } from "../../local/dev-definitions.ts";
import { createKubeApi, type KubeApi } from "../../local/kube/kube-api.ts";
import { readDefinitions } from "../../local/read-definitions.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { recordedLog } from "../support/recorded-log.ts";

let dir = "";
let api: KubeApi;
let logged: ReturnType<typeof recordedLog>["logged"];
let definitions: DevDefinitions;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "tidegate-definitions-"));
  const clock = new VirtualClock();
  api = createKubeApi({ clock, random: () => 0.5, newUid: () => "u", accounts: false });
  const recorded = recordedLog();
  logged = recorded.logged;
  const { transport } = api;
  definitions = new DevDefinitions({ functionsDir: dir, transport, log: recorded.log });
});
afterEach(async () => {
  api.close();
  await rm(dir, { recursive: true });
});

test("a folder that comes, and an edit, are installed by the next update, and each once", async () => {
  await write("topic", definition("topics"));
  await definitions.update();
  await write("queue", definition("queues"));
  await definitions.update();
  await write("topic", definition("topics", "A topic."));
  await definitions.update();
  await definitions.update();
  expect(logged.map(({ fields }) => fields.function)).toEqual(["topic", "queue", "topic"]);
  expect(await installed()).toEqual({ queues: "", topics: "A topic." });
});

test("what was installed stays when its folder goes", async () => {
  await write("topic", definition("topics"));
  await definitions.update();
  await rm(join(dir, "topic"), { recursive: true });
  await definitions.update();
  expect(await installed()).toEqual({ topics: "" });
});

test("rejects naming the file that cannot be installed, until it is mended", async () => {
  await write("topic", definition("topics").replace("Namespaced", "Galaxy"));
  const file = join(dir, "topic", "resource.ts");
  for (let times = 0; times < 2; times += 1) {
    await expect(definitions.update()).rejects.toThrow(`cannot install what ${file} defines`);
  }
  await write("topic", definition("topics"));
  await definitions.update();
  expect(await installed()).toEqual({ topics: "" });
});

test("rejects another scope of what is installed, naming what removes it", async () => {
  await write("topic", definition("topics"));
  await definitions.update();
  await write("topic", definition("topics").replace("Namespaced", "Cluster"));
  await expect(definitions.update()).rejects.toThrow(
    "remove it with all its objects: kubectl delete crd topics.broker.example.com",
  );
});

test("rejects names that another definition has", async () => {
  await write("topic", definition("topics"));
  await definitions.update();
  await write("topic", definition("themes").replace("THEMES", "TOPICS"));
  const refused = definitions.update();
  await expect(refused).rejects.toThrow(`cannot install what ${join(dir, "topic", "resource.ts")}`);
  await expect(refused).rejects.toHaveProperty(
    "cause.message",
    expect.stringContaining(
      'themes.broker.example.com is not served: "TOPICSList" is already in use',
    ),
  );
});

test("B46: a definition of more than an annotation can hold is installed", async () => {
  const description = "x".repeat(300_000);
  await write("topic", definition("topics", description));
  await definitions.update();
  expect(await installed()).toEqual({ topics: description });
});

test("a file defines as many kinds as it likes, or none, as for somebody else's", async () => {
  const both = `[${definition("topics")}, ${definition("queues")}]`;
  await write("both", both);
  await write("none", undefined);
  await definitions.update();
  expect(Object.keys(await installed())).toEqual(["queues", "topics"]);
  expect(logged.map(({ fields }) => fields.function)).toEqual(["both"]);
});

test("an edit of what the file imports is taken up, and one of a handler asks for nothing", async () => {
  await write(
    "topic",
    `{ ...${definition("topics")}, ...more }`,
    `import { more } from "./more.ts";`,
  );
  const more = (value: object) =>
    writeFile(join(dir, "topic", "more.ts"), `export const more = ${JSON.stringify(value)};`);
  await more({});
  await definitions.update();
  await writeFile(join(dir, "topic", "handler.ts"), "not read");
  await more({ spec: JSON.parse(definition("topics", "Edited.")).spec });
  await definitions.update();
  expect(await installed()).toEqual({ topics: "Edited." });
});

test("rejects naming the file and the line that does not load", async () => {
  await mkdir(join(dir, "topic"));
  const file = join(dir, "topic", "resource.ts");
  await writeFile(file, `\nexport const crd = () => { throw new Error("no such field"); };`);
  await expect(definitions.update()).rejects.toThrow(
    `cannot load ${file}: no such field (at ${file}:2)`,
  );
});

test.each([
  ["undefined", "undefined"],
  ["{ hello: 1 }", "{ hello: 1 }"],
  ["Promise.resolve([])", "Promise"],
  ["[null]", "null"],
])("rejects a crd() that answers %s, naming file and answer", async (crd, got) => {
  await write("topic", crd);
  await expect(definitions.update()).rejects.toThrow(
    `cannot load ${join(dir, "topic", "resource.ts")}: expected crd() to answer a CustomResourceDefinition, or a list of them, got ${got}`,
  );
});

test("rejects naming the file that ends the process, and how", async () => {
  await write("queue", definition("queues"));
  await write("topic", `console.error("no broker") || process.exit(3)`);
  await expect(definitions.update()).rejects.toThrow(
    `cannot load ${join(dir, "topic", "resource.ts")}: it ends the process (exit code 3): no broker`,
  );
});

test("what a file prints while it loads is no definition", async () => {
  await write("topic", definition("topics"), `console.log("loading"); process.stdout.write("{");`);
  await definitions.update();
  expect(await installed()).toEqual({ topics: "" });
});

test("rejects two files that define the same, naming both", async () => {
  await write("a", definition("topics"));
  await write("b", definition("topics", "Another one."));
  await expect(definitions.update()).rejects.toThrow(
    `cannot tell which topics.broker.example.com is meant: expected one file to define it, and once, got ${join(dir, "a", "resource.ts")} and ${join(dir, "b", "resource.ts")}`,
  );
});

async function write(name: string, crd: string | undefined, imports = ""): Promise<void> {
  await mkdir(join(dir, name), { recursive: true });
  const text = crd === undefined ? "" : `export const crd = () => (${crd});`;
  await writeFile(join(dir, name, "resource.ts"), `${imports}\n${text}`);
}

/** Descriptions by plural. */
async function installed(): Promise<Record<string, string>> {
  const kind = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    plural: "customresourcedefinitions",
    scope: "Cluster",
  } as const;
  const client = createKubeClient(api.transport);
  const found = (await client.list(kind, {})) as unknown as readonly Installed[];
  return Object.fromEntries(
    found.map(({ spec: { names, versions } }) => [
      names.plural,
      versions[0].schema.openAPIV3Schema.description ?? "",
    ]),
  );
}

interface Installed {
  readonly spec: {
    readonly names: { readonly plural: string };
    readonly versions: readonly [
      { readonly schema: { readonly openAPIV3Schema: { readonly description?: string } } },
    ];
  };
}

function definition(plural: string, description?: string): string {
  const openAPIV3Schema = { type: "object", description };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema } };
  return JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.broker.example.com` },
    spec: {
      group: "broker.example.com",
      scope: "Namespaced",
      names: { kind: plural.toUpperCase(), plural },
      versions: [version],
    },
  });
}

test("what is no folder has no definitions: who reads the functions tells of it", async () => {
  await writeFile(join(dir, "file"), "");
  expect(await readDefinitions(join(dir, "file"))).toEqual([]);
  expect(await readDefinitions(join(dir, "none"))).toEqual([]);
});
