import type { ReconcileRequest } from "./request.ts";

/** A request with the id by which SQS drops repetitions: see `changeCause` and `uniqueCause` in request-codec.ts. */
export interface OutgoingRequest {
  readonly request: ReconcileRequest;
  readonly cause: string;
}

/** The queue of one controller, as watcher and worker use it. */
export interface RequestQueue {
  /**
   * Sends in batches of 10; entries that failed are retried alone, a few times. Resolves to whether
   * each was accepted, in the order given; never rejects. `false` is not known to be queued: keep it.
   */
  readonly send: (requests: readonly OutgoingRequest[]) => Promise<readonly boolean[]>;
  /** Lets a message that waits out a backoff go at once. Errors are of no consequence (step 5); never rejects. */
  readonly wake: (receiptHandle: string) => Promise<void>;
  /** Sets visibility timeouts, in whole seconds; resolves to whether each was set, never rejects. */
  readonly changeVisibility: (
    entries: readonly { readonly receiptHandle: string; readonly seconds: number }[],
  ) => Promise<readonly boolean[]>;
  /** Acknowledges; resolves to whether each was deleted, never rejects. */
  readonly delete: (receiptHandles: readonly string[]) => Promise<readonly boolean[]>;
  /** Puts a request that is given up into the dead-letter queue with the error. Rejects when it was not accepted. */
  readonly deadLetter: (request: ReconcileRequest, error: string) => Promise<void>;
}
