import { SqsCore } from "../../local/sqs-core.ts";
import type { Controller } from "../../shared/api/controller.ts";
import type { Logger } from "../../shared/api/log.ts";
import { mappingOf } from "../../shared/api/mapping.ts";
import type { Clock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import { Lease } from "../../shared/lease/lease.ts";
import type { RequestQueue } from "../../shared/queue/request-queue.ts";
import { ServerClock } from "../../shared/queue/server-clock.ts";
import { createSqsRequestQueue } from "../../shared/queue/sqs-request-queue.ts";
import { loggerOf } from "../../shared/telemetry/logger-of.ts";
import type { Metrics } from "../../shared/telemetry/metrics.ts";
import { type LeaseFault, MemoryLeaseStore } from "../../shared/testing/memory-lease-store.ts";
import { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import { createMemorySqsClient } from "../../shared/testing/memory-sqs-client.ts";
import { PlatformFunction } from "../../shared/testing/platform-function.ts";
import { PlatformProcess } from "../../shared/testing/platform-process.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import { createWatcher, type Watcher } from "../../watcher/watcher.ts";
import type { Cluster } from "./cluster.ts";
import { Deliveries } from "./deliveries.ts";
import type { Dont } from "./donts.ts";
import type { Draws } from "./draws.ts";
import type { EventLog } from "./event-log.ts";
import type { History, Run } from "./history.ts";
import { MachineClock } from "./machine-clock.ts";
import { recordedReconciler } from "./recorded-reconciler.ts";
import { slowCalls } from "./slow-calls.ts";
import { StartedRuns } from "./started-runs.ts";

export interface PlatformOptions {
  readonly clock: Clock;
  readonly draws: Draws;
  readonly cluster: Cluster;
  readonly history: History;
  readonly log: EventLog;
  readonly controllers: readonly Controller[];
  /** The code of a controller in a revision. */
  readonly code: (controller: string, revision: string, read: Run["read"]) => AnyReconciler;
  /** A rule of the protocol that is broken on purpose. */
  readonly dont?: Dont;
}

export interface Replica {
  readonly name: string;
  readonly process: PlatformProcess;
  readonly clock: MachineClock;
  readonly watcher: Watcher;
}

const OPERATIONS = ["read", "start", "end", "due", "clearTimer", "list"] as const;
const METRICS = { count: () => {}, gauge: () => {}, observe: () => {} };

/** All of Tidegate but the cluster: each watcher and each invocation is a machine with a clock of its own. */
export class Platform {
  readonly store = new MemoryRecordStore();
  readonly lease = new MemoryLeaseStore();
  readonly sqs: SqsCore;
  readonly functions = new Map<string, PlatformFunction>();
  readonly replicas: Replica[] = [];
  readonly deliveries: Deliveries;
  readonly revisions = new Map<string, string>();
  readonly started = new StartedRuns();
  /** Controllers of which the leader says that it rolls the revision out no further. */
  readonly stopped = new Set<string>();
  /** Of each call to AWS, in milliseconds. */
  latency: () => number = () => 0;
  /** How many times longer each call to the table and the queues takes. */
  slowness = 1;
  /** What befalls each call to the lease. */
  leaseFault?: LeaseFault;
  readonly #options: PlatformOptions;
  readonly #awaited = new Map<string, readonly ((process: PlatformProcess) => void)[]>();
  readonly #queues = new Map<string, RequestQueue>();
  readonly #machines: Draws;
  readonly #log: Logger;
  #ids = 0;
  #started = 0;

  constructor(options: PlatformOptions) {
    this.#options = options;
    const { clock, draws, history } = options;
    this.#log = logOf(history);
    this.#machines = draws.fork("machines");
    this.deliveries = new Deliveries(clock);
    this.sqs = new SqsCore({ clock, newId: this.newId, log: this.#log });
  }

  readonly newId = (): string => {
    this.#ids += 1;
    return `id-${this.#ids}`;
  };

  /** Makes queues and functions, with the first revision. */
  async start(): Promise<void> {
    for (const controller of this.#options.controllers) await this.#start(controller);
  }

  /** New code for the invocations that begin from now on. */
  deploy(controller: string, revision: string): void {
    this.functions.get(controller)?.deploy({ revision, reconciler: NOBODY });
    this.revisions.set(controller, revision);
  }

  /** The last step of a deploy: the item that tells watchers of it. */
  async tellRevision(controller: string): Promise<void> {
    const revision = this.revisions.get(controller) ?? "";
    await this.store.putRevision("main", controller, revision);
  }

  startWatcher(): Replica {
    const { clock: trueClock, cluster, controllers, dont, draws } = this.#options;
    const process = new PlatformProcess();
    const machine = this.#machine(0.03, 600_000);
    const server = new ServerClock(machine);
    const clock = process.reaching(machine) as Clock;
    const name = `watcher-${this.#started}`;
    this.#started += 1;
    const answered = (sentMs: number) => {
      const dateMs = 1_000 * Math.floor(trueClock.nowMs() / 1_000);
      server.observe({ dateMs, sentMs, receivedMs: machine.monotonicMs() });
    };
    const { monotonicMs } = machine;
    const network = { ...this.#network(), answered, monotonicMs };
    const far = <T extends object>(target: T) => process.reaching(slowCalls(target, network));
    const common = {
      clock,
      random: draws.number,
      newId: this.newId,
      log: this.#log,
      metrics: { ...METRICS, gauge: this.#gauge },
    };
    const lease = far(this.lease.connection({ fault: () => this.leaseFault }));
    const exit = () => this.killWatcher(replica);
    const watcher = createWatcher({
      ...common,
      controllers,
      cluster: "main",
      transport: process.reaching(cluster.connection(process)),
      store: far(dont?.watcherStore?.(this.store, trueClock) ?? this.store),
      queues: new Map([...this.#queues].map(([queue, to]) => [queue, far(to)])),
      lease: (clusterUid) => new Lease({ ...common, store: lease, holder: name, clusterUid, exit }),
      serverNowMs: server.nowMs,
    });
    const replica: Replica = { name, process, clock: machine, watcher };
    this.replicas.push(replica);
    void watcher.run(new AbortController().signal);
    return replica;
  }

  killWatcher(replica: Replica): void {
    replica.process.kill();
    this.#options.cluster.cutWatches(replica.process);
    this.replicas.splice(this.replicas.indexOf(replica), 1);
  }

  /** Does something to the next invocation of a function, with its process. */
  atNextInvocation(controller: string, act: (process: PlatformProcess) => void): void {
    const acts = this.#awaited.get(controller) ?? [];
    this.#awaited.set(controller, [...acts, act]);
  }

  /** No further call fails, and somebody watches. */
  heal(): void {
    this.sqs.clearFaults();
    this.deliveries.heal();
    this.#awaited.clear();
    this.store.readAgain();
    this.slowness = 1;
    delete this.leaseFault;
    for (const operation of OPERATIONS) {
      for (const when of ["before", "after"] as const) {
        this.store.failNext(operation, { times: 0, when });
      }
    }
    if (this.replicas.length === 0) this.startWatcher();
  }

  stop(): void {
    for (const each of this.functions.values()) each.stop();
    for (let [first] = this.replicas; first; [first] = this.replicas) this.killWatcher(first);
    this.sqs.close();
  }

  readonly #gauge: Metrics["gauge"] = (name, value, { controller = "" } = {}) => {
    if (name !== "RevisionStopped") return;
    if (value > 0) this.stopped.add(controller);
    else this.stopped.delete(controller);
  };

  #network() {
    return { clock: this.#options.clock, latency: () => this.latency() * this.slowness };
  }

  /** The clock of another machine. */
  #machine(drift: number, mostOffsetMs: number): MachineClock {
    const offsetMs = this.#machines.between(-mostOffsetMs, mostOffsetMs);
    const rate = 1 + drift * (2 * this.#machines.number() - 1);
    return new MachineClock(this.#options.clock, { offsetMs, rate });
  }

  async #start(controller: Controller): Promise<void> {
    const { clock, cluster, draws, dont } = this.#options;
    const { name } = controller;
    const { visibilityTimeoutSeconds, maxReceiveCount } = mappingOf(controller);
    const deadLetterQueueUrl = await this.#queue(`dead-${name}.fifo`, {});
    const deadLetterTargetArn = this.sqs.arnOf(`dead-${name}.fifo`);
    const queueUrl = await this.#queue(`${name}.fifo`, {
      VisibilityTimeout: String(visibilityTimeoutSeconds),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
    });
    const sqs = createMemorySqsClient(this.sqs);
    const random = draws.number;
    const common = { clock, random, newId: this.newId, log: this.#log, metrics: METRICS };
    const queue = createSqsRequestQueue({ ...common, client: sqs, queueUrl, deadLetterQueueUrl });
    this.#queues.set(name, dont?.watcherQueue?.(queue) ?? queue);
    const network = this.#network();
    const kube = createKubeClient(cluster.connection(new PlatformProcess()));
    const store = slowCalls(dont?.workerStore?.(this.store, cluster) ?? this.store, network);
    this.revisions.set(name, "r1");
    await this.store.putRevision("main", name, "r1");
    this.functions.set(
      name,
      new PlatformFunction({
        ...common,
        controller,
        reconciler: NOBODY,
        sqs,
        queueUrl,
        store,
        queue: slowCalls(dont?.workerQueue?.(queue) ?? queue, network),
        kube: dont?.workerKube?.(kube) ?? kube,
        cluster: "main",
        revision: "r1",
        host: (process) => ({
          ...this.#host(controller, process),
          store: this.started.through(process, store),
        }),
        deliver: (event, invoke) => this.deliveries.deliver(name, event, invoke),
      }),
    );
  }

  /** What one invocation has of its own. */
  #host({ name, timeoutSeconds }: Controller, process: PlatformProcess) {
    const { clock, history, log, code } = this.#options;
    const nowMs = clock.monotonicMs;
    const [act, ...later] = this.#awaited.get(name) ?? [];
    this.#awaited.set(name, later);
    act?.(process);
    const revision = this.revisions.get(name) ?? "";
    const reconciler = recordedReconciler({
      controller: name,
      revision,
      process,
      deadlineMs: nowMs() + timeoutSeconds * 1_000,
      history,
      log,
      nowMs,
      code: (read) => code(name, revision, read),
    });
    return { clock: this.#machine(0.001, 1_000), reconciler };
  }

  async #queue(QueueName: string, more: Record<string, string>): Promise<string> {
    const high = { DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" };
    const Attributes = { FifoQueue: "true", ...high, ...more };
    const made = await this.sqs.call("CreateQueue", { QueueName, Attributes });
    return (made as { QueueUrl: string }).QueueUrl;
  }
}

const MISTAKES = [
  "TypeError",
  "RangeError",
  "ReferenceError",
  "AssertionError",
  "AssertionError [ERR_ASSERTION]",
];

/** Logs nothing; but an error that no fault of the outside explains is a violation. */
function logOf(history: History): Logger {
  return loggerOf((_level, message, { error }) => {
    const { name = "", stack = "" } = (error ?? {}) as Partial<Error>;
    if (MISTAKES.includes(name)) history.violate("no mistake in the code", `${message}: ${stack}`);
  });
}

/** Each invocation brings its own. */
const NOBODY = {
  reconcile: async () => {},
  finalize: async () => {},
} as unknown as AnyReconciler;
