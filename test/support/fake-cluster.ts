import * as builtIn from "../../shared/api/kinds.ts";
import type { Key, Kind, KubernetesObject } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import type { KubeRequest, KubeResponse, KubeStream, Transport } from "../../shared/kube/wire.ts";
import { FakeApi, pathOf } from "./fake-api.ts";
import { garbageOf } from "./fake-garbage.ts";
import {
  absent,
  copy,
  type Json,
  notServed,
  Refusal,
  type ServedKind,
  servedKind,
} from "./fake-object.ts";
import { FakeStore } from "./fake-store.ts";
import type { FakeWatch } from "./fake-watch.ts";

/**
 * What befalls a request: an answer in the place of the real one, an error before it is done, or "cut":
 * it is done, but its answer is lost.
 */
export type Fault = KubeResponse | Error | "cut" | undefined;

/** A Kubernetes API server in memory, without sockets, whose time is the clock that it is given. */
export class FakeCluster implements Transport {
  /** All requests so far, watches included. */
  readonly requests: KubeRequest[] = [];
  readonly #store: FakeStore;
  readonly #api: FakeApi;
  readonly #watches = new Set<FakeWatch>();
  readonly #garbageCollector: boolean;
  #faults: (request: KubeRequest) => Fault | Promise<Fault> = () => undefined;
  #collecting = false;

