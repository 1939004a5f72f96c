import { loggerOf } from "../telemetry/logger-of.ts";
import { startMemoryCluster } from "./memory-cluster.ts";
import { realClock, type TestClock } from "./test-clock.ts";
import { connectCluster, type TestCluster } from "./test-cluster.ts";
import { VirtualClock } from "./virtual-clock.ts";
import { WriteJournal } from "./write-journal.ts";

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: object;
}

/** What an environment stands on. */
export interface Stage {
  readonly clock: TestClock;
  readonly cluster: TestCluster;
  readonly journal: WriteJournal;
  /** What the cluster says. */
  readonly log: readonly LogLine[];
}

/** A cluster in memory, on a virtual clock. */
export function memoryStage(): Stage {
  const clock = new VirtualClock();
  const journal = new WriteJournal();
  const { log, lines } = recordedLog();
  const cluster = startMemoryCluster({
    clock,
    log,
    observed: (transport) => journal.over(transport, "the cluster"),
  });
  return { clock, journal, cluster, log: lines };
}

/** The cluster that a kubeconfig names, on the machine's clock. */
export async function realStage(file: string): Promise<Stage> {
  const { log, lines } = recordedLog();
  const cluster = await connectCluster(file, log);
  return { clock: realClock, journal: new WriteJournal(), cluster, log: lines };
}

function recordedLog() {
  const lines: LogLine[] = [];
  const log = loggerOf((level, message, fields) => void lines.push({ level, message, fields }));
  return { lines, log };
}
