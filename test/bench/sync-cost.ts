import { setTimeout } from "node:timers/promises";

/** What a process has spent to hold all objects of a kind. */
export interface SyncCost {
  readonly objects: number;
  readonly syncSeconds: number;
  /** User and system time of the process, from before the first request. */
  readonly cpuSeconds: number;
  /** The highest RSS of the process so far, modules included. */
  readonly peakMegabytes: number;
  /** Heap and buffers after a full collection. */
  readonly heldMegabytes: number;
}

/** Runs `sync`, which resolves to the number of objects held, and prints what that has cost. */
export async function printSyncCost(sync: () => Promise<number>): Promise<void> {
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const objects = await sync();
  const syncSeconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const peakMegabytes = process.resourceUsage().maxRSS / 1_000; // In kB.
  const cost: SyncCost = {
    objects,
    syncSeconds,
    cpuSeconds: (user + system) / 1e6,
    peakMegabytes,
    heldMegabytes: await heldMegabytes(),
  };
  process.stdout.write(JSON.stringify(cost));
}

async function heldMegabytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await setTimeout(50); // Buffers are given back after the collection.
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}