  /** @param options.garbageCollector Runs by itself after each change; default true. */
  constructor({ clock, garbageCollector = true }: { clock: Clock; garbageCollector?: boolean }) {
    this.#garbageCollector = garbageCollector;
    this.#store = new FakeStore(clock, (change) => {
      for (const watch of this.watches) if (watch.kind === change.kind) watch.tell(change);
      this.#collectSoon();
    });
    this.#api = new FakeApi(clock, this.#store);
    for (const kind of Object.values(builtIn)) {
      if (typeof kind === "object" && "plural" in kind) this.serve(kind as Kind);
    }
  }

  get resourceVersion(): string {
    return String(this.#store.version);
  }

  /** The watches that are open now. */
  get watches(): readonly FakeWatch[] {
    for (const watch of this.#watches) if (!watch.open) this.#watches.delete(watch);
    return [...this.#watches];
  }

  /** From now on the kind exists, as after its CustomResourceDefinition was made. Built-in kinds do from the start. */
  serve(kind: Kind): void {
    this.#api.kinds.set(pathOf(kind), servedKind(kind));
  }

  /** Removes the kind with all its objects, as the deletion of its CustomResourceDefinition does. */
  unserve(kind: Kind): void {
    const served = this.#served(kind);
    for (const object of this.#store.list(served)) {
      const metadata = { ...object.metadata, finalizers: [] };
      this.#store.remove(served, { ...object, metadata });
    }
    for (const watch of this.watches) if (watch.kind === served) watch.close();
    this.#api.kinds.delete(pathOf(kind));
  }

  /** Asked before each request; undefined lets it pass. */
  fault(faults: (request: KubeRequest) => Fault | Promise<Fault>): void {
    this.#faults = faults;
  }

  /** All open watches break off. */
  dropWatches(): void {
    for (const watch of this.watches) watch.cut();
  }

  /** All open watches hang: no bytes, no end. */
  silenceWatches(): void {
    for (const watch of this.watches) watch.silence();
  }

  /** Sends a bookmark on each open watch, or any other line. */
  bookmark(): void {
    for (const watch of this.watches) watch.bookmark();
  }

  /** Forgets the history: older versions are too old from now on, told by HTTP status or as an event. */
  compact({ as = "event" }: { as?: "status" | "event" } = {}): void {
    this.#store.changes.length = 0;
    this.#store.compactedVersion = this.#store.version;
    this.#api.pages.clear();
    this.#api.tooOld = as;
  }

  /** From now on nothing can be created in the namespace. */
  terminating(namespace: string): void {
    this.#store.terminatingNamespaces.add(namespace);
  }

  /** Creates the object, or merges it into the one that is there; status included. */
  apply<T extends KubernetesObject>(
    object: {
      readonly apiVersion: string;
      readonly kind: string;
      readonly metadata: object;
    } & Json,
  ): T {
    const kind = [...this.#api.kinds.values()].find(
      ({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind,
    );
    if (!kind) throw notServed();
    const metadata = object.metadata as { namespace?: string; name: string };
    const live = this.#store.get(kind, metadata);
    const wanted = { ...object, metadata: { ...live?.metadata, ...metadata } };
    const stored = live
      ? this.#store.replace(kind, live, { ...live, ...wanted }, { scope: "all", owners: "test" })
      : this.#store.create(kind, wanted, "all", "test");
    return copy(stored) as unknown as T;
  }

  get<T extends KubernetesObject>(kind: Kind<T>, key: Key): T | undefined {
    const stored = this.#store.get(this.#served(kind), key);
    return stored && (copy(stored) as unknown as T);
  }

  list<T extends KubernetesObject>(kind: Kind<T>): readonly T[] {
    return copy(this.#store.list(this.#served(kind))) as unknown as readonly T[];
  }

  /** Writes what `change` makes of the object; status included. */
  update<T extends KubernetesObject>(kind: Kind<T>, key: Key, change: (object: T) => object): T {
    const served = this.#served(kind);
    const live = this.#store.get(served, key);
    if (!live) throw absent(kind, key.name);
    const wanted = change(copy(live) as unknown as T) as Json;
    return copy(
      this.#store.replace(served, live, wanted, { scope: "all", owners: "test" }),
    ) as unknown as T;
  }

  /** Deletes the object as a DELETE does: it stays, terminating, while it has finalizers. */
  delete(kind: Kind, key: Key, propagation?: "Background" | "Foreground"): void {
    const served = this.#served(kind);
    const live = this.#store.get(served, key);
    if (!live) throw absent(kind, key.name);
    this.#store.remove(served, live, propagation);
  }

  /** Runs the garbage collector until it has nothing to do. */
  collectGarbage(): void {
    for (let busy = true; busy; ) {
      const stored = [...this.#store.everything()];
      const kinds = new Map(stored.map(({ kind, object }) => [object.metadata.uid, kind]));
      const garbage = garbageOf(stored.map(({ object }) => object));
      for (const item of garbage) {
        const { object } = item;
        const kind = kinds.get(object.metadata.uid);
        if (!kind) continue;
        if (item.action === "delete") {
          this.#store.remove(kind, object, item.foreground ? "Foreground" : "Background");
          continue;
        }
        const change =
          item.action === "disown"
            ? { ownerReferences: item.owners }
            : { finalizers: item.finalizers };
        const metadata = { ...object.metadata, ...change };
        this.#store.replace(
          kind,
          object,
          { ...object, metadata },
          { scope: "all", owners: "garbage-collector" },
        );
      }
      busy = garbage.length > 0;
    }
  }

  request = async (request: KubeRequest): Promise<KubeResponse> => {
    this.requests.push(request);
    const fault = await this.#faults(request);
    if (request.signal?.aborted) throw request.signal.reason;
    if (fault instanceof Error) throw fault;
    if (fault !== undefined && fault !== "cut") return fault;
    const response = copy(this.#api.answer(request));
    if (fault === "cut") throw cutOff();
    return response;
  };

  stream = async (request: KubeRequest): Promise<KubeStream> => {
    this.requests.push(request);
    const fault = await this.#faults(request);
    if (request.signal?.aborted) throw request.signal.reason;
    if (fault instanceof Error) throw fault;
    if (fault !== undefined && fault !== "cut") return answerStream(fault);
    try {
      const watch = this.#api.watch(request);
      this.#watches.add(watch);
      if (fault === "cut") watch.cut();
      return watch;
    } catch (error) {
      if (error instanceof Refusal) return answerStream(error.response);
      throw error;
    }
  };

  close = (): void => this.dropWatches();

  #served(kind: Kind): ServedKind {
    const served = this.#api.kinds.get(pathOf(kind));
    if (!served) throw notServed();
    return served;
  }

  #collectSoon(): void {
    if (!this.#garbageCollector || this.#collecting) return;
    this.#collecting = true;
    queueMicrotask(() => {
      this.collectGarbage();
      this.#collecting = false;
    });
  }
}

function answerStream({ status, headers, body }: KubeResponse): KubeStream {
  async function* lines() {
    yield typeof body === "string" ? body : JSON.stringify(body);
  }
  return { status, headers, lines: lines(), close: () => {} };
}

function cutOff(): Error {
  return Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
}
