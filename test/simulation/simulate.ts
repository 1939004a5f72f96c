import { parseArgs } from "node:util";
import { actText } from "./act.ts";
import { SMALL } from "./scales.ts";
import { type SimulationResult, simulate } from "./simulation.ts";

const HELP = `Runs the real watcher, worker and client code on a virtual clock, with faults drawn per seed.

npm run simulate -- [options]
SEED=n npm run simulate     the simulation of one seed, exactly as it was

  --seeds N      so many seeds (default: 20)
  --minutes N    seeds for so many real minutes instead
  --from N       the first seed (default: 1)
  --help

Ends with 1 where something was violated, and tells the seed and what the outside did.
`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    minutes: { type: "string" },
    from: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = (await search()) ? 0 : 1;

/** Whether no seed was at fault. */
async function search(): Promise<boolean> {
  const startedMs = performance.now();
  const one = process.env.SEED;
  const from = whole("SEED", one ?? values.from);
  const count = one ? 1 : whole("--seeds", values.seeds);
  const endMs = values.minutes && startedMs + 60_000 * whole("--minutes", values.minutes);
  const results: SimulationResult[] = [];
  for (let seed = from; endMs ? performance.now() < endMs : seed < from + count; seed += 1) {
    results.push(await simulate({ seed, scale: SMALL }));
    process.stderr.write(`\r${results.length} seeds`);
    if (results.at(-1)?.violations.length) break;
  }
  process.stderr.write("\n");
  report(results, (performance.now() - startedMs) / 1_000);
  return results.every(({ violations }) => violations.length === 0);
}

function report(results: readonly SimulationResult[], seconds: number): void {
  const sum = (of: (result: SimulationResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const events = sum((result) => result.events);
  console.log(
    `seeds ${results.length}, virtual hours ${(sum((result) => result.virtualMs) / 3_600_000).toFixed(1)}`,
  );
  console.log(
    `events ${events} (${Math.round(events / seconds)}/s), runs ${sum((result) => result.runs)}, changes ${sum((result) => result.changes)}`,
  );
  for (const { seed, violations, plan } of results.filter((each) => each.violations.length > 0)) {
    console.log(`violated in seed ${seed}; SEED=${seed} npm run simulate plays it again`);
    for (const { atMs, checker, text } of violations.slice(0, 10))
      console.log(`  ${(atMs / 1_000).toFixed(3)} s  ${checker}: ${text}`);
    for (const act of plan) console.log(`  ${actText(act)}`);
  }
}

function whole(what: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`cannot use ${what} ${text}: expected a number from 1 on`);
}
