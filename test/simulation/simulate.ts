import { parseArgs } from "node:util";
import { DONTS, type Dont, type DontName } from "./donts.ts";
import { failureOf, reportOf } from "./report.ts";
import { scaleOf } from "./scales.ts";
import { shrink } from "./shrink.ts";
import { type SimulationResult, simulate } from "./simulation.ts";

const HELP = `Runs the real watcher, worker and client code on a virtual clock, with faults drawn per seed.

npm run simulate -- [options]
SEED=n npm run simulate     the simulation of one seed, exactly as it was

  --seeds N      so many seeds (default: 60)
  --minutes N    instead: new seeds for so many minutes
  --from N       the first seed (default: 1; with --minutes: one that depends on the time)
  --dont NAME    breaks a rule of the protocol, which has to be found (--dont list names them)
  --trace        each event of each simulation
  --help

Ends with 1 at the first seed that violates anything, and prints the fewest acts that still do.
`;

/** What finding the fewest acts may take. */
const SHRINK_MS = 120_000;
const WHATEVER = 1_000_000_000;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "60" },
    minutes: { type: "string" },
    from: { type: "string" },
    dont: { type: "string" },
    trace: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(HELP);
else if (values.dont === "list") console.log(Object.keys(DONTS).join("\n"));
else process.exitCode = (await search()) ? 0 : 1;

/** Whether nothing was violated. */
async function search(): Promise<boolean> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  const results: SimulationResult[] = [];
  for (const seed of seeds(seconds)) {
    const result = await simulate(optionsOf(seed));
    results.push(result);
    process.stderr.write(`\rseed ${seed}, ${results.length} searched `);
    if (result.violations.length > 0) break;
  }
  process.stderr.write("\n");
  for (const line of reportOf(results, seconds())) console.log(line);
  const failed = results.find(({ violations }) => violations.length > 0);
  if (failed) await tell(failed);
  return failed === undefined;
}

function* seeds(seconds: () => number): Generator<number> {
  const { SEED } = process.env;
  if (SEED) return yield whole("SEED", SEED);
  if (values.minutes === undefined) {
    const from = whole("--from", values.from ?? "1");
    const count = whole("--seeds", values.seeds);
    for (let seed = from; seed < from + count; seed += 1) yield seed;
    return;
  }
  const minutes = whole("--minutes", values.minutes);
  const from = values.from ? whole("--from", values.from) : 1 + (Date.now() % WHATEVER);
  for (let seed = from; seconds() < 60 * minutes; seed += 1) yield seed;
}

/** Tells the fewest acts, and how to see it again. */
async function tell(failed: SimulationResult): Promise<void> {
  const endMs = performance.now() + SHRINK_MS;
  const options = { ...optionsOf(failed.seed), listener: undefined };
  const enough = () => performance.now() > endMs;
  const progress = (count: number) =>
    process.stderr.write(`\rleaving out acts: ${count} are left `);
  const least = await shrink({ ...options, enough, progress }, failed);
  process.stderr.write("\n");
  for (const line of failureOf(least)) console.log(line);
  const broken = values.dont === undefined ? "" : ` -- --dont "${values.dont}"`;
  console.log(`SEED=${failed.seed} npm run simulate${broken} plays it again`);
}

function optionsOf(seed: number) {
  const { dont: name, trace } = values;
  if (name !== undefined && !(name in DONTS)) {
    throw new Error(`cannot break "${name}": expected one that --dont list names`);
  }
  const dont: Dont | undefined = name === undefined ? undefined : DONTS[name as DontName];
  const listener = trace ? (line: string) => process.stdout.write(line) : undefined;
  return { seed, scale: { ...scaleOf(seed), ...dont?.scale }, dont, listener };
}

function whole(what: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`cannot use ${what} ${text}: expected a number from 1 on`);
}
