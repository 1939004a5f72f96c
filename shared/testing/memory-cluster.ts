import { createKubeApi } from "../../local/kube/kube-api.ts";
import { runWorkloads } from "../../local/kube/workloads.ts";
import type { Logger } from "../api/log.ts";
import type { Clock } from "../clock.ts";
import type { Transport } from "../kube/wire.ts";
import type { TestCluster } from "./test-cluster.ts";

export interface MemoryClusterOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** The transport of the cluster's own controllers, such as that of Deployments. */
  readonly observed: (transport: Transport) => Transport;
}

/** Starts a cluster that holds what a fresh one holds. Names and uids are the same each time. */
export function startMemoryCluster({ clock, log, observed }: MemoryClusterOptions): TestCluster {
  const random = sequence(1);
  let uids = 0;
  const newUid = () => {
    uids += 1;
    return `00000000-0000-4000-8000-${String(uids).padStart(12, "0")}`;
  };
  const onError = (error: unknown) => log.error("fault of the API server", { error });
  const api = createKubeApi({ clock, random, newUid, onError });
  const stopping = new AbortController();
  const transport = observed(api.transport);
  const working = runWorkloads({ transport, clock, random, log }, stopping.signal);
  return {
    transport: api.transport,
    ours: true,
    work: async () => undefined,
    empty: async () => {},
    stop: async () => {
      stopping.abort();
      await working;
      api.close();
    },
  };
}

/** Numbers from 0 to 1 that look random and are the same each time (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
