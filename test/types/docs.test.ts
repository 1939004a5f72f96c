import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";

const ROOT = join(import.meta.dirname, "../..");

interface Block {
  /** "docs/writing-controllers.md:12" */
  readonly at: string;
  /** From the comment in its first line. */
  readonly path: string | undefined;
  readonly text: string;
}

/** The documents show parts of files; these are the imports that they leave out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "functions/website/controller.ts": `
    import { changed, ConfigMap, defineController, Deployment, generationChanged, own, Service, watch } from "tidegate";
    import { Website } from "./resource.ts";`,
  ...Object.fromEntries(
    ["time", "failures", "zone", "children"].map((part) => [
      `functions/website/${part}.test.ts`,
      `
    import { test } from "@jest/globals";
    import { ConfigMap, Deployment } from "tidegate";
    import { env, expect } from "./website.test.ts";
    import { websiteController } from "./controller.ts";
    import { Website } from "./resource.ts";`,
    ]),
  ),
  "functions/website/reconciler.ts": `
    import { Deployment, type Reconciler, type Result, readyCondition, Service, TerminalError } from "tidegate";
    import { deploymentFor, serviceFor } from "./children.ts";
    import type { websiteController } from "./controller.ts";
    import type { Dns } from "./dns.ts";
    import type { Website } from "./resource.ts";`,
};

test.each([
  { file: "README.md", beside: "functions/website", least: 2 },
  { file: "docs/writing-controllers.md", beside: undefined, least: 6 },
  { file: "docs/custom-resources.md", beside: undefined, least: 2 },
  { file: "docs/from-kubebuilder.md", beside: undefined, least: 3 },
  { file: "docs/permissions.md", beside: "functions/website", least: 2 },
  { file: "docs/testing.md", beside: "functions/website", least: 4 },
])(
  "all TypeScript in $file compiles",
  async ({ file, beside, least }) => {
    const blocks = blocksOf(file, await readFile(join(ROOT, file), "utf8"));
    const project = await mkdtemp(join(tmpdir(), "tidegate-docs-"));
    try {
      await makeProject(project);
      if (beside) await cp(join(ROOT, beside), join(project, beside), { recursive: true });
      for (const { at, path, text } of blocks) {
        if (!path) throw new Error(`cannot compile ${at}: expected "// functions/..." first`);
        await mkdir(dirname(join(project, path)), { recursive: true });
        await writeFile(join(project, path), `${(beside && LEFT_OUT[path]) ?? ""}\n${text}`);
      }
      expect(compile(project)).toBe("");
      expect(blocks.length).toBeGreaterThanOrEqual(least);
    } finally {
      await rm(project, { recursive: true });
    }
  },
  60_000,
);

function blocksOf(file: string, markdown: string): Block[] {
  return [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(({ 1: text = "", index }) => ({
    at: `${file}:${markdown.slice(0, index).split("\n").length}`,
    path: /^\/\/ (functions\/[-\w./]+\.ts)\b/.exec(text)?.[1],
    text,
  }));
}

/** A project as users have one, with this package and the packages that they install beside it. */
async function makeProject(dir: string): Promise<void> {
  await mkdir(join(dir, "node_modules"));
  await symlink(ROOT, join(dir, "node_modules/tidegate"));
  for (const name of ["zod", "@types", "@jest"]) {
    await symlink(join(ROOT, "node_modules", name), join(dir, "node_modules", name));
  }
  await writeFile(join(dir, "package.json"), '{ "type": "module" }');
  const compilerOptions = { incremental: false, tsBuildInfoFile: null, pretty: false };
  const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: ["functions"] };
  await writeFile(join(dir, "tsconfig.json"), JSON.stringify(config));
}

/** What the compiler says. */
function compile(project: string): string {
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", project],
    { cwd: project, encoding: "utf8" },
  );
  if (error) throw error;
  return stdout + stderr;
}
