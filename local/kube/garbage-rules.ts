import type { OwnerReference } from "../../shared/api/object.ts";
import type { ApiObject } from "./api-object.ts";
import type { Json } from "./fields-value.ts";
import { type GarbageGraph, type GraphNode, ownersOf } from "./garbage-graph.ts";

/** What the rules need of an API server; R says where an object is served. */
export interface GarbageActions<R> {
  /** Whether objects of the kind have a namespace; undefined where it is not served. */
  readonly namespaced: (apiVersion: string, kind: string) => boolean | undefined;
  readonly remove: (
    node: GraphNode<R>,
    propagation: "Background" | "Foreground" | "Orphan",
  ) => void;
  readonly change: (node: GraphNode<R>, metadata: (live: Json) => Json) => void;
}

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

/**
 * What is garbage, by the rules of a cluster's garbage collector. An owner is known by its uid, in the
 * namespace of its dependent or in none.
 * https://kubernetes.io/docs/concepts/architecture/garbage-collection/
 */
export class GarbageRules<R> {
  readonly #actions: GarbageActions<R>;
  readonly #graph: GarbageGraph<R>;

  constructor(graph: GarbageGraph<R>, actions: GarbageActions<R>) {
    this.#graph = graph;
    this.#actions = actions;
  }

  /** Looks at one object: whether it waits for dependents, and whether anybody still owns it. */
  attend(uid: string): void {
    const node = this.#graph.get(uid);
    if (!node) return;
    if (node.object.metadata.deletionTimestamp !== undefined) this.#attendTerminating(node);
    else this.#attendOwned(node);
  }

  #attendTerminating(node: GraphNode<R>): void {
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

  #attendOwned(node: GraphNode<R>): void {
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
    const dependents = this.#graph.dependents(node.object.metadata.uid);
    const foreground = of("waiting").length > 0 && dependents.length > 0;
    if (foreground && dependents.some(({ object }) => isWaiting(object))) this.#unblock(node);
    this.#delete(node, foreground ? "Foreground" : undefined);
  }

  #stateOf({ object }: GraphNode<R>, owner: OwnerReference): OwnerState {
    const namespaced = this.#actions.namespaced(owner.apiVersion, owner.kind);
    // A kind that is not served now may be again: nothing is deleted for its sake.
    if (namespaced === undefined) return "unknown";
    const found = this.#graph.get(owner.uid)?.object;
    const there =
      found !== undefined &&
      found.metadata.name === owner.name &&
      found.kind === owner.kind &&
      (!namespaced || found.metadata.namespace === object.metadata.namespace);
    if (!there) return "absent";
    return isWaiting(found) ? "waiting" : "solid";
  }

  #delete(node: GraphNode<R>, asked: "Foreground" | undefined): void {
    const { finalizers = [] } = node.object.metadata;
    const own = finalizers.includes(ORPHAN)
      ? "Orphan"
      : finalizers.includes(FOREGROUND)
        ? "Foreground"
        : "Background";
    this.#actions.remove(node, asked ?? own);
  }

  #disown(node: GraphNode<R>, uids: readonly string[]): void {
    const kept = ownersOf(node.object).filter((owner) => !uids.includes(owner.uid));
    if (kept.length === ownersOf(node.object).length) return;
    this.#actions.change(node, (metadata) => {
      const { ownerReferences: _, ...rest } = metadata;
      return kept.length > 0 ? { ...rest, ownerReferences: kept } : rest;
    });
  }

  /** Objects that own one another in a circle would wait for one another for ever. */
  #unblock(node: GraphNode<R>): void {
    const owners = ownersOf(node.object);
    if (!owners.some((owner) => owner.blockOwnerDeletion === true)) return;
    const ownerReferences = owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    this.#actions.change(node, (metadata) => ({ ...metadata, ownerReferences }));
  }

  #removeFinalizer(node: GraphNode<R>, finalizer: string): void {
    this.#actions.change(node, (metadata) => ({
      ...metadata,
      finalizers: ((metadata.finalizers ?? []) as readonly string[]).filter(
        (each) => each !== finalizer,
      ),
    }));
  }
}

/** "waiting": it is deleted once its dependents are. "unknown": its kind is not served. */
type OwnerState = "solid" | "waiting" | "absent" | "unknown";

/** Whether it is deleted, and waits for its dependents to go first. */
function isWaiting({ metadata: { deletionTimestamp, finalizers = [] } }: ApiObject): boolean {
  return deletionTimestamp !== undefined && finalizers.includes(FOREGROUND);
}
