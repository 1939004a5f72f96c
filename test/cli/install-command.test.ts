import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Definition } from "../../shared/platform/definition-kind.ts";
import { type ClusterStage, clusterStage } from "./cluster-stage.ts";
import { type DefinitionParts, definition, definitionFile } from "./definition-file.ts";

const FILE = "functions/cat/resource.ts";
const NAME = { namespace: "", name: "cats.example.com" };

let stage: ClusterStage;
beforeEach(async () => {
  stage = await clusterStage();
  await write({ kind: "Cat" });
});
afterEach(() => stage.close());

const write = (parts: DefinitionParts) => stage.project.write(FILE, definitionFile(parts));
const installed = () => stage.client.get(Definition, NAME);

test("installs, and tells what it did: created, unchanged, changed", async () => {
  const first = await stage.run(["install"]);
  expect(first).toEqual({ code: 0, out: "created cats.example.com\n", err: "" });
  const conditions = (await installed())?.status?.conditions ?? [];
  expect(conditions.find(({ type }) => type === "Established")?.status).toBe("True");
  expect((await stage.run(["install"])).out).toBe("unchanged cats.example.com\n");
  await write({ kind: "Cat", description: "A cat." });
  const third = await stage.run(["install", "--output", "json"]);
  expect(JSON.parse(third.out)).toEqual({
    context: "tidegate",
    server: expect.stringMatching(/^https:/),
    dryRun: false,
    definitions: [{ name: NAME.name, file: FILE, state: "changed" }],
    breaking: {},
  });
});

test("a dry run changes nothing", async () => {
  const { code, out } = await stage.run(["install", "--dry-run"]);
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^Nothing is changed in tidegate \(https:.*\)\. It would be:\ncreated cats\.example\.com\n$/,
    ),
  });
  expect(await installed()).toBeUndefined();
});

test("refuses what breaks the installed, naming each change, until it is allowed and confirmed", async () => {
  await stage.run(["install"]);
  await write({ kind: "Cat", required: ["host"] });
  const refused = await stage.run(["install"]);
  expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: "" });
  expect(refused.err).toMatch(
    /^cats.example.com breaks what is installed:\n {2}v1\.spec.*host.*required/,
  );
  expect(refused.err).toMatch(/nothing was changed; --allow-breaking goes on/);
  const unasked = await stage.run(["install", "--allow-breaking"]);
  expect({ code: unasked.code, err: unasked.err }).toEqual({
    code: 2,
    err: expect.stringMatching(/cannot install: expected --yes where no terminal can be asked/),
  });
  const asked: string[] = [];
  const confirm = (yes: boolean) => async (question: string) => {
    asked.push(question);
    return yes;
  };
  const no = await stage.run(["install", "--allow-breaking"], { confirm: confirm(false) });
  expect({ code: no.code, out: no.out }).toEqual({ code: 1, out: "" });
  const spec = () =>
    installed().then((found) => found?.spec.versions[0]?.schema.openAPIV3Schema.properties?.spec);
  expect((await spec())?.required).toBeUndefined();
  const yes = await stage.run(["install", "--allow-breaking"], { confirm: confirm(true) });
  expect(yes).toMatchObject({ code: 0, out: "changed cats.example.com\n" });
  expect((await spec())?.required).toEqual(["host"]);
  expect(asked[0]).toMatch(/^install cats.example.com in tidegate \(https:.*\) all the same\?$/);
});

test("where one is refused, none is installed", async () => {
  const { spec, ...rest } = definition({ kind: "Dog" });
  const bad = { ...rest, spec: { ...spec, scope: "Nowhere" } };
  await stage.project.write(
    "functions/dog/resource.ts",
    `export const crd = () => (${JSON.stringify(bad)});`,
  );
  const { code, out, err } = await stage.run(["install"]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(
    /cannot install dogs.example.com of functions\/dog\/resource.ts: cannot apply CustomResourceDefinition dogs.example.com: .*spec.scope.*Nowhere/,
  );
  expect(await installed()).toBeUndefined();
});

test("names who has a field that it would change, and takes it over when told to", async () => {
  const other = definition({ kind: "Cat", description: "Theirs." });
  await stage.client.apply(Definition, NAME, other, { fieldManager: "somebody" });
  await write({ kind: "Cat", description: "Ours." });
  const { code, err } = await stage.run(["install"]);
  expect(code).toBe(1);
  expect(err).toMatch(/conflict with "somebody".*--force-conflicts takes these fields over/);
  expect(await stage.run(["install", "--force-conflicts"])).toMatchObject({ code: 0, err: "" });
});

test("names are taken: tells the condition at once", async () => {
  await stage.run(["install"]);
  const { spec, ...rest } = definition({ kind: "Cat" });
  const twin = {
    ...rest,
    metadata: { name: "kitties.example.com" },
    spec: { ...spec, names: { ...spec.names, plural: "kitties" } },
  };
  await stage.project.write(
    "functions/kitty/resource.ts",
    `export const crd = () => (${JSON.stringify(twin)});`,
  );
  const { code, err } = await stage.run(["install"]);
  expect(code).toBe(1);
  expect(err).toMatch(
    /cannot install kitties.example.com: expected condition NamesAccepted=True, got NamesAccepted=False: \w+Conflict: .*choose others/,
  );
});

test("a cluster that is not there, and a kubeconfig that is not there, are told in a line", async () => {
  const missing = await stage.run(["install", "--kubeconfig", "none"]);
  expect(missing).toMatchObject({ code: 1, out: "" });
  expect(missing.err).toMatch(
    /^tidegate: cannot read kubeconfig .*none: ENOENT; name another with --kubeconfig or KUBECONFIG\n$/,
  );
  const context = await stage.run(["install", "--context", "other"]);
  expect(context.err).toMatch(/expected a context named "other", got tidegate/);
});

test("an interrupted install says so", async () => {
  const { code, err } = await stage.run(["install"], { stopping: AbortSignal.abort() });
  expect({ code, err }).toEqual({ code: 130, err: "tidegate: interrupted\n" });
  expect(await installed()).toBeUndefined();
});
