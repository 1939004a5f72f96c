import { randomUUID } from "node:crypto";
import { SQSClient } from "@aws-sdk/client-sqs";
import { ensureQueues } from "../../local/dev-queues.ts";
import { startDynamoDbServer } from "../../local/dynamodb-server.ts";
import type { FunctionPool } from "../../local/function-pool.ts";
import { runFunction } from "../../local/function-runner.ts";
import { type SqsServer, startSqsServer } from "../../local/sqs-server.ts";
import type { Controller } from "../../shared/api/controller.ts";
import { mappingOf } from "../../shared/api/mapping.ts";
import type { KubernetesObject } from "../../shared/api/object.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import { createDynamoLeaseStore } from "../../shared/lease/dynamo-lease-store.ts";
import { type Lead, Lease } from "../../shared/lease/lease.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { createDynamoRevisionStore } from "../../shared/queue/dynamo-revision-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import type { ObjectRecord } from "../../shared/queue/record.ts";
import { recordId } from "../../shared/queue/record-store.ts";
import { uniqueCause } from "../../shared/queue/request-codec.ts";
import { createSqsClient } from "../../shared/queue/sqs-client.ts";
import { createSqsRequestQueue } from "../../shared/queue/sqs-request-queue.ts";
import { RecordedMetrics } from "../../shared/testing/recorded-metrics.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import type { SqsEvent } from "../../shared/worker/sqs-event.ts";
import { createWorker } from "../../shared/worker/worker.ts";
import { createWatcher, type Watcher } from "../../watcher/watcher.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { recordedLog } from "./recorded-log.ts";
import { startWireCluster, type WireCluster } from "./wire-cluster.ts";

const SHARED = {
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
};
const CLUSTER = "main";
const TABLE = "tidegate";
const REVISION = "r1";
/** Above a held key's longest wait, and the lingering of changes. */
const REST_MS = 3_000;

/** How a replica differs from others. */
export interface WireReplica {
  /** How far its wall clock is ahead. */
  readonly offsetMs?: number;
  /** Its work as the leader ends no sooner than this, whatever it is told. */
  readonly ending?: Promise<unknown>;
}

export interface WireWatcher {
  readonly watcher: Watcher;
  /** Its way to the table: the lease, records and timers. */
  readonly table: FaultProxy;
  readonly exits: number[];
  readonly stop: () => Promise<void>;
}

/** Watchers and a worker over real connections to three servers, each through a proxy, in virtual time. */
export class WirePlatform {
  readonly cluster: WireCluster;
  readonly controller: Controller;
  /** The watchers' way to the queue, and the worker's ways. */
  readonly queue: FaultProxy;
  readonly workerQueue: FaultProxy;
  readonly workerTable: FaultProxy;
  readonly sqs: SqsServer;
  readonly metrics = new RecordedMetrics();
  readonly #recorded = recordedLog();
  readonly logged = this.#recorded.logged;
  /** Calls of the reconciler, as "reconcile x". */
  readonly runs: string[] = [];
  /** Keys of which two runs went on at once. */
  readonly overlaps: string[] = [];
  /** Whether the function was ended because a run did not. */
  exits = 0;
  readonly #tableUrl: string;
  readonly #running = new Set<string>();
  readonly #watchers: WireWatcher[] = [];
  readonly #cleanUp: (() => unknown)[] = [];
  #receive: (signal: AbortSignal) => Promise<void> = async () => {};
  #receiving = new AbortController();
  #queueUrl = "";
  #deadLetterQueueUrl = "";

  private constructor(
    controller: Controller,
    parts: Pick<WirePlatform, "cluster" | "queue" | "workerQueue" | "workerTable" | "sqs"> & {
      readonly tableUrl: string;
    },
  ) {
    this.controller = controller;
    this.cluster = parts.cluster;
    this.queue = parts.queue;
    this.workerQueue = parts.workerQueue;
    this.workerTable = parts.workerTable;
    this.sqs = parts.sqs;
    this.#tableUrl = parts.tableUrl;
  }

