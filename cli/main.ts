import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { stopSignal } from "../local/stop-signal.ts";
import { systemClock } from "../shared/clock.ts";
import { runProgram } from "./program.ts";

const stopping = stopSignal({
  signals: process,
  outputs: [process.stdout, process.stderr],
  monotonicMs: systemClock.monotonicMs,
  exit: (code) => process.exit(code),
});

const code = await runProgram(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  out: process.stdout,
  err: process.stderr,
  clock: systemClock,
  newId: randomUUID,
  stopping,
  ...(process.stdin.isTTY && process.stderr.isTTY && { confirm }),
});
// Not by the exit code alone: a start that was broken off may still wait for something. The answer
// may be on its way to a pipe.
process.stdout.write("", () => process.exit(code));

/** Asked where failures are told, so that `> FILE` holds the answer alone. The end of input is a no. */
async function confirm(question: string): Promise<boolean> {
  // Not as a terminal: Ctrl-C is then a signal, as everywhere else.
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: false,
  });
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  try {
    const asked = lines.question(`${question} [y/N] `, { signal: stopping });
    return /^y(es)?$/i.test((await Promise.race([asked, ended])).trim());
  } finally {
    lines.close();
  }
}
