import { kubeWatch } from "../../local/kube-apiserver/kube-request.ts";
import { systemClock } from "../../shared/clock.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { type BenchCluster, benchCluster } from "./bench-cluster.ts";
import { atMost, type BenchRow, shown } from "./bench-row.ts";
import type { BenchStage } from "./bench-stage.ts";
import { type ConfigMaps, createConfigMaps } from "./config-maps.ts";
import type { DevProgram } from "./dev-program.ts";
import { send } from "./kube-load.ts";
import { median, quantile } from "./statistics.ts";
import { superfluous, type TappedRun } from "./tapped-run.ts";

const OBJECTS = 200;
const CHANGES_PER_SECOND = 20;
const SECONDS = 20;

interface Write {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly resourceVersion: string;
}

/** From the answer to a write, to the start of the run that it leads to. */
export async function latencyPart(stage: BenchStage): Promise<BenchRow[]> {
  const cluster = await benchCluster(stage);
  const program = await cluster.start();
  const objects = {
    namespace: "latency",
    count: Math.round(OBJECTS * Math.min(1, stage.scale * 5)),
  };
  try {
    await createConfigMaps(cluster.transport, objects);
    await settled(program, objects.count, stage);
    const before = program.runs.length;
    const { writes, watchMs } = await changes(cluster, objects, stage);
    await program.until("to be quiet", 30_000, () => program.quietMs > 2_000);
    return rowsOf(writes, program.runs.slice(before), watchMs);
  } finally {
    await program.stop();
  }
}

async function settled(program: DevProgram, count: number, { progress }: BenchStage) {
  progress(`waiting for ${count} first runs`);
  await program.until(`to run ${count} objects`, 60_000, () => program.runs.length >= count);
  await program.until("to be quiet", 60_000, () => program.quietMs > 2_000);
}

/** Writes at an even pace, whatever the answers take, with a bare watch beside it. */
async function changes({ kube, transport }: BenchCluster, objects: ConfigMaps, stage: BenchStage) {
  const { signal, scale, progress } = stage;
  const ended = new AbortController();
  const seen = new Map<string, number>();
  const watching = bareWatch(
    kube,
    objects.namespace,
    AbortSignal.any([ended.signal, signal]),
    seen,
  );
  const count = Math.round(CHANGES_PER_SECOND * SECONDS * Math.min(1, scale * 2));
  const startedMs = performance.now();
  const writes: Promise<Write>[] = [];
  for (let change = 0; change < count; change += 1) {
    signal.throwIfAborted();
    const atMs = startedMs + (change * 1_000) / CHANGES_PER_SECOND;
    await systemClock.sleep(atMs - performance.now(), signal);
    if (change % 100 === 0) progress(`change ${change} of ${count}`);
    const write = touch(transport, objects, change);
    write.catch(() => {}); // Told when all are awaited.
    writes.push(write);
  }
  const all = await Promise.all(writes);
  await systemClock.sleep(500, signal);
  ended.abort();
  await watching;
  const watchMs = all.flatMap(({ resourceVersion, answeredAt }) => {
    const seenAt = seen.get(resourceVersion);
    return seenAt === undefined ? [] : [Math.max(0, seenAt - answeredAt)];
  });
  return { writes: all, watchMs };
}

async function touch(transport: Transport, objects: ConfigMaps, change: number): Promise<Write> {
  const { namespace, count } = objects;
  const name = `config-${change % count}`;
  const sentAt = Date.now();
  const answer = await send(transport, {
    method: "PATCH",
    path: `/api/v1/namespaces/${namespace}/configmaps/${name}`,
    contentType: "application/merge-patch+json",
    body: { data: { colour: `blue ${change}` } },
  });
  const { metadata } = answer as { metadata: { resourceVersion: string } };
  return { name, sentAt, answeredAt: Date.now(), resourceVersion: metadata.resourceVersion };
}

/** The floor below which nothing that watches can get: when the event of a change arrives. */
async function bareWatch(
  kube: BenchCluster["kube"],
  namespace: string,
  signal: AbortSignal,
  seen: Map<string, number>,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps?watch=1`;
  try {
    for await (const line of kubeWatch(kube, { path, signal })) {
      const { metadata } = (line as { object: { metadata: { resourceVersion: string } } }).object;
      seen.set(metadata.resourceVersion, Date.now());
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function rowsOf(
  writes: readonly Write[],
  runs: readonly TappedRun[],
  watchMs: readonly number[],
): BenchRow[] {
  const runsOf = Map.groupBy(runs, ({ name }) => name);
  const pairs = writes.map((write) => ({
    write,
    run: runsOf.get(write.name)?.find(({ startedAt }) => startedAt >= write.sentAt),
  }));
  const found = pairs.flatMap(({ write, run }) => (run ? [{ write, run }] : []));
  const lost = pairs.length - found.length;
  const startMs = found.map(({ write, run }) => Math.max(0, run.startedAt - write.answeredAt));
  const lockedMs = found.map(({ write, run }) => Math.max(0, run.lockedAt - write.answeredAt));
  const p99 = { limit: 250, unit: "ms" };
  return [
    atMost("change to start of its run, median", median(startMs), { limit: 100, unit: "ms" }),
    atMost("change to start of its run, p99", quantile(startMs, 0.99), p99),
    atMost("changes without a run", lost, { limit: 0, unit: "" }),
    atMost("runs that saw nothing new", runs.filter(superfluous).length, { limit: 0, unit: "" }),
    shown("change to its start in the record, median", median(lockedMs), "ms"),
    shown("change to its start in the record, p99", quantile(lockedMs, 0.99), "ms"),
    shown("changes written", writes.length, ""),
    shown("runs", runs.length, ""),
    shown("baseline: change to a bare watch, median", median(watchMs), "ms"),
    shown("baseline: change to a bare watch, p99", quantile(watchMs, 0.99), "ms"),
  ];
}
