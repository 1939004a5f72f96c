// Definitions and manifests in a real kube-apiserver: in, again, changed, and out.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { accessOf, kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import { systemClock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { Definition } from "../../shared/platform/definition-kind.ts";
import { Cat, cat } from "../cli/cluster-stage.ts";
import { type DefinitionParts, definition, definitionFile } from "../cli/definition-file.ts";
import { runCli } from "../cli/run-cli.ts";
import { type ScaffoldDir, scaffoldDir } from "../cli/scaffold-dir.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";
import { kubectl as runKubectl } from "./kubectl.ts";

const START_LIMIT_MS = 60 * 60_000; // The first start on a machine builds everything.
const TEST_LIMIT_MS = 120_000;
const FUNCTIONS = join(import.meta.dirname, "../../functions");
const OURS = "example.com/cat";

let kube: Kube;
let transport: Transport;
let client: KubeClient;
let project: ScaffoldDir;

beforeAll(async () => {
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  kube = await startKube({ deployments: false, progress });
  transport = createTransport(accessOf(kube), { clock: systemClock });
  client = createKubeClient(transport);
}, START_LIMIT_MS);
afterAll(async () => {
  transport?.close();
  await kube?.stop();
});
beforeEach(async () => {
  project = await scaffoldDir();
});
afterEach(() => project.remove());

const pause = () => systemClock.sleep(50);
const key = (name: string) => ({ namespace: "", name });
const write = (parts: DefinitionParts) =>
  project.write("functions/cat/resource.ts", definitionFile(parts));
const run = (...args: string[]) =>
  runCli([...args, "--kubeconfig", kube.kubeconfigPath], { cwd: project.dir });

const kubectl = (...args: readonly string[]) => runKubectl(kube, ...args);

