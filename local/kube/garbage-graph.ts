import type { OwnerReference } from "../../shared/api/object.ts";
import type { ApiObject } from "./api-object.ts";

/** An object as the graph knows it: its newest state, and where it is served. */
export interface GraphNode<R> {
  readonly resource: R;
  readonly object: ApiObject;
}

/** Who owns whom, by uid. */
export class GarbageGraph<R> {
  readonly #nodes = new Map<string, GraphNode<R>>();
  readonly #dependents = new Map<string, Set<string>>();

  /** Follows a change. Returns the uids of owners that the object had before and has no more. */
  follow(
    { type, object }: { readonly type: string; readonly object: ApiObject },
    resource: R,
  ): readonly string[] {
    const { uid } = object.metadata;
    const before = ownersOf(this.#nodes.get(uid)?.object);
    const after = type === "DELETED" ? [] : ownersOf(object);
    for (const owner of before) this.#dependents.get(owner.uid)?.delete(uid);
    for (const owner of after) this.#dependentsOf(owner.uid).add(uid);
    if (type === "DELETED") this.#nodes.delete(uid);
    else this.#nodes.set(uid, { resource, object });
    const left = before.map((owner) => owner.uid);
    return left.filter((owner) => !after.some((each) => each.uid === owner));
  }

  get(uid: string): GraphNode<R> | undefined {
    return this.#nodes.get(uid);
  }

  /** Not to be held over an `await`. */
  all(): IterableIterator<GraphNode<R>> {
    return this.#nodes.values();
  }

  /** The objects that name this one as an owner. */
  dependents(uid: string): readonly GraphNode<R>[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((each) => this.#nodes.get(each) ?? []);
  }

  #dependentsOf(uid: string): Set<string> {
    const known = this.#dependents.get(uid) ?? new Set();
    this.#dependents.set(uid, known);
    return known;
  }
}

/** The owners that an object names. */
export function ownersOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}
