import type { Transport } from "../kube/wire.ts";

/** The cluster that tests run against. */
export interface TestCluster {
  readonly transport: Transport;
  /** Whether it is for tests alone: definitions that nobody asks for go. */
  readonly ours: boolean;
  /** What its controllers still have to do, where only time tells; undefined where that is nothing. */
  readonly work: () => Promise<string | undefined>;
  /** Removes what was created over the transport, while controllers still run. */
  readonly empty: () => Promise<void>;
  /** Ends everything; no timer is left. */
  readonly stop: () => Promise<void>;
}
