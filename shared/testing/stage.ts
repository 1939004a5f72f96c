import type { Transport } from "../kube/wire.ts";
import { loggerOf } from "../telemetry/logger-of.ts";
import { startMemoryCluster } from "./memory-cluster.ts";
import { connectCluster } from "./own-cluster.ts";
import { startServerCluster } from "./server-cluster.ts";
import { realClock, type TestClock } from "./test-clock.ts";
import type { TestCluster } from "./test-cluster.ts";
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
  /** Milliseconds without any act after which all has happened. */
  readonly restMs: number;
  /** What the cluster says. */
  readonly log: readonly LogLine[];
}

/** Of virtual time: above the linger of changes, the acknowledgements of a batch, and the time a pod takes to be ready. */
const VIRTUAL_REST_MS = 300;
/** Of real time. Less than the first backoff, which stays in the future. */
const REAL_REST_MS = 500;

/**
 * The cluster that the environment asks for: the one that TIDEGATE_KUBECONFIG names, one of the
 * programs in KUBEBUILDER_ASSETS, or else one in memory.
 */
export async function stageOf(env: NodeJS.ProcessEnv): Promise<Stage> {
  const { TIDEGATE_KUBECONFIG: file, KUBEBUILDER_ASSETS: assets } = env;
  const journal = new WriteJournal();
  const { log, lines } = recordedLog();
  const common = { journal, log: lines, restMs: VIRTUAL_REST_MS };
  const observed = (transport: Transport) => journal.over(transport, "the cluster");
  if (file) {
    const cluster = await connectCluster(file, log);
    return { ...common, clock: realClock, cluster, restMs: REAL_REST_MS };
  }
  if (assets) {
    const cluster = await startServerCluster({ assets, log, observed });
    return { ...common, clock: cluster.clock, cluster };
  }
  const clock = new VirtualClock();
  return { ...common, clock, cluster: startMemoryCluster({ clock, log, observed }) };
}

function recordedLog() {
  const lines: LogLine[] = [];
  const log = loggerOf((level, message, fields) => void lines.push({ level, message, fields }));
  return { lines, log };
}
