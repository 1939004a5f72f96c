import type { SQSClient } from "@aws-sdk/client-sqs";
import { SqsCore } from "../../local/sqs-core.ts";
import type { Controller } from "../../shared/api/controller.ts";
import type { Logger } from "../../shared/api/log.ts";
import { mappingOf } from "../../shared/api/mapping.ts";
import type { Key, Kind, KubernetesObject } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import { Lease } from "../../shared/lease/lease.ts";
import { NO_RECORD, type ObjectRecord } from "../../shared/queue/record.ts";
import type { RequestQueue } from "../../shared/queue/request-queue.ts";
import { createSqsRequestQueue } from "../../shared/queue/sqs-request-queue.ts";
import { MemoryLeaseStore } from "../../shared/testing/memory-lease-store.ts";
import { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import { RecordedMetrics } from "../../shared/testing/recorded-metrics.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import { createWatcher, type Watcher } from "../../watcher/watcher.ts";
import { FakeCluster } from "./fake-cluster.ts";
import { PlatformFunction } from "./platform-function.ts";
import { PlatformProcess } from "./platform-process.ts";

export interface PlatformOptions {
  readonly controllers: readonly (readonly [Controller, Partial<AnyReconciler>])[];
  /** Kinds that the cluster serves beside the built-in ones and those of `for`. */
  readonly kinds?: readonly Kind[];
  readonly clock?: VirtualClock;
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

/** How long everything must be at rest to count as settled: above a held key's longest wait. */
const REST_MS = 3_000;
const STEP_MS = 100;

/**
 * The whole of Tidegate in one process, on one virtual clock: a cluster, a table, queues with their
 * windows and groups, watchers with a lease, and a function for each controller.
 */
export class Platform {
  readonly clock: VirtualClock;
  readonly cluster: FakeCluster;
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
  readonly #options: PlatformOptions;
  #ids = 0;

  constructor(options: PlatformOptions) {
    this.#options = options;
    this.clock = options.clock ?? new VirtualClock();
    this.cluster = new FakeCluster({ clock: this.clock });
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } };
    this.cluster.apply(namespace);
    for (const [controller] of options.controllers) this.cluster.serve(controller.for);
    for (const kind of options.kinds ?? []) this.cluster.serve(kind);
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
      transport: process.reaching(this.cluster),
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

  /** Bodies of what was given up. */
  get deadLetters(): string[] {
    const dead = [...this.sqs.queues.values()].filter(({ name }) => name.startsWith("dead-"));
    return dead.flatMap((queue) => [...queue.messages()].map(({ body }) => body));
  }

  /** Lets time pass until nothing is on its way; what waits for a timer or a backoff is not waited for. */
  async settled(): Promise<void> {
    for (let restMs = 0, steps = 0; restMs < REST_MS; steps += 1) {
      if (steps > 6_000) throw new Error("the platform does not come to rest within ten minutes");
      await this.clock.advance(STEP_MS);
      restMs = this.#busy() ? 0 : restMs + STEP_MS;
    }
  }

  /** Stops everything, so that no test leaves anything behind. */
  async stop(): Promise<void> {
    for (const each of this.functions.values()) each.stop();
    for (const each of this.watchers) if (!each.process.killed) await each.stop();
    this.sqs.close();
    await this.clock.advance(STEP_MS);
  }

  #busy(): boolean {
    const running = [...this.functions.values()].some(({ running }) => running > 0);
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
    const client = clientOf(this.sqs);
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
        kube: createKubeClient(this.cluster),
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
    const at =
      (level: string) =>
      (message: string, fields: object = {}) =>
        void this.log.push({ level, message, fields });
    return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  }
}

/** A platform that leads and has nothing to do. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const platform = new Platform(options);
  await platform.deploy();
  platform.startWatcher();
  await platform.advance(2_000);
  return platform;
}

/** The SDK's client as far as the adapters use it, without sockets. */
function clientOf(core: SqsCore): SQSClient {
  const send = (
    command: { readonly constructor: { readonly name: string }; readonly input: object },
    { abortSignal }: { abortSignal?: AbortSignal } = {},
  ) =>
    core.call(command.constructor.name.replace(/Command$/, ""), command.input, {
      ...(abortSignal && { signal: abortSignal }),
    });
  return { send } as unknown as SQSClient;
}
