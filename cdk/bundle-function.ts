import { build, type Metafile } from "esbuild";
import { leaveOut } from "./left-out-modules.ts";

export interface BundleOptions {
  /** The file whose exports are the function's, or its text and the folder that its imports start from. */
  readonly entry: string | { readonly text: string; readonly resolveDir: string };
  /** Gets the entry as `index.mjs`, and its chunks. Made if it is not there; nothing is removed from it. */
  readonly outdir: string;
  /** Paths in the answer count from here. Default: the working directory. */
  readonly workingDir?: string;
  /** Conditions of `exports` beside the usual ones. */
  readonly conditions?: readonly string[];
}

/**
 * Bundles a function for Lambda's Node 24: the folder `outdir` is all that it needs, the SDK included.
 * Resolves to what went where. Rejects, after esbuild has printed where, when something cannot be found.
 *
 * Modules that are imported when they are needed stay in chunks of their own, which is a third of the
 * time to load. What the SDK never reaches inside Lambda is left out (see `leaveOut`).
 */
export async function bundleFunction(options: BundleOptions): Promise<Metafile> {
  const { entry, outdir, workingDir = process.cwd(), conditions = [] } = options;
  const { metafile } = await build({
    ...(typeof entry === "string"
      ? { entryPoints: { index: entry } }
      : { stdin: { contents: entry.text, resolveDir: entry.resolveDir, loader: "ts" } }),
    entryNames: "index",
    absWorkingDir: workingDir,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    splitting: true,
    minify: true,
    platform: "node", // Node's own modules stay imports.
    target: "node24",
    // The SDK's package has both; esbuild's default for Node is CommonJS, half as large again.
    mainFields: ["module", "main"],
    // esbuild leaves its "module" out as soon as others are named. https://esbuild.github.io/api/#conditions
    conditions: [...conditions, "module"],
    // CommonJS packages of the function may require Node's modules.
    banner: { js: REQUIRE },
    plugins: [leaveOut],
    metafile: true,
    logLevel: "error",
  });
  return metafile;
}

const REQUIRE = `import{createRequire as tidegateRequire}from"node:module";const require=tidegateRequire(import.meta.url);`;
