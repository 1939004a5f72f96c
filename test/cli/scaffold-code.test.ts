import { spawnSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type ScaffoldDir, scaffoldDir } from "./scaffold-dir.ts";

// What scaffolding makes is code: it must compile, pass the linter and its own tests as it stands.

const ROOT = join(import.meta.dirname, "../..");
const LIMIT_MS = 120_000;

/** Kinds whose names, or the variables made of them, mean something elsewhere. */
const ODD_KINDS = ["Function", "Class", "Object", "Test", "Status", "Map", "Message", "Deployment"];

let project: ScaffoldDir;

beforeAll(async () => {
  project = await scaffoldDir();
  await must(["init", "--domain", "example.com", "--name", "odd"]);
  const api = ["create", "api", "--group", "webapp", "--version", "v1alpha1"];
  for (const kind of ODD_KINDS) await must([...api, "--kind", kind]);
  await must([...api, "--kind", "Zone", "--namespaced=false"]);
  const controller = ["create", "controller"];
  await must([...controller, "--kind", "Zone", "--name", "zone-backup"]);
  const apps = ["--api-version", "apps/v1", "--name", "built-in"];
  await must([...controller, "--kind", "Deployment", ...apps]);
  await must([...controller, "--kind", "Node"]);
  await link();
}, LIMIT_MS);
afterAll(() => project.remove());

test(
  "compiles",
  async () => {
    const compilerOptions = { customConditions: ["tidegate-source"] };
    const config = {
      extends: "./tsconfig.json",
      compilerOptions,
      include: ["cdk", "functions", "test"],
    };
    await project.write("tsconfig.check.json", JSON.stringify(config));
    expect(run("typescript/bin/tsc", "-p", "tsconfig.check.json")).toEqual({ code: 0, said: "" });
  },
  LIMIT_MS,
);

test(
  "passes its linter",
  () => {
    const { code, said } = run("oxlint/bin/oxlint", "--type-aware", "--deny-warnings");
    expect(said).toMatch(/Found 0 warnings and 0 errors/);
    expect(code).toBe(0);
  },
  LIMIT_MS,
);

test(
  "passes its tests",
  async () => {
    const { default: config } = (await import(
      pathToFileURL(join(project.dir, "jest.config.js")).href
    )) as { readonly default: object };
    const conditions = { customExportConditions: ["tidegate-source", "node", "node-addons"] };
    const ours = { ...config, rootDir: project.dir, testEnvironmentOptions: conditions };
    const some = ["--testPathPatterns", "/(function|zone|built-in|node)[^/]*$"];
    const { code, said } = run("jest/bin/jest.js", "--config", JSON.stringify(ours), "-i", ...some);
    expect(said).toMatch(/^Tests: +9 passed, 9 total$/m);
    expect(code).toBe(0);
  },
  LIMIT_MS,
);

async function must(args: readonly string[]): Promise<void> {
  const { code, err } = await project.run(args);
  if (code !== 0) throw new Error(`cannot run ${args.join(" ")}: ${err}`);
}

/** The packages that `npm install` would bring, and this one. */
async function link(): Promise<void> {
  await mkdir(join(project.dir, "node_modules"));
  await symlink(ROOT, join(project.dir, "node_modules/tidegate"));
  for (const name of ["zod", "@types", "@jest", "@swc", "oxlint", "aws-cdk-lib", "constructs"]) {
    await symlink(join(ROOT, "node_modules", name), join(project.dir, "node_modules", name));
  }
}

function run(script: string, ...args: readonly string[]): { code: number | null; said: string } {
  const flags = ["--disable-warning=ExperimentalWarning", "--experimental-vm-modules"];
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [...flags, join(ROOT, "node_modules", script), ...args],
    { cwd: project.dir, encoding: "utf8" },
  );
  if (error) throw error;
  return { code: status, said: stdout + stderr };
}