test(
  "the folder of manifests, applied twice, is the same the second time, and kubectl diff finds nothing",
  async () => {
    const dir = await mkdtemp(join(tmpdir(), "tidegate-manifests-"));
    try {
      const made = await runCli(["manifests", "--functions", FUNCTIONS, "-o", dir], { cwd: dir });
      expect(made).toMatchObject({ code: 0, err: "" });
      const apply = ["apply", "--server-side", "-f", dir];
      const first = await kubectl(...apply);
      expect(first).toMatch(/flowschema.flowcontrol.apiserver.k8s.io\/tidegate serverside-applied/);
      const versions = () =>
        kubectl(
          "get",
          "-f",
          dir,
          "-o",
          'jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.generation}{"\\n"}{end}',
        );
      const fixed = () =>
        kubectl(
          "get",
          "-f",
          dir,
          "-o",
          'jsonpath={range .items[*]}{.metadata.uid} {.metadata.managedFields[?(@.manager=="kubectl")].time}{"\\n"}{end}',
        );
      const before = [await versions(), await fixed()];
      await systemClock.sleep(1_100); // The times of managers have whole seconds.
      expect(await kubectl(...apply)).toBe(first);
      expect([await versions(), await fixed()]).toEqual(before);
      expect(await kubectl("diff", "--server-side", "-f", dir)).toBe("");
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

test(
  "installs the definitions of the examples, and finds them unchanged",
  async () => {
    // They are there by kubectl: with the same text there is no conflict.
    const first = await run("install", "--functions", FUNCTIONS);
    expect(first).toMatchObject({ code: 0, err: "" });
    const second = await run("install", "--functions", FUNCTIONS);
    await run("import", "websites.web.example.com");
    const imported = await readFile(join(project.dir, "functions/website/resource.ts"), "utf8");
    expect(imported).toMatch(/^export interface WebsiteSpec \{[^}]*^ {2}host: string;$/m);
    expect(
      second.out
        .trim()
        .split("\n")
        .every((line) => line.startsWith("unchanged ")),
    ).toBe(true);
  },
  TEST_LIMIT_MS,
);

test(
  "installs a definition that is too large for plain kubectl apply, refuses what breaks, and takes it out",
  async () => {
    await write({ kind: "Cat", description: "A cat. ".repeat(100_000) });
    expect(await run("install", "--dry-run")).toMatchObject({ code: 0, err: "" });
    expect(await client.get(Definition, key("cats.example.com"))).toBeUndefined();
    expect(await run("install")).toMatchObject({ code: 0, out: "created cats.example.com\n" });
    // Served at once: that is what it waits for.
    await client.create(Cat, "default", { metadata: { name: "a" }, spec: { host: "h" } });
    await write({ kind: "Cat", required: ["note"] });
    const refused = await run("install");
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/cats.example.com breaks what is installed:\n {2}v1\.spec/);
    const allowed = await run("install", "--allow-breaking", "--yes");
    expect(allowed).toMatchObject({ code: 0, out: "changed cats.example.com\n" });
    expect((await run("uninstall", "--yes")).out).toMatch(
      /^Not uninstalled: 1 object .*\n {2}Cat default\/a\n/,
    );
    expect(await run("uninstall", "--drain", "finalize", "--yes")).toEqual({
      err: "",
      code: 0,
      out: "deleted 1 object\nremoved cats.example.com\n",
    });
    expect(await client.get(Definition, key("cats.example.com"))).toBeUndefined();
  },
  TEST_LIMIT_MS,
);

test(
  "what kube-apiserver refuses is told with its words, and names that are taken with the condition",
  async () => {
    const { spec, ...rest } = definition({ kind: "Cat" });
    const file = (value: object) => `export const crd = () => (${JSON.stringify(value)});`;
    await project.write(
      "functions/cat/resource.ts",
      file({ ...rest, spec: { ...spec, scope: "Nowhere" } }),
    );
    const bad = await run("install");
    expect(bad.err).toMatch(
      /^tidegate: cannot install cats.example.com of functions\/cat\/resource.ts: .*spec.scope: Unsupported value: "Nowhere"/,
    );
    await write({ kind: "Cat" });
    await run("install");
    const twin = {
      ...rest,
      metadata: { name: "kitties.example.com" },
      spec: { ...spec, names: { ...spec.names, plural: "kitties" } },
    };
    await project.write("functions/kitty/resource.ts", file(twin));
    const taken = await run("install");
    expect(taken.err).toMatch(
      /expected condition NamesAccepted=True, got NamesAccepted=False: \w+: .*already in use; another definition/,
    );
    expect(await run("uninstall", "--yes")).toMatchObject({
      code: 0,
      out: "removed cats.example.com\nremoved kitties.example.com\n",
    });
  },
  TEST_LIMIT_MS,
);

test(
  "a drain waits for functions; a strip takes the project's finalizers alone; definitions of others stay",
  async () => {
    await write({ kind: "Cat" });
    await project.write("functions/cat/controller.ts", CONTROLLER);
    await client.apply(Definition, key("dogs.example.com"), definition({ kind: "Dog" }), {
      fieldManager: "somebody",
    });
    await run("install");
    const make = (name: string, finalizers: readonly string[]) =>
      client.create(Cat, "default", { metadata: { name, finalizers }, spec: {} });
    await make("held", [OURS]);
    const draining = run("uninstall", "--drain", "finalize", "--yes");
    while (!(await client.get(Cat, cat("held")))?.metadata.deletionTimestamp) await pause();
    await client.patch(Cat, cat("held"), {
      type: "merge",
      patch: { metadata: { finalizers: null } },
    });
    expect(await draining).toEqual({
      err: "",
      code: 0,
      out: "deleted 1 object\nremoved cats.example.com\n",
    });

    await run("install");
    await make("ours", [OURS]);
    await make("shared", [OURS, "other.io/guard"]);
    const stripping = run("uninstall", "--drain", "strip", "--yes");
    while ((await client.get(Cat, cat("ours"))) !== undefined) await pause();
    const { metadata } = (await client.get(Cat, cat("shared"))) ?? {};
    expect(metadata?.finalizers).toContain("other.io/guard");
    await client.patch(Cat, cat("shared"), {
      type: "merge",
      patch: { metadata: { finalizers: null } },
    });
    const stripped = await stripping;
    expect(stripped).toMatchObject({
      code: 0,
      out: "deleted 2 objects\nremoved cats.example.com\n",
    });
    expect(stripped.err).toMatch(
      /stays behind:\n {2}Cat default\/ours: example.com\/cat\n {2}Cat default\/shared: example.com\/cat\n$/,
    );
    const dogs = await kubeRequest(kube, { path: "/apis/example.com/v1/dogs" });
    expect(dogs.status).toBe(200);
  },
  TEST_LIMIT_MS,
);

/** As `defineController` makes one, without an import. */
const CONTROLLER = `export const catController = ${JSON.stringify({
  name: "cat",
  for: Cat,
  finalizer: OURS,
  formerFinalizers: [],
  maxConcurrentReconciles: 10,
  resyncSeconds: 36_000,
})};\n`;
