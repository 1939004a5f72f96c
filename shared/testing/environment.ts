import type { Controller } from "../api/controller.ts";
import { type Kind, type KubernetesObject, keyOf } from "../api/object.ts";
import type { Manifest } from "../api/resource.ts";
import type { DeleteRequest, KubeClient, ListRequest, WriteOptions } from "../kube/kube-client.ts";
import type { ObjectRecord } from "../queue/record.ts";
import type { AnyReconciler } from "../worker/run-object.ts";
import { ClusterObjects, keyOfName, type NameOrKey } from "./cluster-objects.ts";
import type { EnvironmentOptions } from "./environment-options.ts";
import { checkIdempotency } from "./idempotency.ts";
import { installKinds } from "./install-kinds.ts";
import { MemoryPlatform, type PlatformRun } from "./memory-platform.ts";
import { ObjectEvent } from "./object-event.ts";
import { settle } from "./settling.ts";
import { type LogLine, type Stage, stageOf } from "./stage.ts";
import type { TestClock } from "./test-clock.ts";
import type { TestCluster } from "./test-cluster.ts";
import { type FaultScope, TransportFaults } from "./transport-faults.ts";
import type { WriteJournal } from "./write-journal.ts";

/** A manifest of any kind, or YAML of any number of them. */
type Manifests = string | { readonly apiVersion: string; readonly kind: string };

/**
 * A cluster with controllers, which run in this process and on one virtual clock. Time stands still
 * but within `settled` and `advance`; on a cluster of yours it is real. Make one with
 * `startEnvironment`, and stop it when the test ends.
 */
export class Environment {
  readonly clock: TestClock;
  /** A client that no asked-for failure meets. */
  readonly client: KubeClient;
  readonly #options: EnvironmentOptions<readonly Controller[]>;
  readonly #cluster: TestCluster;
  readonly #objects: ClusterObjects;
  readonly #platform: MemoryPlatform<TestClock>;
  readonly #faults: TransportFaults;
  readonly #journal: WriteJournal;
  readonly #clusterLog: readonly LogLine[];
  readonly #restMs: number;
  #checked = 0;
  #stopped: Promise<void> | undefined;

