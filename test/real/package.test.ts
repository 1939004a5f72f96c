import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { crd } from "../../functions/website/resource.ts";
import { EFFECTS_OF_OTHERS, importEffects } from "../support/import-effects.ts";
import { DevProcess, freePorts } from "./dev-process.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";
import { kubeBinaries } from "./kube-binaries.ts";
import { kubectl, kubectlApply } from "./kubectl.ts";
import { pack } from "./pack.ts";

// The package as users get it. A linked folder would hide what goes wrong below node_modules, where
// Node runs no TypeScript; so the packed file is installed, in a project outside of the repository.

const ROOT = join(import.meta.dirname, "../..");
const INSTALL_LIMIT_MS = 10 * 60_000;
const TEST_LIMIT_MS = 120_000;

const COMPILER_OPTIONS = {
  target: "es2024",
  module: "nodenext",
  types: ["node"],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
};

let project = "";
let packed: readonly string[] = [];
let kube: Kube | undefined;
let dev: DevProcess | undefined;

const progress = (line: string) => process.stderr.write(`${line}\n`);
const run = promisify(execFile);
const inProject = (program: string, ...args: string[]) => run(program, args, { cwd: project });

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "tidegate-package-"));
  const { filename, paths } = await pack(project);
  packed = paths;
  await writeFile(join(project, "package.json"), '{ "type": "module", "private": true }');
  await inProject("npm", "install", "--prefer-offline", `./${filename}`, ...(await beside()));
  await cp(join(ROOT, "functions"), join(project, "functions"), { recursive: true });
}, INSTALL_LIMIT_MS);

afterAll(async () => {
  await dev?.stop("SIGKILL");
  await kube?.stop();
  await rm(project, { recursive: true, force: true });
}, INSTALL_LIMIT_MS);

test("it holds compiled code, its types and documents, and nothing else", () => {
  const odd = packed.filter(
    (path) => !/^dist\/.*\.(js|json|d\.ts)$|^(docs\/.*|[A-Z]+)\.md$/.test(path),
  );
  expect(odd.sort()).toEqual(["LICENSE", "NOTICE", "package.json"]);
});

test("each entry imports without flags", async () => {
  const program = `
    const { defineController } = await import("tidegate");
    const { defineCrd } = await import("tidegate/crd");
    const { ReconcilerPlatform } = await import("tidegate/cdk");
    const { VirtualClock } = await import("tidegate/testing");
    console.log([defineController, defineCrd, ReconcilerPlatform, VirtualClock].map((each) => typeof each).join(" "));`;
  const { stdout } = await inProject(process.execPath, "--input-type=module", "-e", program);
  expect(stdout).toBe("function function function function\n");
});

test(
  "its testing kit starts a kube-apiserver, and ends with it",
  async () => {
    const program = `
      import { ConfigMap, defineController } from "tidegate";
      import { startEnvironment } from "tidegate/testing";
      const controller = defineController({ name: "idle", for: ConfigMap });
      const controllers = [[controller, { reconcile: async () => {} }]];
      const env = await startEnvironment({ controllers });
      await env.create(ConfigMap, { metadata: { name: "made" } });
      await env.settled();
      console.log(env.record(controller, "made").outcome, (await env.list(ConfigMap)).length > 1);
      await env.stop();`;
    const { kubeApiserver } = await kubeBinaries({ env: process.env, progress });
    const env = { ...process.env, KUBEBUILDER_ASSETS: dirname(kubeApiserver) };
    const args = ["--input-type=module", "-e", program];
    const { stdout } = await run(process.execPath, args, { cwd: project, env });
    // Beside what was made there is what a real server has of its own.
    expect(stdout).toBe("success true\n");
  },
  TEST_LIMIT_MS,
);

test("importing its library does nothing", async () => {
  const library = join(project, "node_modules/tidegate/dist/shared");
  expect(await importEffects(library, ".js")).toEqual(EFFECTS_OF_OTHERS);
});

test.each([
  { compiler: "typescript", skipLibCheck: true },
  { compiler: "typescript", skipLibCheck: false },
  { compiler: "typescript-5", skipLibCheck: false },
])(
  "controllers and all of its types compile with $compiler, skipLibCheck $skipLibCheck",
  async ({ compiler, skipLibCheck }) => {
    const compilerOptions = { ...COMPILER_OPTIONS, skipLibCheck };
    const config = JSON.stringify({ compilerOptions, include: ["functions", "all.ts"] });
    await writeFile(join(project, "tsconfig.json"), config);
    const entries = ["tidegate", "tidegate/crd", "tidegate/cdk", "tidegate/testing"];
    const all = entries.map((entry, at) => `export * as entry${at} from "${entry}";\n`);
    await writeFile(join(project, "all.ts"), all.join(""));
    // The compiler rejects with what it says.
    const { stdout } = await inProject(
      process.execPath,
      `node_modules/${compiler}/bin/tsc`,
      "-p",
      ".",
    );
    expect(stdout).toBe("");
  },
  TEST_LIMIT_MS,
);

test(
  "the command runs a project's TypeScript against a cluster",
  async () => {
    kube = await startKube({ progress });
    await kubectlApply(kube, crd());
    dev = new DevProcess({
      command: [join(project, "node_modules/tidegate/dist/cli/tidegate.js")],
      cwd: project,
      args: ["--kubeconfig", kube.kubeconfigPath],
      port: await freePorts(),
    });
    await dev.line(/backfill looked through all keys controller=website/);
    await kubectl(kube, "apply", "-f", join(ROOT, "functions/website/sample.yaml"));
    await dev.line(/reconcile ended controller=website .*name=hello/);
    await kubectl(kube, "get", "deployment", "hello");
    expect(await readdir(project)).toContain(".tidegate");
    expect((await dev.stop()).code).toBe(0);
  },
  TEST_LIMIT_MS,
);

/** What users install beside it, in the versions that this repository has. */
async function beside(): Promise<string[]> {
  const { default: own } = await import("../../package.json", { with: { type: "json" } });
  const { typescript, zod, croner, "@types/node": node, constructs } = own.devDependencies;
  const typescript5 = "typescript-5@npm:typescript@5.9.3";
  return [
    `typescript@${typescript}`,
    typescript5,
    `zod@${zod}`,
    `croner@${croner}`,
    `@types/node@${node}`,
    `aws-cdk-lib@${own.devDependencies["aws-cdk-lib"]}`,
    `constructs@${constructs}`,
  ];
}
