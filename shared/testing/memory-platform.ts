import { SqsCore } from "../../local/sqs-core.ts";
import { createWatcher, type Watcher } from "../../watcher/watcher.ts";
import type { Controller } from "../api/controller.ts";
import type { Logger } from "../api/log.ts";
import { mappingOf } from "../api/mapping.ts";
import type { Key, KubernetesObject } from "../api/object.ts";
import type { Clock } from "../clock.ts";
import { createKubeClient } from "../kube/create-kube-client.ts";
import type { Transport } from "../kube/wire.ts";
import { Lease } from "../lease/lease.ts";
import { NO_RECORD, type ObjectRecord } from "../queue/record.ts";
import type { RequestQueue } from "../queue/request-queue.ts";
import { createSqsRequestQueue } from "../queue/sqs-request-queue.ts";
import { loggerOf } from "../telemetry/logger-of.ts";
import type { AnyReconciler } from "../worker/run-object.ts";
import { MemoryLeaseStore } from "./memory-lease-store.ts";
import { MemoryRecordStore } from "./memory-record-store.ts";
import { createMemorySqsClient } from "./memory-sqs-client.ts";
import { PlatformFunction } from "./platform-function.ts";
import { PlatformProcess } from "./platform-process.ts";
import { RecordedMetrics } from "./recorded-metrics.ts";
import type { TestClock } from "./test-clock.ts";
import type { VirtualClock } from "./virtual-clock.ts";

export interface MemoryPlatformOptions<C extends TestClock = VirtualClock> {
  readonly controllers: readonly (readonly [Controller, Partial<AnyReconciler>])[];
  /** To the API server, for watchers and functions. */
  readonly transport: Transport;
  /** To the API server for the function of a controller; the same by default. */
  readonly transportOf?: (controller: Controller) => Transport;
  readonly clock: C;
  /** From 0 to 1; 0.5 each time by default. */
  readonly random?: () => number;
  /** The clock of the watchers' machines; that of everything else by default. */
  readonly watcherClock?: Clock;
  /** What watchers take for the time of AWS. */
  readonly serverNowMs?: () => number;
}

/** One call of a reconciler. */
export interface PlatformRun {
  readonly controller: string;
  readonly call: "reconcile" | "finalize" | "gone";
  /** "namespace/name" */
  readonly key: string;
  readonly atMs: number;
  /** As it was read; absent for `gone`. */
  readonly object?: KubernetesObject;
}

export interface PlatformWatcher {
  readonly process: PlatformProcess;
  readonly watcher: Watcher;
  readonly stop: () => Promise<void>;
}

const STEP_MS = 100;

/**
 * All of Tidegate but the cluster in one process, on one clock: a table, queues with their
 * windows and groups, watchers with a lease, and a function for each controller.
 */
export class MemoryPlatform<C extends TestClock = VirtualClock> {
  readonly clock: C;
  readonly store = new MemoryRecordStore();
  readonly lease = new MemoryLeaseStore();
  readonly sqs: SqsCore;
  readonly metrics = new RecordedMetrics();
  readonly log: { readonly level: string; readonly message: string; readonly fields: object }[] =
    [];
  readonly runs: PlatformRun[] = [];
  /** Keys of which two runs went on at once. */
  readonly overlaps: string[] = [];
  readonly functions = new Map<string, PlatformFunction>();
  readonly watchers: PlatformWatcher[] = [];
  readonly #queues = new Map<string, RequestQueue>();
  readonly #options: MemoryPlatformOptions<C>;
  #ids = 0;

