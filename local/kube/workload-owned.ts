import type { KubernetesObject } from "../../shared/api/object.ts";

/** Objects by the one that owns and controls them, in the order in which they came. */
export class OwnedObjects<T extends KubernetesObject> {
  /** By the uid of the owner, then by their own. */
  readonly #owned = new Map<string, Map<string, T>>();

  /** Follows a change: what was known of an object, and what it is now; undefined where it is not there. */
  follow(before: T | undefined, now: T | undefined): void {
    const [was, is] = [before && ownerOf(before)?.uid, now && ownerOf(now)?.uid];
    if (before && was !== undefined && was !== is) this.#remove(was, before.metadata.uid);
    if (!now || is === undefined) return;
    const owned = this.#owned.get(is) ?? new Map<string, T>();
    this.#owned.set(is, owned.set(now.metadata.uid, now));
  }

  /** Those of an owner that are in its namespace. */
  of({ metadata }: KubernetesObject): readonly T[] {
    const owned = [...(this.#owned.get(metadata.uid)?.values() ?? [])];
    return owned.filter((each) => each.metadata.namespace === metadata.namespace);
  }

  #remove(owner: string, uid: string): void {
    const owned = this.#owned.get(owner);
    owned?.delete(uid);
    if (owned?.size === 0) this.#owned.delete(owner);
  }
}

/** The controlling owner of an object. */
export function ownerOf({ metadata }: KubernetesObject) {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}
