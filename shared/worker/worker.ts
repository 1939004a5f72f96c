import type { Controller } from "../api/controller.ts";
import type { Logger } from "../api/log.ts";
import { permissionsOf } from "../api/permissions.ts";
import type { Clock } from "../clock.ts";
import type { KubeClient } from "../kube/kube-client.ts";
import type { RecordStore } from "../queue/record-store.ts";
import type { RequestQueue } from "../queue/request-queue.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { Batch } from "./batch.ts";
import { checkReconciler } from "./check-reconciler.ts";
import type { AnyReconciler } from "./run-object.ts";
import type { KindMemory } from "./run-scope.ts";
import type { ReconcileHandler } from "./sqs-event.ts";

/** What a worker is made of. It knows no SDK and no environment. */
export interface WorkerOptions {
  readonly controller: Controller;
  readonly reconciler: AnyReconciler;
  readonly store: RecordStore;
  readonly queue: RequestQueue;
  readonly kube: KubeClient;
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  readonly newId: () => string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Name of the cluster. */
  readonly cluster: string;
  /** Which code this is: see "revision" in the protocol. */
  readonly revision: string;
  /** Ends the process. Called when a run has not settled 0.5 s before the function's deadline (Q4). */
  readonly exit: (code: number) => void;
}

/**
 * The function of a controller, from a batch of requests to runs. What it keeps between invocations
 * is safe to lose; everything of a run, and of a batch, is made new each time.
 */
export function createWorker(options: WorkerOptions): ReconcileHandler {
  checkReconciler(options.controller, options.reconciler);
  const memory: KindMemory = new Map();
  const permissions = permissionsOf(options.controller);
  return async (event, invocation) => {
    const batch = new Batch({ ...options, memory, permissions }, event.Records, invocation);
    return await batch.answer();
  };
}
