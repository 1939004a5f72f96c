import { randomUUID } from "node:crypto";
import middy from "@middy/core";
import type { Controller } from "../api/controller.ts";
import { systemClock } from "../clock.ts";
import { createKubeClient } from "../kube/create-kube-client.ts";
import { eksAccess } from "../kube/eks-access.ts";
import { fileAccess } from "../kube/file-access.ts";
import { createTransport } from "../kube/transport.ts";
import type { KubeAccess } from "../kube/wire.ts";
import { createDynamoClient } from "../queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../queue/dynamo-record-store.ts";
import { createSqsClient } from "../queue/sqs-client.ts";
import { createSqsRequestQueue } from "../queue/sqs-request-queue.ts";
import { createEmfMetrics } from "../telemetry/emf.ts";
import { type ClusterAccess, readEnvironment } from "./environment.ts";
import { createFunctionLog } from "./function-log.ts";
import type { HandlerOptions, Middleware } from "./reconcile-handler.ts";
import type { AnyReconciler } from "./run-object.ts";
import type { BatchAnswer, Invocation, ReconcileHandler, SqsEvent } from "./sqs-event.ts";
import { createWorker } from "./worker.ts";

/** Makes clients from the environment, and the worker on them, with middy around it. */
export async function createLambdaHandler(
  controller: Controller,
  reconciler: AnyReconciler,
  { middlewares = [] }: HandlerOptions,
): Promise<ReconcileHandler> {
  const environment = readEnvironment(process.env);
  const clock = systemClock;
  const { nowMs } = clock;
  // Both are lines of JSON. Not by console.log, which Lambda patches: it puts a prefix or an envelope
  // around a line, and CloudWatch then finds no metrics in it.
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  const log = createFunctionLog(environment.logLevel, { write, nowMs });
  const { cluster, revision } = environment;
  const metrics = createEmfMetrics({ write, nowMs, dimensions: { cluster } });
  const [dynamo, sqs] = [createDynamoClient(), createSqsClient()];
  const access = await accessTo(environment.access, cluster, () => dynamo.config.credentials());
  const common = { clock, random: Math.random, newId: randomUUID, log, metrics };
  const { queueUrl, deadLetterQueueUrl } = environment;
  const worker = createWorker({
    ...common,
    controller,
    reconciler,
    store: createDynamoRecordStore({
      client: dynamo,
      tableName: environment.table,
      clock,
      random: Math.random,
    }),
    queue: createSqsRequestQueue({
      ...common,
      client: sqs,
      queueUrl,
      ...(deadLetterQueueUrl !== undefined && { deadLetterQueueUrl }),
    }),
    kube: createKubeClient(createTransport(access, { clock, log }), { log }),
    cluster,
    revision,
    exit: (code) => {
      metrics.flush();
      process.exit(code);
    },
  });
  const invoke = async (event: SqsEvent, invocation: Invocation): Promise<BatchAnswer> => {
    try {
      return await worker(event, invocation);
    } finally {
      metrics.flush();
    }
  };
  return wrapped(invoke, middlewares);
}

/** Without middy's early timeout: it would answer, and so fail the whole batch, while runs go on. */
function wrapped(invoke: ReconcileHandler, middlewares: readonly Middleware[]): ReconcileHandler {
  const handler = middy(invoke as never, { timeoutEarlyInMillis: 0 } as never);
  for (const middleware of middlewares) handler.use(middleware as never);
  return handler as unknown as ReconcileHandler;
}

async function accessTo(
  access: ClusterAccess,
  clusterName: string,
  credentials: () => Promise<{ accessKeyId: string; secretAccessKey: string }>,
): Promise<KubeAccess> {
  const clock = systemClock;
  if ("file" in access) return fileAccess(access.file, { clock });
  const { endpoint: server, certificateAuthorityData, region } = access;
  return eksAccess({
    server,
    certificateAuthorityData,
    clusterName: access.clusterName ?? clusterName,
    region,
    credentials,
    clock,
  });
}
