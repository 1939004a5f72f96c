import { systemClock } from "../../shared/clock.ts";
import { type BenchCluster, benchCluster } from "./bench-cluster.ts";
import { type BenchRow, exactly, shown } from "./bench-row.ts";
import type { BenchStage } from "./bench-stage.ts";
import { createConfigMaps } from "./config-maps.ts";
import { sendAll } from "./kube-load.ts";
import { type TappedRun, unlessTimer } from "./tapped-run.ts";

const OBJECTS = 2_000;
const DELETED = 10;
const NAMESPACE = "restart";
/** After everything was looked through, so long for runs that should not come. */
const WATCHED_MS = 5_000;

/** What a stop and a start cost where nothing, or little, has changed meanwhile. */
export async function restartPart(stage: BenchStage): Promise<BenchRow[]> {
  const cluster = await benchCluster(stage);
  const count = Math.round(OBJECTS * stage.scale);
  await prepared(cluster, count, stage);
  const unchanged = await restarted(cluster, stage);
  await sendAll(cluster.transport, DELETED, (index) => ({
    method: "DELETE",
    path: `/api/v1/namespaces/${NAMESPACE}/configmaps/config-${index}.digest`,
  }));
  const repaired = await restarted(cluster, stage);
  return [
    exactly("runs after a restart, nothing changed", unchanged.runs.length, 0, ""),
    exactly("runs after a restart, 10 children deleted", repaired.runs.length, DELETED, ""),
    shown("objects", count, ""),
    shown("start until all was looked through", unchanged.seconds, "s", 1),
  ];
}

async function prepared({ transport, start }: BenchCluster, count: number, stage: BenchStage) {
  const program = await start();
  try {
    stage.progress(`creating ${count} ConfigMaps`);
    await createConfigMaps(transport, { namespace: NAMESPACE, count });
    const ran = () =>
      new Set(program.runs.map(({ namespace, name }) => namespace === NAMESPACE && name)).size;
    await program.until(`to run ${count} objects`, 120_000, () => ran() >= count);
    await program.until("to be quiet", 60_000, () => program.quietMs > 3_000);
  } finally {
    await program.stop();
  }
}

async function restarted({ start }: BenchCluster, { signal }: BenchStage) {
  const startedMs = performance.now();
  const program = await start();
  const seconds = (performance.now() - startedMs) / 1_000;
  try {
    await systemClock.sleep(WATCHED_MS, signal);
    await program.until("to be quiet", 60_000, () => program.quietMs > WATCHED_MS);
    const runs: TappedRun[] = program.runs.filter(unlessTimer);
    return { runs, seconds };
  } finally {
    await program.stop();
  }
}
