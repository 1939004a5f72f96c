import { hostname } from "node:os";
import type { Controller } from "../shared/api/controller.ts";
import type { Logger } from "../shared/api/log.ts";
import { systemClock } from "../shared/clock.ts";
import { fileAccess } from "../shared/kube/file-access.ts";
import { inClusterAccess } from "../shared/kube/in-cluster-access.ts";
import { createTransport } from "../shared/kube/transport.ts";
import type { KubeAccess } from "../shared/kube/wire.ts";
import { createDynamoLeaseStore } from "../shared/lease/dynamo-lease-store.ts";
import { Lease } from "../shared/lease/lease.ts";
import { createDynamoClient } from "../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../shared/queue/dynamo-record-store.ts";
import { createDynamoRevisionStore } from "../shared/queue/dynamo-revision-store.ts";
import type { RequestQueue } from "../shared/queue/request-queue.ts";
import { ServerClock } from "../shared/queue/server-clock.ts";
import { createSqsClient } from "../shared/queue/sqs-client.ts";
import { createSqsRequestQueue } from "../shared/queue/sqs-request-queue.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";
import { createPrometheusMetrics } from "../shared/telemetry/prometheus.ts";
import type { WatcherEnvironment } from "./environment.ts";
import { repeatsOnce } from "./repeats-once.ts";
import { startServer } from "./server.ts";
import { sparseLog } from "./sparse-log.ts";
import { createWatcher, type WatcherOptions } from "./watcher.ts";

export interface ProgramOptions {
  readonly environment: WatcherEnvironment;
  readonly controllers: readonly Controller[];
  readonly log: Logger;
  /** From 0 to 1. */
  readonly random: () => number;
  /** A random text that never repeats. */
  readonly newId: () => string;
  /** Ends the process at once. */
  readonly exit: () => void;
}

const clock = systemClock;

/**
 * The watcher with its adapters: AWS by the SDK's own environment, the API server by an access file
 * or the pod's service account. Resolves once the signal is aborted and the lease is released.
 * Rejects only for what no retry can heal: no port, no access, a controller without a queue.
 */
export async function runProgram(options: ProgramOptions, signal: AbortSignal): Promise<void> {
  const { environment, controllers, log, random, newId } = options;
  const { cluster, kubeAccess, port } = environment;
  const metrics = createPrometheusMetrics({ cluster });
  const transport = createTransport(await accessOf(environment), { clock, log });
  const watcher = createWatcher({
    controllers,
    cluster,
    transport,
    clock,
    random,
    newId,
    log,
    metrics,
    ...awsParts(options, metrics),
  });
  const server = await startServer({
    port,
    health: watcher.health,
    metrics: metrics.render,
    // Nobody but this machine asks a watcher that is not in a pod.
    ...(kubeAccess !== undefined && { host: "127.0.0.1" }),
  });
  const names = controllers.map(({ name }) => name);
  log.info("watcher started", { cluster, controllers: names, port: server.port });
  try {
    await watcher.run(signal);
  } finally {
    await server.close();
    transport.close();
  }
}

function accessOf(environment: WatcherEnvironment): Promise<KubeAccess> | KubeAccess {
  const { kubeAccess, kubernetesHost: host, kubernetesPort: port } = environment;
  return kubeAccess === undefined
    ? inClusterAccess({ host, port, clock })
    : fileAccess(kubeAccess, { clock });
}

/** The only place of the watcher that knows AWS. */
function awsParts(
  { environment, log, random, newId, exit }: ProgramOptions,
  metrics: Metrics,
): Pick<WatcherOptions, "store" | "queues" | "lease" | "serverNowMs"> {
  const { table, cluster, queueUrls, podName = hostname() } = environment;
  const serverClock = new ServerClock(clock);
  const dynamo = createDynamoClient({ observer: serverClock });
  const sqs = createSqsClient({ observer: serverClock });
  const records = { client: dynamo, tableName: table, clock, random };
  const holder = `${podName}-${newId()}`;
  const leases = createDynamoLeaseStore({ client: dynamo, tableName: table, cluster });
  const queueLog = sparseLog(log, clock);
  const queueOf = (queueUrl: string): RequestQueue =>
    createSqsRequestQueue({ client: sqs, queueUrl, clock, random, newId, log: queueLog, metrics });
  return {
    store: { ...createDynamoRecordStore(records), ...createDynamoRevisionStore(records) },
    queues: new Map([...queueUrls].map(([name, url]) => [name, queueOf(url)])),
    serverNowMs: serverClock.nowMs,
    lease: (clusterUid) =>
      new Lease({
        store: leases,
        clock,
        holder,
        clusterUid,
        newId,
        random,
        log: repeatsOnce(log, clock),
        metrics,
        exit,
      }),
  };
}
