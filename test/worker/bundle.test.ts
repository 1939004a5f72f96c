import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { build, type Metafile } from "esbuild";
import { bundleFunction } from "../../cdk/bundle-function.ts";

const root = new URL("../..", import.meta.url).pathname;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidegate-bundle-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Bundled as functions are: the files by chunk, and what stands in them. */
async function bundle(text: string): Promise<Metafile> {
  return bundleFunction({
    entry: { text, resolveDir: root },
    outdir: await mkdtemp(join(folder, "out-")),
    workingDir: root,
    conditions: ["tidegate-source"],
  });
}

/** Without chunks: esbuild keeps those that nothing imports any more. */
async function bundledWhole(contents: string): Promise<Metafile> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["tidegate-source", "module"],
    outdir: folder,
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  return metafile;
}

/** Bytes that each input contributes to any chunk. */
function parts({ outputs }: Metafile): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      if (bytesInOutput > 0) sizes.set(path, (sizes.get(path) ?? 0) + bytesInOutput);
    }
  }
  return sizes;
}

/** What the entry loads before it does anything: itself and its static imports. */
function loadedAtOnce({ outputs }: Metafile): string[] {
  const entry = Object.keys(outputs).find((path) => path.endsWith("/index.mjs")) ?? "";
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") visit(next);
    }
  };
  visit(entry);
  const inputs = [...seen].flatMap((path) => Object.entries(outputs[path]?.inputs ?? {}));
  return inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
}

const handler = `
  import { reconcileHandler, defineController, Pod } from "tidegate";
  const controller = defineController({ name: "pods", for: Pod });
  export const handler = reconcileHandler(controller, { async reconcile() {} });
`;

/** Of packages, the SDK with what it needs and middy alone run in functions; of ours, what reconciles. */
const STRANGE =
  /node_modules\/(?!@aws(-sdk|-crypto)?\/|@smithy\/|tslib\/|mnemonist\/|obliterator\/|@middy\/)|^shared\/(crd|testing)\/|^(cli|local|watcher|cdk)\//;

test("the bundle of a function has no zod, schema code, client-node or command line, and is small", async () => {
  const sizes = parts(await bundle(handler));
  expect([...sizes.keys()].filter((path) => STRANGE.test(path))).toEqual([]);
  const own = [...sizes].filter(([path]) => path.startsWith("shared/"));
  const sum = (entries: readonly (readonly [string, number])[]) =>
    entries.reduce((total, [, bytes]) => total + bytes, 0);
  expect(sum(own)).toBeLessThan(100_000);
  expect(sum([...sizes])).toBeLessThan(350_000);
}, 30_000);

test("the schemas of a kind, and what makes its definition of them, stay out of the bundle", async () => {
  const entry = `export { handler } from "./functions/website/handler.ts";`;
  const paths = [...parts(await bundle(entry)).keys()];
  expect(paths).toContain("functions/website/resource.ts");
  expect(paths.filter((path) => /node_modules\/(zod|js-yaml)\/|shared\/crd\//.test(path))).toEqual(
    [],
  );
}, 30_000);

test("a handler loads the SDK, middy and the Kubernetes client apart, and a definition not at all", async () => {
  const atOnce = loadedAtOnce(await bundle(handler));
  expect(
    atOnce.filter((path) =>
      /node_modules\/(@aws-sdk|@smithy|@middy)\/|shared\/kube\/transport/.test(path),
    ),
  ).toEqual([]);
  const definition = `
    import { defineController, Pod } from "tidegate";
    export const controller = defineController({ name: "pods", for: Pod });
  `;
  const heavy = (path: string) => /^shared\/worker\/|node_modules/.test(path);
  expect(loadedAtOnce(await bundle(definition)).filter(heavy)).toEqual([]);
  expect([...parts(await bundledWhole(definition)).keys()].filter(heavy)).toEqual([]);
}, 30_000);

test.each([
  { text: `import "tidegate"; export const one = 1;`, files: ["<stdin>"] },
  { text: `import {} from "tidegate"; export const one = 1;`, files: ["<stdin>"] },
  { text: `export { ConfigMap } from "tidegate";`, files: ["shared/api/kinds.ts"] },
  { text: `export { requireEnv } from "tidegate";`, files: ["shared/worker/require-env.ts"] },
  {
    text: `export { VirtualClock } from "tidegate/testing";`,
    files: ["shared/testing/virtual-clock.ts"],
  },
])(
  "a bundle has only what is used: $text",
  async ({ text, files }) => {
    expect(loadedAtOnce(await bundle(text))).toEqual(files);
  },
  30_000,
);
