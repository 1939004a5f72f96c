import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Kube } from "../real/kube-apiserver.ts";
import { startKube } from "../real/kube-apiserver.ts";
import { atMost, type BenchRow, shown } from "./bench-row.ts";
import type { BenchStage } from "./bench-stage.ts";
import { freshProcess } from "./fresh-process.ts";
import { createNamespace, loadTransport, sendAll } from "./kube-load.ts";
import { median } from "./statistics.ts";
import type { SyncCost } from "./sync-cost.ts";

const CONFIG_MAPS = 20_000;
const DATA_BYTES = 2_000;
const NAMESPACE = "many";
/** Odd, and each program in turn. */
const ROUNDS = 3;

/** What it costs to get and hold a large number of objects, beside the informer of client-node. */
export async function watcherPart(stage: BenchStage): Promise<BenchRow[]> {
  const { signal, progress } = stage;
  const kube = await startKube({ garbageCollector: false, deployments: false, signal, progress });
  try {
    await fill(kube, stage);
    // As the watcher gets it: client-node is then not loaded.
    const accessFile = join(kube.dataDir, "access.json");
    const { url: server, ca, token } = kube;
    await writeFile(accessFile, JSON.stringify({ server, ca, token }), { mode: 0o600 });
    const costOf = (program: string, ...args: string[]) => {
      progress(program);
      const file = join(import.meta.dirname, program);
      return freshProcess<SyncCost>(file, args, { flags: ["--expose-gc"], signal });
    };
    const costs = {
      informer: [] as SyncCost[],
      metadata: [] as SyncCost[],
      full: [] as SyncCost[],
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      costs.informer.push(await costOf("informer-program.ts", kube.kubeconfigPath));
      costs.metadata.push(await costOf("reflector-program.ts", accessFile, "metadata"));
      costs.full.push(await costOf("reflector-program.ts", accessFile, "full"));
    }
    const informer = middle(costs.informer);
    return [
      ...rowsOf("metadata-only", middle(costs.metadata), informer),
      ...rowsOf("full", middle(costs.full), informer),
      ...baselineRows("baseline: client-node informer", informer),
    ];
  } finally {
    await kube.stop();
  }
}

/** The median of each number. */
function middle(costs: readonly SyncCost[]): SyncCost {
  const of = (field: keyof SyncCost) => median(costs.map((cost) => cost[field]));
  return {
    objects: of("objects"),
    syncSeconds: of("syncSeconds"),
    cpuSeconds: of("cpuSeconds"),
    peakMegabytes: of("peakMegabytes"),
    heldMegabytes: of("heldMegabytes"),
  };
}

async function fill(kube: Kube, { scale, progress }: BenchStage): Promise<void> {
  const transport = loadTransport(kube);
  try {
    await createNamespace(transport, NAMESPACE);
    const count = Math.round(CONFIG_MAPS * scale);
    const data = { text: "x".repeat(DATA_BYTES) };
    await sendAll(transport, count, (index) => {
      if (index % 2_000 === 0) progress(`ConfigMap ${index} of ${count}`);
      const metadata = { name: `config-${index}`, labels: { app: `app-${index % 100}` } };
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
      return { method: "POST", path: `/api/v1/namespaces/${NAMESPACE}/configmaps`, body };
    });
  } finally {
    transport.close();
  }
}

function rowsOf(mode: string, cost: SyncCost, informer: SyncCost): BenchRow[] {
  const { peakMegabytes, cpuSeconds, syncSeconds, heldMegabytes } = cost;
  const memory = { limit: informer.peakMegabytes, unit: "MB" };
  const cpu = { limit: informer.cpuSeconds, unit: "s", digits: 2 };
  return [
    atMost(`${mode}: highest RSS`, peakMegabytes, memory),
    atMost(`${mode}: CPU to sync`, cpuSeconds, cpu),
    shown(`${mode}: time to sync`, syncSeconds, "s", 2),
    shown(`${mode}: heap that stays`, heldMegabytes, "MB"),
  ];
}

function baselineRows(what: string, cost: SyncCost): BenchRow[] {
  return [
    shown(`${what}: highest RSS`, cost.peakMegabytes, "MB"),
    shown(`${what}: CPU to sync`, cost.cpuSeconds, "s", 2),
    shown(`${what}: time to sync`, cost.syncSeconds, "s", 2),
    shown(`${what}: heap that stays`, cost.heldMegabytes, "MB"),
  ];
}
