import { join } from "node:path";
import type { Metafile } from "esbuild";
import { bundleFunction } from "../../cdk/bundle-function.ts";
import { atMost, type BenchRow, exactly, shown } from "./bench-row.ts";
import type { BenchStage } from "./bench-stage.ts";
import { freshProcess } from "./fresh-process.ts";
import { median } from "./statistics.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Odd, so that the median is one of them. */
const IMPORTS = 15;

/** What the worker needs of the SDK, and nothing around it. */
const BARE_SDK = `
  import {
    BatchGetItemCommand, DynamoDBClient, GetItemCommand, QueryCommand, UpdateItemCommand,
  } from "@aws-sdk/client-dynamodb";
  import {
    ChangeMessageVisibilityBatchCommand, DeleteMessageBatchCommand, SendMessageBatchCommand, SQSClient,
  } from "@aws-sdk/client-sqs";
  export const clients = () => [new DynamoDBClient(), new SQSClient()];
  export const commands = [
    BatchGetItemCommand, GetItemCommand, QueryCommand, UpdateItemCommand,
    ChangeMessageVisibilityBatchCommand, DeleteMessageBatchCommand, SendMessageBatchCommand,
  ];
`;

/** Size of the website function's bundle, and how long a new process takes to load it. */
export async function bundlePart({ folder, signal, progress }: BenchStage): Promise<BenchRow[]> {
  const website = await bundle(
    join(ROOT, "functions/website/handler.ts"),
    join(folder, "website-bundle"),
  );
  const bare = await bundle({ text: BARE_SDK, resolveDir: ROOT }, join(folder, "sdk-bundle"));
  const costs = { website: [] as ImportCost[], bare: [] as ImportCost[] };
  for (let round = 0; round <= IMPORTS; round += 1) {
    progress(`import ${round} of ${IMPORTS}`);
    const ofWebsite = await importCost(website.modules, signal);
    const ofBare = await importCost(bare.modules, signal);
    if (round === 0) continue; // Brings the files into the page cache.
    costs.website.push(ofWebsite);
    costs.bare.push(ofBare);
  }
  const wall = (of: readonly ImportCost[]) => median(of.map(({ wallMs }) => wallMs));
  const cpu = (of: readonly ImportCost[]) => median(of.map(({ cpuMs }) => cpuMs));
  const [websiteMs, bareMs] = [wall(costs.website), wall(costs.bare)];
  const limit = { limit: 1.3, unit: "x", digits: 2 };
  return [
    atMost("website bundle, all chunks", website.bytes / 1_000, { limit: 400, unit: "kB" }),
    shown("of it loaded before the first request", website.loadedBytes / 1_000, "kB"),
    shown("baseline: bundle of the bare SDK clients, all chunks", bare.bytes / 1_000, "kB"),
    exactly("files of zod in the website bundle", website.zodCount, 0, ""),
    shown("import of the website bundle, median", websiteMs, "ms", 1),
    shown("baseline: import of the bare SDK clients, median", bareMs, "ms", 1),
    atMost("import, website to bare SDK clients", websiteMs / bareMs, limit),
    shown("the same by CPU time", cpu(costs.website) / cpu(costs.bare), "x", 2),
  ];
}

interface Bundle {
  readonly bytes: number;
  readonly loadedBytes: number;
  readonly zodCount: number;
  /** To be imported one after the other; then everything that a first request needs is there. */
  readonly modules: readonly string[];
}

/** As functions are bundled to be deployed, from our sources. */
async function bundle(entry: Entry, outdir: string): Promise<Bundle> {
  const conditions = ["tidegate-source"];
  return described(await bundleFunction({ entry, outdir, workingDir: ROOT, conditions }));
}

type Entry = Parameters<typeof bundleFunction>[0]["entry"];

function described(metafile: Metafile): Bundle {
  const { outputs } = metafile;
  const paths = Object.keys(outputs);
  // A function begins to load this one while its handler loads, and cannot answer without it.
  const heavy = /lambda-handler\.ts$/;
  const modules = [
    ...paths.filter((path) => /[\\/]index\.mjs$/.test(path)),
    ...paths.filter((path) => heavy.test(outputs[path]?.entryPoint ?? "")),
  ];
  const loaded = new Set<string>();
  for (const path of modules) visit(outputs, path, loaded);
  const bytesOf = (paths: Iterable<string>) =>
    [...paths].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
  const included = Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0),
  );
  return {
    bytes: bytesOf(Object.keys(outputs)),
    loadedBytes: bytesOf(loaded),
    zodCount: included.filter((path) => path.includes("node_modules/zod/")).length,
    modules: modules.map((path) => join(ROOT, path)),
  };
}

/** Static imports only. */
function visit(outputs: Metafile["outputs"], path: string, seen: Set<string>): void {
  if (seen.has(path)) return;
  seen.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === "import-statement" && next in outputs) visit(outputs, next, seen);
  }
}

interface ImportCost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function importCost(modules: readonly string[], signal: AbortSignal): Promise<ImportCost> {
  const program = join(import.meta.dirname, "import-program.ts");
  const env = { ZONE: "example.com", ZONE_FILE: "zone.json", NODE_COMPILE_CACHE: "" };
  return freshProcess<ImportCost>(program, modules, { env, signal });
}
