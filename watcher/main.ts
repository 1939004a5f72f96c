// The watcher program: node watcher/main.ts CONTROLLER_FILE...
import { randomUUID } from "node:crypto";
import { systemClock } from "../shared/clock.ts";
import { createLogger } from "../shared/telemetry/log.ts";
import { readEnvironment } from "./environment.ts";
import { loadControllers } from "./load-controllers.ts";
import { runProgram } from "./program.ts";

/** Above the time that giving the lease back may take. A pod has 30 s, `docker stop` 10 s. */
const STOP_MS = 2_000;

const log = createLogger({
  write: (line) => process.stdout.write(`${line}\n`),
  nowMs: systemClock.nowMs,
});

const stopping = new AbortController();
const stop = (why: string) => {
  if (stopping.signal.aborted) return;
  log.info("watcher stops", { why });
  stopping.abort();
  // Whatever still hangs then: the lease expires by itself.
  setTimeout(() => process.exit(1), STOP_MS).unref();
};
process.on("SIGTERM", () => stop("SIGTERM")).on("SIGINT", () => stop("SIGINT"));
// Who started us with a channel is gone, even by kill -9.
process.on("disconnect", () => stop("parent process ended"));

try {
  const environment = readEnvironment(process.env);
  const controllers = await loadControllers(process.argv.slice(2));
  await runProgram(
    {
      environment,
      controllers,
      log,
      random: () => Math.random(),
      newId: () => randomUUID(),
      exit: () => process.exit(1),
    },
    stopping.signal,
  );
  log.info("watcher stopped");
  process.exit(0);
} catch (error) {
  log.error("watcher ended", { error: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
