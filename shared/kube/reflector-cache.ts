import { type Key, type KubernetesObject, keyOf } from "../api/object.ts";
import type { Kept, ReflectedChange } from "./reflected.ts";

/**
 * What a reflector keeps of its objects.
 *
 * C1. What it tells, replayed, gives what it holds: each change is told once, and the cache has moved when it is.
 * C2. Objects are told apart by uid. Another uid under a known name is a deletion and an addition.
 * C3. A version that is known already is no change.
 */
export class ReflectorCache<K extends Kept> {
  readonly #kept = new Map<string, K>();
  readonly #keep: (object: KubernetesObject, before: K | undefined) => K | undefined;

  /** `keep` gives undefined where it failed: such an object stays as it was known, or unknown. */
  constructor(keep: (object: KubernetesObject, before: K | undefined) => K | undefined) {
    this.#keep = keep;
  }

  get size(): number {
    return this.#kept.size;
  }

  get(key: Key): K | undefined {
    return this.#kept.get(textOf(key));
  }

  entries(): IterableIterator<K> {
    return this.#kept.values();
  }

  /** Keeps an object of a new list in `listed`; what is known of this version already is taken over. */
  list(object: KubernetesObject, listed: Map<string, K>): void {
    const text = textOf(keyOf(object));
    const before = this.#before(object, text);
    const known = before?.resourceVersion === object.metadata.resourceVersion;
    const now = known ? before : (this.#keep(object, before) ?? before);
    if (now) listed.set(text, now);
  }

  /** What a new list that is whole changes, deletions first. The cache moves as the changes are taken. */
  *replaced(listed: ReadonlyMap<string, K>): Generator<ReflectedChange<K>, void, undefined> {
    for (const [text, before] of this.#kept) {
      if (!listed.has(text)) yield this.#deleted(before, before, true);
    }
    for (const [text, now] of listed) yield* this.#moved(text, now, { missed: true });
  }

  /** What an added or modified object of a watch changes. */
  *put(object: KubernetesObject): Generator<ReflectedChange<K>, void, undefined> {
    const text = textOf(keyOf(object));
    const before = this.#before(object, text);
    if (before?.resourceVersion === object.metadata.resourceVersion) return;
    const now = this.#keep(object, before);
    if (now) yield* this.#moved(text, now);
  }

  /** What a deleted object of a watch changes: nothing, where it is not known under this uid. */
  *drop(object: KubernetesObject): Generator<ReflectedChange<K>, void, undefined> {
    const before = this.#before(object, textOf(keyOf(object)));
    if (before) yield this.#deleted(this.#keep(object, before) ?? before, before, false);
  }

  *#moved(
    text: string,
    now: K,
    found: { readonly missed?: boolean } = {},
  ): Generator<ReflectedChange<K>, void, undefined> {
    const before = this.#kept.get(text);
    if (before && before.uid === now.uid) {
      if (before.resourceVersion === now.resourceVersion) return;
      this.#kept.set(text, now);
      yield { type: "modified", now, before, ...found };
      return;
    }
    if (before) yield this.#deleted(before, before, true);
    this.#kept.set(text, now);
    yield { type: "added", now };
  }

  #deleted(now: K, before: K, finalStateUnknown: boolean): ReflectedChange<K> {
    this.#kept.delete(textOf(before.key));
    return { type: "deleted", now, before, finalStateUnknown };
  }

  #before(object: KubernetesObject, text: string): K | undefined {
    const before = this.#kept.get(text);
    return before?.uid === object.metadata.uid ? before : undefined;
  }
}

function textOf({ namespace, name }: Key): string {
  return `${namespace}/${name}`;
}
