import { parseArgs } from "node:util";
import { explore } from "./explore.ts";
import { protocol } from "./protocol.ts";
import type { Rules } from "./rules.ts";
import { LOSSES, SCENARIOS } from "./scenarios.ts";

/** Enough for every scenario but the last. */
const MOST_STATES = 1_500_000;

const HELP = `Explores every interleaving of the queue protocol for one key.

npm run model -- [options]

  --small            the bound of npm test: seconds instead of minutes
  --only TEXT        scenarios whose name contains it
  --losses           instead: shows how each thing that the protocol forbids loses a change
  --max-states N     leave a scenario after so many states (default: ${MOST_STATES})
  --help

Ends with 1 where a scenario is at fault, and prints the shortest way to the fault.
`;

const { values } = parseArgs({
  options: {
    small: { type: "boolean", default: false },
    losses: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    "max-states": { type: "string", default: String(MOST_STATES) },
    help: { type: "boolean", default: false },
  },
});
const maxStates = Number(values["max-states"]);
if (!(Number.isInteger(maxStates) && maxStates > 0)) {
  throw new Error(`cannot use --max-states ${values["max-states"]}: expected a number from 1 on`);
}
if (values.help) console.log(HELP);
else process.exitCode = run(chosen()) ? 0 : 1;

function chosen(): readonly Rules[] {
  const all = values.losses
    ? LOSSES
    : SCENARIOS.map(({ small, full }) => (values.small ? small : full));
  const named = all.filter(({ name }) => name.includes(values.only));
  if (named.length > 0) return named;
  const names = all.map(({ name }) => name).join(", ");
  throw new Error(`cannot explore --only ${values.only}: expected a part of one of: ${names}`);
}

/** Whether all went as it should: faults where something forbidden is done, none elsewhere. */
function run(scenarios: readonly Rules[]): boolean {
  let states = 0;
  let good = true;
  const startedMs = performance.now();
  for (const rules of scenarios) {
    const result = explore(protocol(rules), {
      maxStates,
      progress: (count) => showProgress(`${rules.name}: ${count} states`),
    });
    showProgress("");
    states += result.states;
    const faulty = result.fault !== undefined;
    good &&= faulty === (rules.dont !== undefined);
    const how = faulty
      ? result.fault.what
      : result.complete
        ? "no fault"
        : `no fault so far, not exhaustive: cut at ${result.states} states`;
    console.log(`${rules.name}: ${result.states} states, ${result.steps} steps: ${how}`);
    for (const [at, label] of (result.fault?.trace ?? []).entries())
      console.log(`  ${at + 1}. ${label}`);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const rate = Math.round(states / seconds);
  console.log(
    `${scenarios.length} scenarios, ${states} states in ${seconds.toFixed(1)} s, ${rate} states/s`,
  );
  return good;
}

/** In the line that the result then takes; nothing where nobody watches. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