  constructor(options: MemoryPlatformOptions<C>) {
    this.#options = options;
    this.clock = options.clock;
    this.sqs = new SqsCore({ clock: this.clock, newId: this.newId, log: this.#logger() });
  }

  readonly newId = (): string => {
    this.#ids += 1;
    return `id-${this.#ids}`;
  };

  /** Calls of reconcilers so far as "reconcile a/web", and forgets them. */
  drain(): string[] {
    return this.runs.splice(0).map(({ call, key }) => `${call} ${key}`);
  }

  record({ namespace, name }: Key, controller = this.#first().name): ObjectRecord {
    return this.store.record({ cluster: "main", controller, namespace, name }) ?? NO_RECORD;
  }

  /** Makes queues and functions. */
  async deploy(): Promise<void> {
    for (const [controller, reconciler] of this.#options.controllers) {
      await this.#deploy(controller, reconciler);
    }
  }

  /** Another replica of the watcher. The first one leads after a moment. */
  startWatcher(): PlatformWatcher {
    const process = new PlatformProcess();
    const clock = process.reaching(this.#options.watcherClock ?? this.clock);
    const common = { ...this.#common(), clock };
    const stopping = new AbortController();
    const holder = `watcher-${this.watchers.length}`;
    const lease = process.reaching({ read: this.lease.read, write: this.lease.write });
    const watcher = createWatcher({
      ...common,
      controllers: this.#options.controllers.map(([controller]) => controller),
      cluster: "main",
      revisions: new Map(this.#options.controllers.map(([{ name }]) => [name, "r1"])),
      transport: process.reaching(this.#options.transport),
      store: process.reaching(this.store),
      queues: new Map([...this.#queues].map(([name, queue]) => [name, process.reaching(queue)])),
      lease: (clusterUid) =>
        new Lease({ ...common, store: lease, holder, clusterUid, exit: () => process.kill() }),
      serverNowMs: this.#options.serverNowMs ?? this.clock.nowMs,
    });
    const ended = watcher.run(stopping.signal);
    const stop = async () => {
      stopping.abort();
      let over = false;
      void ended.finally(() => {
        over = true;
      });
      for (let tries = 0; tries < 50 && !over; tries += 1) await this.clock.advance(STEP_MS);
    };
    const started = { process, watcher, stop };
    this.watchers.push(started);
    return started;
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  /** Kills the watcher that was started last. */
  killWatcher(): void {
    this.watchers.at(-1)?.process.kill();
  }

  /** Kills every invocation where it stands. */
  killWorkers(): void {
    for (const each of this.functions.values()) each.kill();
  }

  /** Stops everything, so that no test leaves anything behind. */
  async stop(): Promise<void> {
    for (const each of this.functions.values()) each.stop();
    for (const each of this.watchers) if (!each.process.killed) await each.stop();
    this.sqs.close();
    await this.clock.advance(STEP_MS);
  }

  /** Invocations that have not ended. */
  get running(): number {
    return [...this.functions.values()].reduce((sum, { running }) => sum + running, 0);
  }

  /** Keys whose changes wait to be forwarded. */
  get waiting(): number {
    return this.watchers.reduce((sum, { watcher }) => sum + watcher.waiting(), 0);
  }

  /** Whether a run goes on or a request can be delivered. What waits for a timer or a backoff does not count. */
  get busy(): boolean {
    const running = this.running > 0;
    const nowMs = this.clock.nowMs();
    const queues = [...this.sqs.queues.values()].filter(({ name }) => !name.startsWith("dead-"));
    return running || queues.some((queue) => queue.deliverable(nowMs, 1).length > 0);
  }

  async #deploy(controller: Controller, reconciler: Partial<AnyReconciler>): Promise<void> {
    const { name } = controller;
    const { visibilityTimeoutSeconds, maxReceiveCount } = mappingOf(controller);
    const deadLetterQueueUrl = await this.#queue(`dead-${name}.fifo`, {});
    const queueUrl = await this.#queue(`${name}.fifo`, {
      VisibilityTimeout: String(visibilityTimeoutSeconds),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: this.sqs.arnOf(`dead-${name}.fifo`),
        maxReceiveCount,
      }),
    });
    const common = this.#common();
    const { transport, transportOf = () => transport } = this.#options;
    const client = createMemorySqsClient(this.sqs);
    const queue = createSqsRequestQueue({ ...common, client, queueUrl, deadLetterQueueUrl });
    this.#queues.set(name, queue);
    this.functions.set(
      name,
      new PlatformFunction({
        ...common,
        controller,
        reconciler: this.#noted(controller, reconciler),
        sqs: client,
        queueUrl,
        store: this.store,
        queue,
        kube: createKubeClient(transportOf(controller)),
        cluster: "main",
        revision: "r1",
      }),
    );
  }

  async #queue(QueueName: string, more: Record<string, string>): Promise<string> {
    const high = { DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" };
    const Attributes = { FifoQueue: "true", ...high, ...more };
    const made = await this.sqs.call("CreateQueue", { QueueName, Attributes });
    return (made as { QueueUrl: string }).QueueUrl;
  }

  /** The reconciler, whose calls are noted. */
  #noted(
    { name: controller, timeoutSeconds }: Controller,
    given: Partial<AnyReconciler>,
  ): AnyReconciler {
    // By key, until when: what has not ended at its deadline was killed.
    const live = new Map<string, number>();
    const noted =
      (call: PlatformRun["call"]) =>
      async (subject: KubernetesObject & Key, context: never): Promise<unknown> => {
        const { namespace = "", name } = call === "gone" ? subject : subject.metadata;
        const key = `${namespace}/${name}`;
        const object = call === "gone" ? {} : { object: subject };
        this.runs.push({ controller, call, key, atMs: this.clock.monotonicMs(), ...object });
        if ((live.get(key) ?? 0) > this.clock.nowMs()) this.overlaps.push(`${controller} ${key}`);
        live.set(key, this.clock.nowMs() + timeoutSeconds * 1_000);
        try {
          return await given[call]?.(subject as never, context);
        } finally {
          live.delete(key);
        }
      };
    const gone = given.gone && { gone: noted("gone") };
    return { reconcile: noted("reconcile"), finalize: noted("finalize"), ...gone } as AnyReconciler;
  }

  #common() {
    const { clock, newId, metrics } = this;
    const random = this.#options.random ?? (() => 0.5);
    return { clock, random, newId, log: this.#logger(), metrics };
  }

  #first(): Controller {
    const [first] = this.#options.controllers;
    if (!first) throw new Error("a platform needs a controller");
    return first[0];
  }

  #logger(): Logger {
    return loggerOf((level, message, fields) => void this.log.push({ level, message, fields }));
  }
}
