import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type BenchStage, openStage } from "./bench-stage.ts";
import { benchTable, type PartResult } from "./bench-table.ts";
import { bundlePart } from "./bundle-part.ts";
import { digestBurstPart, embeddedBurstPart, websiteBurstPart } from "./burst-part.ts";
import { latencyPart } from "./latency-part.ts";
import { restartPart } from "./restart-part.ts";
import { serverPart } from "./server-part.ts";
import { startPart } from "./start-part.ts";
import { watcherPart } from "./watcher-part.ts";

const PARTS: Readonly<Record<string, (stage: BenchStage) => Promise<PartResult["rows"]>>> = {
  bundle: bundlePart,
  watcher: watcherPart,
  start: startPart,
  server: serverPart,
  "burst-embedded": embeddedBurstPart, // Before the real cluster runs beside it.
  latency: latencyPart,
  burst: digestBurstPart,
  restart: restartPart,
  website: websiteBurstPart,
};

/** What is not measured by then is told as FAILED. */
const LIMIT_MINUTES = 10;
/** So long may a part take to stop what it started. */
const STOP_MS = 15_000;

const HELP = `Measures Tidegate on this machine against a real kube-apiserver, and prints a table.

npm run bench -- [options]

  --only NAME    one part: ${Object.keys(PARTS).join(", ")} (may be repeated)
  --json FILE    writes the results there, too
  --scale SHARE  multiplies all sizes, such as 0.1, to try something out; targets are for 1
  --help

Takes some minutes, ${LIMIT_MINUTES} at most. A target that is missed is said in the table, and the exit code is 0 all the
same; it is 1 where a part could not be measured. The first run builds kube-apiserver.
`;

const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => interrupted.abort(new Error("interrupted")));
}

try {
  await main();
} catch (error) {
  // The top of a program: people get the one line that matters, without a stack.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      json: { type: "string" },
      scale: { type: "string", default: "1" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const names = partNames(values.only);
  const scale = scaleOf(values.scale);
  const startedMs = performance.now();
  const results = await measured(names, scale);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const machine = `${machineText()}; scale ${scale}; took ${seconds} s`;
  if (values.json !== undefined) {
    const date = new Date().toISOString();
    const content = { date, machine, cores: availableParallelism(), scale, seconds, results };
    await writeFile(values.json, `${JSON.stringify(content, null, 2)}\n`);
  }
  console.log(benchTable(results, machine));
  if (results.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
}

/** Measures part by part; one that fails leaves the others alone. */
async function measured(names: readonly string[], scale: number): Promise<PartResult[]> {
  const late = new AbortController();
  const told = new Error(`not measured: the ${LIMIT_MINUTES} minutes for all parts were over`);
  const timer = setTimeout(() => late.abort(told), LIMIT_MINUTES * 60_000);
  const signal = AbortSignal.any([interrupted.signal, late.signal]);
  const startedMs = performance.now();
  let part = "";
  const progress = (line: string) => {
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0).padStart(4);
    console.error(`${seconds} s  ${part}: ${line}`);
  };
  const stage = await openStage({ signal, scale, progress });
  const results: PartResult[] = [];
  try {
    for (const name of names) {
      part = name;
      const result = await resultOf(name, stage);
      interrupted.signal.throwIfAborted();
      results.push(result);
    }
  } finally {
    clearTimeout(timer);
    await stage.close();
  }
  return results;
}

async function resultOf(part: string, stage: BenchStage): Promise<PartResult> {
  try {
    stage.signal.throwIfAborted();
    const rows = await Promise.race([PARTS[part]?.(stage), stuck(stage.signal)]);
    return { part, rows: rows ?? [] };
  } catch (caught) {
    // One of the tops: the other parts can still be measured, and the table says what is missing.
    const error: unknown = stage.signal.aborted ? stage.signal.reason : caught;
    const failure = error instanceof Error ? error.message : String(error);
    stage.progress(failure);
    return { part, rows: [], failure };
  }
}

/** Rejects some time after the signal: a part that waits for what never comes has not heard of it. */
function stuck(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => void setTimeout(() => reject(signal.reason as Error), STOP_MS).unref();
    signal.addEventListener("abort", end, { once: true });
  });
}

function partNames(only: readonly string[]): readonly string[] {
  const known = Object.keys(PARTS);
  const wrong = only.find((name) => !known.includes(name));
  if (wrong !== undefined) {
    throw new Error(`cannot measure "${wrong}": expected --only with one of ${known.join(", ")}`);
  }
  return only.length === 0 ? known : known.filter((name) => only.includes(name));
}

function scaleOf(text: string): number {
  const scale = Number(text);
  if (scale > 0 && scale <= 10) return scale;
  throw new Error(`cannot use --scale ${text}: expected a number above 0, at most 10`);
}

function machineText(): string {
  const [load = 0] = loadavg();
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const cores = availableParallelism();
  return `${cores} cores (${model}), load ${load.toFixed(1)}, Node ${process.versions.node}`;
}
