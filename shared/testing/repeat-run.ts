import type { Controller } from "../api/controller.ts";
import type { Key } from "../api/object.ts";
import type { Clock } from "../clock.ts";
import { createKubeClient } from "../kube/create-kube-client.ts";
import type { Transport } from "../kube/wire.ts";
import type { ObjectRecord } from "../queue/record.ts";
import { encodeRequest } from "../queue/request-codec.ts";
import type { RequestQueue } from "../queue/request-queue.ts";
import { loggerOf } from "../telemetry/logger-of.ts";
import type { AnyReconciler } from "../worker/run-object.ts";
import { createWorker } from "../worker/worker.ts";
import { MemoryRecordStore } from "./memory-record-store.ts";
import { RecordedMetrics } from "./recorded-metrics.ts";
import { createWriteProbe, type ProbedWrite } from "./write-probe.ts";

export interface RepeatOptions {
  readonly controller: Controller;
  readonly reconciler: AnyReconciler;
  readonly key: Key;
  /** As the last run left it. */
  readonly record: ObjectRecord;
  readonly transport: Transport;
  readonly clock: Clock;
}

const CLUSTER = "main";
const REVISION = "r1";

/**
 * Runs a reconcile once more, as the worker would, with what the last run left in its record, and
 * resolves to the writes that it would do. Nothing is written, neither to the cluster nor elsewhere.
 */
export async function repeatRun(options: RepeatOptions): Promise<readonly ProbedWrite[]> {
  const { controller, reconciler, key, record, clock } = options;
  const found: ProbedWrite[] = [];
  const probe = createWriteProbe(options.transport, (write) => found.push(write));
  // A run that does not settle before its deadline ends its process.
  const exited = Promise.withResolvers<void>();
  const store = new MemoryRecordStore();
  const id = { cluster: CLUSTER, controller: controller.name, ...key };
  store.put(id, record);
  const worker = createWorker({
    controller,
    reconciler,
    store,
    queue: DEAF,
    kube: createKubeClient(probe),
    clock,
    random: () => 0.5,
    newId: () => "repeated",
    log: SILENT,
    metrics: new RecordedMetrics(),
    cluster: CLUSTER,
    revision: REVISION,
    exit: () => exited.resolve(),
  });
  const { MessageBody: body } = encodeRequest({
    request: { ...id, reason: "manual" },
    cause: "repeated",
  });
  const event = { Records: [{ messageId: "repeated", receiptHandle: "repeated", body }] };
  const endMs = clock.nowMs() + controller.timeoutSeconds * 1_000;
  const answer = worker(event, { getRemainingTimeInMillis: () => endMs - clock.nowMs() });
  await Promise.race([answer, exited.promise]);
  return found;
}

const DEAF: RequestQueue = {
  send: async (requests) => requests.map(() => true),
  wake: async () => {},
  changeVisibility: async (entries) => entries.map(() => true),
  delete: async (handles) => handles.map(() => true),
  deadLetter: async () => {},
};

const SILENT = loggerOf(() => {});
