import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { defineKind, type Kind, type KubernetesObject } from "../../shared/api/object.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import type { ObjectRecord } from "../../shared/queue/record.ts";
import type { ReconcileRequest } from "../../shared/queue/request.ts";
import { encodeRequest } from "../../shared/queue/request-codec.ts";
import type { Labels, Metrics } from "../../shared/telemetry/metrics.ts";
import { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import type { BatchAnswer, SqsRecord } from "../../shared/worker/sqs-event.ts";
import { createWorker, type WorkerOptions } from "../../shared/worker/worker.ts";
import { FakeCluster } from "./fake-cluster.ts";
import { recordedLog } from "./recorded-log.ts";
import { WorkerQueue } from "./worker-queue.ts";

export interface Site extends KubernetesObject<"web.example.com/v1", "Site"> {
  readonly spec: { readonly host: string };
  readonly status?: Readonly<Record<string, unknown>>;
}
export const Site: Kind<Site> = defineKind<Site>({
  apiVersion: "web.example.com/v1",
  kind: "Site",
  plural: "sites",
  scope: "Namespaced",
});

export const siteController = defineController({
  name: "site",
  for: Site,
  owns: [ConfigMap],
  timeoutSeconds: 30,
});

/** An object of the test's kind in the namespace "a". */
export function site(name = "x", more: { metadata?: object; spec?: object; status?: object } = {}) {
  const { metadata, spec, ...rest } = more;
  return {
    apiVersion: Site.apiVersion,
    kind: Site.kind,
    metadata: { namespace: "a", name, ...metadata },
    spec: { host: "x.example.com", ...spec },
    ...rest,
  };
}

export interface HostOptions {
  readonly controller?: Controller;
  readonly revision?: string;
  readonly remainingMs?: number;
  /** Instead of the fake cluster's. */
  readonly transport?: Transport;
  readonly options?: Partial<WorkerOptions>;
}

/** A worker over fakes of all that it needs, whose time is a virtual clock. */
export class WorkerHost {
  readonly clock = new VirtualClock();
  readonly cluster = new FakeCluster({ clock: this.clock });
  readonly store = new MemoryRecordStore();
  readonly queue = new WorkerQueue();
  readonly #recorded = recordedLog();
  readonly logs = this.#recorded.logged;
  readonly metrics: { name: string; value: number; labels: Labels }[] = [];
  readonly exits: number[] = [];
  readonly #controller: Controller;
  readonly #worker: ReturnType<typeof createWorker>;
  readonly #remainingMs: number;
  #messages = 0;
  #ids = 0;

  constructor(reconciler: Partial<AnyReconciler>, options: HostOptions = {}) {
    this.#controller = options.controller ?? (siteController as unknown as Controller);
    this.#remainingMs = options.remainingMs ?? this.#controller.timeoutSeconds * 1_000;
    this.cluster.serve(Site);
    const measure = (name: string, value: number, labels: Labels = {}) =>
      void this.metrics.push({ name, value, labels });
    const metrics: Metrics = {
      count: (name, labels, by = 1) => measure(name, by, labels),
      observe: measure,
      gauge: measure,
    };
    this.#worker = createWorker({
      controller: this.#controller,
      reconciler: {
        reconcile: async () => undefined,
        finalize: async () => undefined,
        ...reconciler,
      },
      store: this.store,
      queue: this.queue,
      kube: createKubeClient(options.transport ?? this.cluster),
      clock: this.clock,
      random: () => 1,
      newId: () => {
        this.#ids += 1;
        return `run-${this.#ids}`;
      },
      log: this.#recorded.log,
      metrics,
      cluster: "main",
      revision: options.revision ?? "r1",
      exit: (code) => void this.exits.push(code),
      ...options.options,
    });
  }

  key(name = "x", namespace = "a") {
    return { cluster: "main", controller: this.#controller.name, namespace, name };
  }

  record(name = "x"): ObjectRecord {
    return this.store.record(this.key(name)) ?? { epoch: 0, failures: 0 };
  }

  /** A message that asks for a reconcile; m1, m2, ... with the handles h1, h2, ... */
  message(name = "x", more: Partial<ReconcileRequest> = {}): SqsRecord {
    const request: ReconcileRequest = { ...this.key(name), reason: "change", ...more };
    return this.raw(encodeRequest({ request, cause: "epoch 0" }).MessageBody);
  }

  raw(body: string): SqsRecord {
    this.#messages += 1;
    return { messageId: `m${this.#messages}`, receiptHandle: `h${this.#messages}`, body };
  }

  /** Begins an invocation. It goes on while the clock is moved. */
  invoke(messages: readonly SqsRecord[], remainingMs = this.#remainingMs): Promise<BatchAnswer> {
    const endMs = this.clock.nowMs() + remainingMs;
    return this.#worker(
      { Records: messages },
      { getRemainingTimeInMillis: () => endMs - this.clock.nowMs() },
    );
  }

  /** One run of one object, which needs no time. Resolves to the ids that stay in the queue. */
  async run(name = "x"): Promise<readonly string[]> {
    const { batchItemFailures } = await this.invoke([this.message(name)]);
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  }

  counted(name: string): number {
    return this.metrics
      .filter((each) => each.name === name)
      .reduce((sum, each) => sum + each.value, 0);
  }

  /** Requests so far that change something, as "PATCH /path". */
  writes(): string[] {
    return this.cluster.requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path}`);
  }
}
