import { randomUUID } from "node:crypto";
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
});
// Not by the exit code alone: a start that was broken off may still wait for something. The answer
// may be on its way to a pipe.
process.stdout.write("", () => process.exit(code));
