import type { OwnerReference } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import type { Json } from "./fields-value.ts";
import { followObjects } from "./follow-objects.ts";
import { GarbageGraph, type GraphNode, ownersOf } from "./garbage-graph.ts";
import { Later } from "./later.ts";
import type { Registry } from "./registry.ts";
import { deleteObject } from "./registry-delete.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ObjectStore } from "./store.ts";

export interface GarbageCollectorOptions {
  readonly store: ObjectStore;
  readonly catalog: ResourceCatalog;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";
const MANAGER = "kube-controller-manager";

/**
 * Deletes what nobody owns any more, as the garbage collector of a cluster does. An owner is known
 * by its uid, in the namespace of its dependent or in none.
 * https://kubernetes.io/docs/concepts/architecture/garbage-collection/
 */
export function startGarbageCollector(options: GarbageCollectorOptions): () => void {
  const graph = new GarbageGraph();
  const later = new Later(options.onError);
  const collector = new Collector(options, graph);
  const stop = followObjects(options, (event, resource) => {
    const left = graph.follow(event, resource);
    const { uid } = event.object.metadata;
    const owners = [...left, ...ownersOf(event.object).map((owner) => owner.uid)];
    later.do(() => collector.attend(uid));
    if (event.type === "DELETED") {
      for (const { object } of graph.dependents(uid))
        later.do(() => collector.attend(object.metadata.uid));
    }
    for (const owner of owners) later.do(() => collector.attend(owner));
  });
  return () => {
    stop();
    later.close();
  };
}

class Collector {
  readonly #options: GarbageCollectorOptions;
  readonly #graph: GarbageGraph;

  constructor(options: GarbageCollectorOptions, graph: GarbageGraph) {
    this.#options = options;
    this.#graph = graph;
  }

  /** Looks at one object: whether it waits for dependents, and whether anybody still owns it. */
  attend(uid: string): void {
    const node = this.#graph.get(uid);
    if (!node) return;
    try {
      if (node.object.metadata.deletionTimestamp !== undefined) this.#attendTerminating(node);
      else this.#attendOwned(node);
    } catch (error) {
      // Gone, or changed, meanwhile: the change of it is attended to next.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #attendTerminating(node: GraphNode): void {
    const { finalizers = [], uid } = node.object.metadata;
    const dependents = this.#graph.dependents(uid);
    if (finalizers.includes(ORPHAN)) {
      for (const each of dependents) this.#disown(each, [uid]);
      this.#removeFinalizer(node, ORPHAN);
    } else if (finalizers.includes(FOREGROUND)) {
      for (const each of dependents) this.attend(each.object.metadata.uid);
      const left = this.#graph.dependents(uid);
      const blocked = left.some(({ object }) =>
        ownersOf(object).some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
      );
      if (!blocked) this.#removeFinalizer(node, FOREGROUND);
    }
  }

  #attendOwned(node: GraphNode): void {
    const owners = ownersOf(node.object);
    if (owners.length === 0) return;
    const states = owners.map((owner) => ({ owner, state: this.#stateOf(node, owner) }));
    const of = (state: OwnerState) => states.filter((each) => each.state === state);
    if (of("unknown").length > 0) return;
    const useless = [...of("absent"), ...of("waiting")].map(({ owner }) => owner.uid);
    if (useless.length === 0) return;
    if (of("solid").length > 0) {
      this.#disown(node, useless);
      return;
    }
    const foreground =
      of("waiting").length > 0 && this.#graph.dependents(node.object.metadata.uid).length > 0;
    this.#delete(node, foreground ? "Foreground" : undefined);
  }

  #stateOf({ object }: GraphNode, owner: OwnerReference): OwnerState {
    const { catalog } = this.#options;
    const slash = owner.apiVersion.indexOf("/");
    const group = slash < 0 ? "" : owner.apiVersion.slice(0, slash);
    const resource = catalog.all().find((each) => each.group === group && each.kind === owner.kind);
    // A kind that is not served now may be again: nothing is deleted for its sake.
    if (!resource) return "unknown";
    const found = this.#graph.get(owner.uid)?.object;
    const there =
      found !== undefined &&
      found.metadata.name === owner.name &&
      found.kind === owner.kind &&
      (!resource.namespaced || found.metadata.namespace === object.metadata.namespace);
    if (!there) return "absent";
    const { deletionTimestamp, finalizers = [] } = found.metadata;
    return deletionTimestamp !== undefined && finalizers.includes(FOREGROUND) ? "waiting" : "solid";
  }

  #delete({ resource, object }: GraphNode, asked: "Foreground" | undefined): void {
    const { name, namespace = "", uid, finalizers = [] } = object.metadata;
    const own = finalizers.includes(ORPHAN)
      ? "Orphan"
      : finalizers.includes(FOREGROUND)
        ? "Foreground"
        : "Background";
    const options = { propagation: asked ?? own, uid, dryRun: false } as const;
    deleteObject(this.#options, { resource, namespace, name, options });
  }

  #disown({ resource, object }: GraphNode, uids: readonly string[]): void {
    const kept = ownersOf(object).filter((owner) => !uids.includes(owner.uid));
    if (kept.length === ownersOf(object).length) return;
    this.#patch({ resource, object }, (metadata) => {
      const { ownerReferences: _, ...rest } = metadata;
      return kept.length > 0 ? { ...rest, ownerReferences: kept } : rest;
    });
  }

  #removeFinalizer(node: GraphNode, finalizer: string): void {
    this.#patch(node, (metadata) => ({
      ...metadata,
      finalizers: ((metadata.finalizers ?? []) as readonly string[]).filter(
        (each) => each !== finalizer,
      ),
    }));
  }

  #patch({ resource, object }: GraphNode, change: (metadata: Json) => Json): void {
    const { name, namespace = "" } = object.metadata;
    const options = {
      manager: MANAGER,
      dryRun: false,
      fieldValidation: "Ignore",
      force: false,
    } as const;
    this.#options.registry.patch(
      { resource, namespace, name, options, warn: () => {} },
      (live: ApiObject) =>
        ({ ...live, metadata: change(live.metadata as unknown as Json) }) as unknown as Json,
    );
  }
}

/** "waiting": it is deleted once its dependents are. "unknown": its kind is not served. */
type OwnerState = "solid" | "waiting" | "absent" | "unknown";
