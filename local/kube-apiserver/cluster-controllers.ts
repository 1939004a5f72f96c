import { Namespace } from "../../shared/api/kinds.ts";
import type { Kind, OwnerReference } from "../../shared/api/object.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import { GarbageGraph, ownersOf } from "../kube/garbage-graph.ts";
import { WorkloadQueue } from "../kube/workload-queue.ts";
import { runWorkloads, WORKLOADS, type WorkloadsOptions } from "../kube/workloads.ts";
import { garbageCollection } from "./collect-garbage.ts";
import { emptyNamespace } from "./empty-namespace.ts";
import { type FollowedChange, FollowedKinds } from "./followed-kinds.ts";

export interface ClusterControllersOptions extends WorkloadsOptions {
  /** How the API server serves a kind; undefined where it does not. */
  readonly served: (kind: Pick<Kind, "apiVersion" | "kind">) => Promise<Kind | undefined>;
}

const AGAIN_MS = 100;

/**
 * What a kube-apiserver alone lacks, over its API: workloads get pods, garbage is collected, and
 * namespaces that terminate are emptied. Of objects of a kind it learns by `follow` alone, unless an
 * owner is of that kind.
 */
export class ClusterControllers {
  readonly #options: ClusterControllersOptions;
  readonly #stopping = new AbortController();
  readonly #graph = new GarbageGraph<Kind>();
  readonly #kinds: FollowedKinds;
  readonly #garbage: WorkloadQueue;
  readonly #namespaces: WorkloadQueue;
  readonly #running: Promise<unknown>;
  readonly #terminating = new Set<string>();

  constructor(options: ClusterControllersOptions) {
    this.#options = options;
    const { signal } = this.#stopping;
    this.#kinds = new FollowedKinds(options, (...change) => this.#follow(...change), signal);
    this.#garbage = this.#garbageQueue();
    this.#namespaces = this.#namespaceQueue();
    for (const kind of [Namespace, ...WORKLOADS]) this.follow(kind);
    this.#running = Promise.all([
      runWorkloads(options, signal),
      this.#garbage.run(signal),
      this.#namespaces.run(signal),
    ]);
  }

  /** Objects of this kind own, are owned, and go with their namespace from now on. */
  follow(kind: Kind): void {
    this.#kinds.follow(kind);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#running, this.#kinds.ended()]);
  }

  #garbageQueue(): WorkloadQueue {
    const { clock, log, transport } = this.#options;
    const attend = garbageCollection({
      client: createKubeClient(transport),
      graph: this.#graph,
      find: (apiVersion, kind) => this.#kinds.find(apiVersion, kind),
      learn: (owner) => this.#learn(owner),
    });
    const reconcile = async (key: { namespace: string; name: string }) => {
      const attended = await attend(key.name);
      if (attended === "later") this.#garbage.addLater(key, AGAIN_MS, this.#stopping.signal);
    };
    return new WorkloadQueue({ name: "garbage-collector", clock, log, reconcile });
  }

  #namespaceQueue(): WorkloadQueue {
    const { clock, log, transport } = this.#options;
    const client = createKubeClient(transport);
    const emptying = { transport, client, graph: this.#graph, clock };
    const reconcile = async (key: { namespace: string; name: string }) => {
      if (this.#kinds.synced) await emptyNamespace(emptying, key.name);
      else this.#namespaces.addLater(key, AGAIN_MS, this.#stopping.signal);
    };
    return new WorkloadQueue({ name: "namespace", clock, log, reconcile });
  }

  #follow({ type, object }: FollowedChange, kind: Kind): void {
    const { uid } = object.metadata;
    const dependents = this.#graph.dependents(uid);
    const change = { type: type === "deleted" ? "DELETED" : "MODIFIED", object };
    const left = this.#graph.follow(change, kind);
    this.#attend(uid, ...left, ...ownersOf(object).map((owner) => owner.uid));
    if (type === "deleted") {
      this.#attend(...dependents.map((each) => each.object.metadata.uid));
    }
    this.#emptyAround({ type, object }, kind);
  }

  #emptyAround({ type, object: { metadata } }: FollowedChange, kind: Kind): void {
    const { name, namespace = "", deletionTimestamp } = metadata;
    const itself = kind.kind === Namespace.kind;
    const within = itself ? name : namespace;
    if (itself && deletionTimestamp !== undefined) this.#terminating.add(name);
    if (itself && type === "deleted") this.#terminating.delete(name);
    if (this.#terminating.has(within)) this.#namespaces.add({ namespace: "", name: within });
  }

  #attend(...uids: readonly string[]): void {
    for (const uid of uids) this.#garbage.add({ namespace: "", name: uid });
  }

  async #learn(owner: OwnerReference): Promise<Kind | undefined> {
    const kind = await this.#options.served(owner);
    if (kind) this.follow(kind);
    return kind;
  }
}
