import type { Transport } from "../../shared/kube/wire.ts";
import { benchCluster } from "./bench-cluster.ts";
import { atLeast, atMost, type BenchRow, exactly, shown } from "./bench-row.ts";
import type { BenchStage } from "./bench-stage.ts";
import { createConfigMaps } from "./config-maps.ts";
import { cpuBetween, cpuTimes } from "./cpu-time.ts";
import type { DevProgram } from "./dev-program.ts";
import { embeddedProgram } from "./embedded-program.ts";
import { createNamespace, send, sendAll } from "./kube-load.ts";
import { runLoadBalancer } from "./load-balancer.ts";
import { superfluous, type TappedRun, unlessTimer } from "./tapped-run.ts";

const OBJECTS = 2_000;
/** After the last run that no timer asked for, all is taken to be done. */
const QUIET_MS = 4_000;
/** After so long without any, nothing more is expected: what is missing is shown. */
const STALLED_MS = 30_000;
const LIMIT_MS = 180_000;
const SITES = "sites";

/** Many ConfigMaps at once, on a real API server. */
export async function digestBurstPart(stage: BenchStage): Promise<BenchRow[]> {
  const { transport, start } = await benchCluster(stage);
  return digestBurst(stage, { transport, program: await start() });
}

/** The same on the embedded cluster. */
export async function embeddedBurstPart(stage: BenchStage): Promise<BenchRow[]> {
  return digestBurst(stage, await embeddedProgram(stage));
}

async function digestBurst(
  stage: BenchStage,
  { program, transport }: { readonly program: DevProgram; readonly transport: Transport },
): Promise<BenchRow[]> {
  const count = Math.round(OBJECTS * stage.scale);
  try {
    stage.progress(`creating ${count} ConfigMaps`);
    const before = await cpuTimes();
    const createMs = await timed(() => createConfigMaps(transport, { namespace: "burst", count }));
    const runs = await done({ program, count, stage, controller: "config-digest" });
    const cpu = cpuBetween(before, await cpuTimes());
    return [
      atLeast("config-digest: reconciles a second", rateOf(runs), { limit: 150, unit: "/s" }),
      ...countRows("config-digest", { runs, count, most: 1.05 }),
      shown("config-digest: time to create all", createMs / 1_000, "s", 1),
      shown("config-digest: lines of level warn or error", program.warningCount, ""),
      ...cpuRows("config-digest", runs.length, cpu),
    ];
  } finally {
    await program.stop();
  }
}

/** Many Websites at once. Their Deployments become available and their Services get an address meanwhile. */
export async function websiteBurstPart(stage: BenchStage): Promise<BenchRow[]> {
  const { kube, transport, start } = await benchCluster(stage);
  const count = Math.round(OBJECTS * stage.scale);
  const program = await start();
  const over = new AbortController();
  try {
    await createNamespace(transport, SITES);
    const signal = AbortSignal.any([over.signal, stage.signal]);
    const balancing = runLoadBalancer(kube, { transport, namespace: SITES, signal });
    stage.progress(`creating ${count} Websites`);
    const before = await cpuTimes();
    const createMs = await timed(() => createWebsites(transport, count));
    const work = done({ program, count, stage, controller: "website" });
    const runs = await Promise.race([work, balancing.then(() => work)]);
    const cpu = cpuBetween(before, await cpuTimes());
    const unready = await unreadyCount(transport, count);
    return [
      ...countRows("website", { runs, count, most: 2.1 }),
      exactly("website: not ready at the end", unready, 0, ""),
      shown("website: reconciles a second", rateOf(runs), "/s"),
      shown("website: time to create all", createMs / 1_000, "s", 1),
      shown("website: lines of level warn or error", program.warningCount, ""),
      ...cpuRows("website", runs.length, cpu),
    ];
  } finally {
    over.abort();
    await program.stop();
  }
}

/** The runs of that controller since the start of the program, once nothing but timers goes on. */
async function done(options: {
  program: DevProgram;
  count: number;
  stage: BenchStage;
  controller: string;
}): Promise<TappedRun[]> {
  const { program, count, stage, controller } = options;
  const names = new Set<string>();
  let at = 0;
  let told = 0;
  const all = () => {
    for (; at < program.runs.length; at += 1) {
      const run = program.runs[at];
      if (run?.controller === controller) names.add(run.name);
    }
    if (program.runs.length - told > 1_000) {
      told = program.runs.length;
      stage.progress(`${names.size} of ${count} objects had a run; ${told} runs`);
    }
    return program.quietMs > (names.size < count ? STALLED_MS : QUIET_MS);
  };
  await program.until(`to run ${count} objects`, LIMIT_MS, all);
  return program.runs.filter((run) => run.controller === controller);
}

function countRows(
  what: string,
  { runs, count, most }: { runs: readonly TappedRun[]; count: number; most: number },
): BenchRow[] {
  const asked = runs.filter(unlessTimer);
  const untold = count - new Set(runs.map(({ name }) => name)).size;
  const failed = runs.filter(({ outcome }) => !["success", "requeue_after"].includes(outcome));
  return [
    atMost(`${what}: runs an object`, asked.length / count, { limit: most, unit: "", digits: 3 }),
    exactly(`${what}: objects of which no run was told`, untold, 0, ""),
    exactly(`${what}: runs that saw nothing new`, asked.filter(superfluous).length, 0, ""),
    shown(`${what}: runs by timer, beside those`, runs.length - asked.length, ""),
    shown(`${what}: runs that did not end well`, failed.length, ""),
  ];
}

/** CPU of each role for one run, the four seconds of quiet after the last one included. */
function cpuRows(
  what: string,
  runs: number,
  cpu: readonly (readonly [string, number])[],
): BenchRow[] {
  const total = cpu.reduce((sum, [, ms]) => sum + ms, 0);
  return [["all processes", total] as const, ...cpu].map(([role, ms]) =>
    shown(`${what}: CPU a reconcile, ${role}`, ms / Math.max(1, runs), "ms", 2),
  );
}

function rateOf(runs: readonly TappedRun[]): number {
  const asked = runs.filter(unlessTimer);
  const first = Math.min(...asked.map(({ startedAt }) => startedAt));
  const last = Math.max(...asked.map(({ finishedAt }) => finishedAt));
  return (asked.length * 1_000) / Math.max(1, last - first);
}

async function createWebsites(transport: Transport, count: number): Promise<void> {
  await sendAll(transport, count, (index) => ({
    method: "POST",
    path: `/apis/web.example.com/v1/namespaces/${SITES}/websites`,
    body: {
      apiVersion: "web.example.com/v1",
      kind: "Website",
      metadata: { name: `site-${index}` },
      spec: { host: `site-${index}.example.com`, image: "nginx:1.29", replicas: 1 },
    },
  }));
}

async function unreadyCount(transport: Transport, count: number): Promise<number> {
  const path = `/apis/web.example.com/v1/namespaces/${SITES}/websites`;
  const { items } = (await send(transport, { method: "GET", path })) as {
    items: readonly { readonly status?: { readonly conditions?: readonly Condition[] } }[];
  };
  const ready = items.filter(({ status }) =>
    status?.conditions?.some(
      (condition) => condition.type === "Ready" && condition.status === "True",
    ),
  );
  return count - ready.length;
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