  constructor(options: EnvironmentOptions<readonly Controller[]>, stage: Stage) {
    this.#options = options;
    this.clock = stage.clock;
    this.#cluster = stage.cluster;
    this.#journal = stage.journal;
    this.#restMs = stage.restMs;
    this.#clusterLog = stage.log;
    this.#faults = new TransportFaults(this.clock);
    const { transport } = stage.cluster;
    this.#objects = new ClusterObjects(this.#journal.over(transport, "the test"));
    this.client = this.#objects.client;
    this.#platform = new MemoryPlatform({
      controllers: this.#pairs(),
      transport: this.#faults.over(this.#journal.over(transport, "a controller")),
      clock: this.clock,
    });
  }

  /** Brings kinds and controllers up. Called once, by `startEnvironment`. */
  async start(): Promise<void> {
    const controllers = this.#pairs().map(([controller]) => controller);
    const { crds = [] } = this.#options;
    const { ours } = this.#cluster;
    await installKinds({ controllers, crds, objects: this.#objects, clock: this.clock, ours });
    await this.#platform.deploy();
    await this.#startWatcher();
  }

  /**
   * Server-side apply as a user does it: a kind and what one writes of it, an object of any kind, or
   * YAML. Fields of others are conflicts unless `force`. Resolves to the object, of YAML to the last.
   */
  apply(manifests: Manifests, options?: { force?: boolean }): Promise<KubernetesObject>;
  apply<T extends KubernetesObject>(
    kind: Kind<T>,
    manifest: Manifest<T>,
    options?: { force?: boolean },
  ): Promise<T>;
  async apply(
    first: Manifests | Kind,
    second?: Manifest<KubernetesObject> | { force?: boolean },
    third?: { force?: boolean },
  ): Promise<KubernetesObject> {
    if (typeof first !== "string" && "plural" in first) {
      return await this.#writes.apply(first, second as Manifest<KubernetesObject>, third);
    }
    return await this.#writes.applyText(first, second as { force?: boolean });
  }

  async create<T extends KubernetesObject>(kind: Kind<T>, manifest: Manifest<T>): Promise<T> {
    return await this.#writes.create(kind, manifest);
  }

  /** Resolves to undefined where there is no such object. */
  async get<T extends KubernetesObject>(kind: Kind<T>, name: NameOrKey): Promise<T | undefined> {
    return await this.#objects.get(kind, name);
  }

  /** Objects of all namespaces, unless the options name one. */
  async list<T extends KubernetesObject>(
    kind: Kind<T>,
    options?: ListRequest,
  ): Promise<readonly T[]> {
    return await this.#objects.list(kind, options);
  }

  async update<T extends KubernetesObject>(kind: Kind<T>, object: T): Promise<T> {
    return await this.#writes.update(kind, object);
  }

  /** A JSON merge patch; with `{ subresource: "status" }` of the status. */
  async patch<T extends KubernetesObject>(
    kind: Kind<T>,
    name: NameOrKey,
    patch: object,
    options?: WriteOptions,
  ): Promise<T> {
    return await this.#writes.patch(kind, name, patch, options);
  }

  /** Resolves to false where there was no such object. */
  async delete(kind: Kind, name: NameOrKey, options?: DeleteRequest): Promise<boolean> {
    return await this.#writes.delete(kind, name, options);
  }

  /**
   * Lets everything happen that needs no waiting, which takes some hundred milliseconds of virtual
   * time; timers and backoffs stay in the future. Then runs each reconcile that ended well once
   * more, without effect, and rejects where it would write. Rejects, too, where an object keeps
   * waking itself.
   */
  async settled(): Promise<void> {
    this.#requireRunning("settle");
    const platform = this.#platform;
    const { maxRuns = 100, idempotent = true } = this.#options;
    const { work } = this.#cluster;
    const [faults, journal, restMs] = [this.#faults, this.#journal, this.#restMs];
    await settle({ platform, faults, journal, maxRuns, restMs, work });
    const runs = platform.runs.slice(this.#checked);
    this.#checked = platform.runs.length;
    const { transport } = this.#cluster;
    if (idempotent)
      await checkIdempotency({ platform, controllers: this.#pairs(), transport }, runs);
  }

  /** Lets so many milliseconds pass, with all that happens meanwhile. */
  async advance(ms: number): Promise<void> {
    this.#requireRunning("advance time");
    requireMs("advance time", ms);
    await this.clock.advance(ms);
  }

  /** The calls of reconcilers so far, in order; of one controller, of one object. */
  runs(controller?: Pick<Controller, "name" | "for">, name?: NameOrKey): readonly PlatformRun[] {
    const key = controller && name !== undefined ? keyOfName(controller.for, name) : undefined;
    return this.#platform.runs
      .filter((run) => controller === undefined || run.controller === controller.name)
      .filter((run) => key === undefined || run.key === `${key.namespace}/${key.name}`);
  }

  /** What Tidegate keeps of the runs of an object: epoch, outcome, failures, timer. */
  record(controller: Pick<Controller, "name" | "for">, name: NameOrKey): ObjectRecord {
    return this.#platform.record(keyOfName(controller.for, name), controller.name);
  }

  /** The Events about an object. */
  async events(object: KubernetesObject): Promise<readonly ObjectEvent[]> {
    const namespace = keyOf(object).namespace || "default";
    const all = await this.client.list(ObjectEvent, { namespace });
    return all.filter(({ regarding }) => regarding.uid === object.metadata.uid);
  }

  /** What controllers logged, after what the cluster in memory did. */
  get log(): readonly LogLine[] {
    return [...this.#clusterLog, ...this.#platform.log];
  }

  /** The next call of a controller or watcher within the scope answers this status, or loses its connection with this error. */
  failNext(scope: FaultScope, answer: number | Error): void {
    if (typeof answer === "number" && !(answer >= 400 && answer <= 599)) {
      throw new Error(
        `cannot fail the next call: expected a status from 400 to 599, got ${answer}`,
      );
    }
    this.#faults.failNext(scope, answer);
  }

  /** Each call of controllers and watchers takes so many milliseconds from now on. */
  latency(ms: number): void {
    requireMs("set the latency", ms);
    this.#faults.latency(ms);
  }

  /** The next write of a controller to this object meets a conflict. */
  conflict(kind: Kind, name: NameOrKey): void {
    this.#faults.conflict(kind, keyOfName(kind, name));
  }

  /** Breaks the connections of all watches of controllers. */
  cutWatches(): void {
    this.#faults.cutWatches();
  }

  /** Ends every function that runs where it stands; SQS delivers again after the visibility timeout. */
  killWorker(): void {
    this.#platform.killWorkers();
  }

  /** Stops the watcher, and starts another one that leads. */
  async restartWatcher(): Promise<void> {
    this.#requireRunning("restart the watcher");
    await this.#platform.watchers.pop()?.stop();
    this.#faults.forgetCut();
    await this.#startWatcher();
  }

  /**
   * Ends everything. Nothing is left behind; on a cluster of yours, no object that was created, or it
   * rejects with what is left. Can be called again.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#faults.clear();
    try {
      await this.#cluster.empty();
    } finally {
      await this.#platform.stop();
      const stopping = this.#cluster.stop();
      await this.clock.advance(0);
      await stopping;
    }
  }

  get #writes(): ClusterObjects {
    this.#requireRunning("write");
    return this.#objects;
  }

  /** A stopped environment runs nothing: whoever waits for it would see success. */
  #requireRunning(what: string): void {
    if (this.#stopped === undefined) return;
    throw new Error(
      `cannot ${what}: expected an environment that runs, got one that was stopped; await every call before stop(), or start another`,
    );
  }

  async #startWatcher(): Promise<void> {
    const { watcher } = this.#platform.startWatcher();
    for (let tries = 0; tries < 600; tries += 1) {
      const { leading, ready } = watcher.health();
      if (leading && ready) return await this.clock.advance(2_000);
      await this.clock.advance(100);
    }
    const { sources } = watcher.health();
    throw new Error(
      `cannot start: expected the watcher to lead within a minute, got ${JSON.stringify(sources)}`,
    );
  }

  #pairs(): readonly (readonly [Controller, AnyReconciler])[] {
    return this.#options.controllers as readonly (readonly [Controller, AnyReconciler])[];
  }
}

function requireMs(what: string, ms: number): void {
  if (Number.isFinite(ms) && ms >= 0) return;
  throw new Error(`cannot ${what}: expected milliseconds, got ${String(ms)}`);
}

/**
 * Starts a cluster and the controllers in memory, on a virtual clock, and resolves once the watcher
 * leads. Stop it when the test ends. Where KUBEBUILDER_ASSETS names a folder with etcd and
 * kube-apiserver, they serve the cluster. Where TIDEGATE_KUBECONFIG names a kubeconfig, the cluster is
 * that one, and time is real. Rejects with one line where that cluster cannot be had.
 */
export async function startEnvironment<const C extends readonly Controller[]>(
  options: EnvironmentOptions<C>,
): Promise<Environment> {
  const stage = await stageOf(process.env);
  const any = options as unknown as EnvironmentOptions<readonly Controller[]>;
  const environment = new Environment(any, stage);
  try {
    await environment.start();
  } catch (error) {
    await environment.stop().catch(() => {}); // What it has to say follows from the first error.
    throw error;
  }
  return environment;
}