  static async start(
    controller: Controller,
    reconciler: Partial<AnyReconciler>,
  ): Promise<WirePlatform> {
    const cluster = await startWireCluster();
    const { clock, rest } = cluster;
    const { log } = recordedLog();
    const sqs = await startSqsServer({ clock, newId: randomUUID, log });
    const dynamo = await startDynamoDbServer({});
    const proxy = (target: string) => FaultProxy.start({ target, rest, nowMs: clock.monotonicMs });
    const [queue, workerQueue, workerTable] = await Promise.all([
      proxy(sqs.url),
      proxy(sqs.url),
      proxy(dynamo.url),
    ]);
    const parts = { cluster, queue, workerQueue, workerTable, sqs, tableUrl: dynamo.url };
    const platform = new WirePlatform(controller, parts);
    platform.#cleanUp.push(
      () => cluster.close(),
      () => sqs.close(),
      () => dynamo.close(),
      ...[queue, workerQueue, workerTable].map((each) => () => each.close()),
    );
    await platform.#deploy();
    platform.#work(reconciler);
    return platform;
  }

  /** Another replica of the watcher, with a way of its own to the table. */
  async watch({ offsetMs = 0, ending }: WireReplica = {}): Promise<WireWatcher> {
    const { rest } = this.cluster;
    const clock = this.cluster.clock.machine({ offsetMs });
    const name = `watcher-${this.#watchers.length + 1}`;
    const table = await FaultProxy.start({
      target: this.#tableUrl,
      rest,
      nowMs: clock.monotonicMs,
    });
    const client = this.#dynamo(table.url);
    const exits: number[] = [];
    const stopping = new AbortController();
    const common = { ...this.#common(), clock };
    const records = { client, tableName: TABLE, clock, random: common.random };
    const watcher = createWatcher({
      ...common,
      controllers: [this.controller],
      cluster: CLUSTER,
      transport: this.cluster.transport("requests"),
      store: { ...createDynamoRecordStore(records), ...createDynamoRevisionStore(records) },
      queues: new Map([[this.controller.name, this.#requestQueue(this.queue.url)]]),
      serverNowMs: this.cluster.clock.nowMs,
      lease: (clusterUid) => {
        const lease = new Lease({
          ...common,
          store: createDynamoLeaseStore({ client, tableName: TABLE, cluster: CLUSTER }),
          holder: name,
          clusterUid,
          exit: () => exits.push(clock.monotonicMs()),
        });
        return ending ? endingWith(lease, ending) : lease;
      },
    });
    const running = watcher.run(stopping.signal);
    const stop = async () => {
      let ended = false;
      stopping.abort();
      void running.then(() => {
        ended = true;
      });
      for (let tries = 0; tries < 100 && !ended; tries += 1) await this.cluster.clock.advance(200);
      await table.close();
      client.destroy();
    };
    const started = { watcher, table, exits, stop };
    this.#watchers.push(started);
    return started;
  }

  /** Asks for a run as an operator does: nothing swallows it. */
  async request(name: string): Promise<void> {
    const request = { ...this.#key(name), reason: "manual" as const };
    await this.#requestQueue(this.sqs.url).send([{ request, cause: uniqueCause(randomUUID) }]);
  }

  get watchers(): readonly WireWatcher[] {
    return this.#watchers;
  }

  /** Those that lead now, by number. */
  get leading(): readonly number[] {
    return this.#watchers.flatMap(({ watcher }, index) =>
      watcher.health().leading ? [index + 1] : [],
    );
  }

  /** Bodies of what was given up. */
  get deadLetters(): readonly string[] {
    const dead = [...this.sqs.core.queues.values()].filter(({ name }) => name.includes("-dead"));
    return dead.flatMap((queue) => [...queue.messages()].map(({ body }) => body));
  }

  /** Messages that wait or are worked on. */
  get queued(): number {
    const all = [...this.sqs.core.queues.values()].filter(({ name }) => !name.includes("-dead"));
    return all.reduce((sum, queue) => sum + [...queue.messages()].length, 0);
  }

  /** Receives no more messages: those that come wait in the queue. */
  pause(): void {
    this.#receiving.abort();
  }

  resume(): void {
    this.#receiving = new AbortController();
    void this.#receive(this.#receiving.signal);
  }

  /** Runs that hang have ended with their process. */
  forgetRuns(): void {
    this.#running.clear();
  }

  /** The calls of the reconciler since the last time. */
  drain(): readonly string[] {
    return this.runs.splice(0).sort();
  }

  async record(name: string): Promise<ObjectRecord> {
    const client = this.#dynamo(this.#tableUrl);
    const { clock } = this.cluster;
    const store = createDynamoRecordStore({
      client,
      tableName: TABLE,
      clock,
      random: () => 0.5,
    });
    const key = this.#key(name);
    const { records } = await store.read([key]);
    client.destroy();
    return records.get(recordId(key)) ?? { epoch: 0, failures: 0 };
  }

  /** Lets time pass until `met` does to true; fails when that takes longer than `limitMs`. */
  async until(met: () => boolean | Promise<boolean>, limitMs = 120_000): Promise<void> {
    for (let passedMs = 0; !(await met()); passedMs += 250) {
      if (passedMs > limitMs) throw new Error(`expected within ${limitMs} ms: ${String(met)}`);
      await this.cluster.clock.advance(250);
    }
  }

  /** Lets time pass until nothing is on its way, but at most `limitMs`; timers and backoffs are not waited for. */
  async settled(limitMs = 600_000): Promise<void> {
    for (let restMs = 0, passedMs = 0; restMs < REST_MS; passedMs += 250) {
      if (passedMs > limitMs) throw new Error(`the platform does not come to rest: ${this.queued}`);
      await this.cluster.clock.advance(250);
      const waiting = this.#watchers.some(({ watcher }) => watcher.waiting() > 0);
      restMs = waiting || this.#running.size > 0 || this.queued > 0 ? 0 : restMs + 250;
    }
  }

  async close(): Promise<void> {
    for (const { stop } of this.#watchers) await stop();
    for (let step = this.#cleanUp.pop(); step; step = this.#cleanUp.pop()) await step();
  }

  async #deploy(): Promise<void> {
    const { clock } = this.cluster;
    const client = createDynamoClient({ ...SHARED, endpoint: this.#tableUrl });
    await ensureTable(client, TABLE, { sleep: async () => {} });
    const records = { client, tableName: TABLE, clock, random: () => 0.5 };
    await createDynamoRevisionStore(records).putRevision(CLUSTER, this.controller.name, REVISION);
    client.destroy();
    const { name } = this.controller;
    const sqs = new SQSClient({ ...SHARED, endpoint: this.sqs.url });
    const urls = await ensureQueues(sqs, CLUSTER, { name, mapping: mappingOf(this.controller) });
    sqs.destroy();
    this.#queueUrl = urls.queueUrl;
    this.#deadLetterQueueUrl = urls.deadLetterQueueUrl;
  }

  /** Works the queue off, as Lambda's mapping does, with one environment for all invocations. */
  #work(reconciler: Partial<AnyReconciler>): void {
    const { clock } = this.cluster;
    const common = { ...this.#common(), clock };
    const client = this.#dynamo(this.workerTable.url);
    const transport = this.cluster.transport("requests");
    const worker = createWorker({
      ...common,
      controller: this.controller,
      reconciler: this.#noting(reconciler),
      store: createDynamoRecordStore({ ...common, client, tableName: TABLE }),
      queue: this.#requestQueue(this.workerQueue.url),
      kube: createKubeClient(transport),
      cluster: CLUSTER,
      revision: REVISION,
      exit: () => {
        this.exits += 1;
      },
    });
    const limitMs = this.controller.timeoutSeconds * 1_000;
    const invoke = async (event: unknown) => {
      const endMs = clock.nowMs() + limitMs;
      const invocation = { getRemainingTimeInMillis: () => endMs - clock.nowMs() };
      return {
        type: "response",
        body: JSON.stringify(await worker(event as SqsEvent, invocation)),
      };
    };
    const sqs = new SQSClient({ ...SHARED, endpoint: this.sqs.url });
    const mapping = {
      name: this.controller.name,
      queueUrl: this.#queueUrl,
      mapping: () => mappingOf(this.controller),
      ensureQueue: async () => {},
      pool: { free: true, invoke } as unknown as FunctionPool,
      sqs,
      clock,
      log: common.log,
    };
    this.#receive = (signal) => runFunction(mapping, signal);
    this.resume();
    this.#cleanUp.push(
      () => client.destroy(),
      () => sqs.destroy(),
      () => this.pause(),
    );
  }

  #noting(reconciler: Partial<AnyReconciler>): AnyReconciler {
    const noted =
      (call: "reconcile" | "finalize"): AnyReconciler["reconcile"] =>
      async (object, context) => {
        const { name } = (object as KubernetesObject).metadata;
        if (this.#running.has(name)) this.overlaps.push(name);
        this.#running.add(name);
        this.runs.push(`${call} ${name}`);
        try {
          return await reconciler[call]?.(object, context);
        } finally {
          this.#running.delete(name);
        }
      };
    return { reconcile: noted("reconcile"), finalize: noted("finalize") } as AnyReconciler;
  }

  #key(name: string) {
    return { cluster: CLUSTER, controller: this.controller.name, namespace: "default", name };
  }

  #requestQueue(endpoint: string) {
    const client = this.#counted(createSqsClient({ ...SHARED, endpoint }));
    this.#cleanUp.push(() => client.destroy());
    const { pathname } = new URL(this.#queueUrl);
    const dead = new URL(this.#deadLetterQueueUrl).pathname;
    return createSqsRequestQueue({
      ...this.#common(),
      clock: this.cluster.clock,
      client,
      queueUrl: `${this.sqs.url}${pathname}`,
      deadLetterQueueUrl: `${this.sqs.url}${dead}`,
    });
  }

  #dynamo(endpoint: string) {
    return this.#counted(createDynamoClient({ ...SHARED, endpoint }));
  }

  /** The SDK repeats calls in real time, which virtual time has to wait for. */
  #counted<C extends { send: (...args: never[]) => unknown }>(client: C): C {
    const send = client.send.bind(client) as (...args: unknown[]) => Promise<unknown>;
    client.send = ((...args: unknown[]) =>
      this.cluster.rest.during(() => send(...args))) as unknown as C["send"];
    return client;
  }

  #common() {
    return {
      random: () => 0.5,
      newId: randomUUID,
      log: this.#recorded.log,
      metrics: this.metrics,
    };
  }
}

function endingWith(lease: Lease, ending: Promise<unknown>): Pick<Lease, "held" | "whileHeld"> {
  const ended = (lead: Lead): Lead => {
    return async (held, term) => {
      await lead(held, term);
      await ending;
    };
  };
  return {
    get held() {
      return lease.held;
    },
    whileHeld: (lead, signal) => lease.whileHeld(ended(lead), signal),
  };
}
