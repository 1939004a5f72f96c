import type { ApiObject } from "./api-object.ts";

/**
 * The objects of one kind by key, in the order of etcd's keys: "namespace/name", or "name" where
 * there is no namespace.
 */
export class ObjectBucket {
  readonly #objects = new Map<string, ApiObject>();
  readonly #keys: string[] = [];
  /** All objects in order, until the next change. */
  #all: readonly ApiObject[] | undefined;

  get(key: string): ApiObject | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: ApiObject): void {
    if (!this.#objects.has(key)) this.#keys.splice(this.#indexOf(key), 0, key);
    this.#objects.set(key, object);
    this.#all = undefined;
  }

  delete(key: string): void {
    if (!this.#objects.delete(key)) return;
    this.#keys.splice(this.#indexOf(key), 1);
    this.#all = undefined;
  }

  /** The objects of a namespace, or all of them for "". */
  list(namespace: string): readonly ApiObject[] {
    if (namespace === "") {
      this.#all ??= this.#between(0, this.#keys.length);
      return this.#all;
    }
    // "0" is the character after "/".
    return this.#between(this.#indexOf(`${namespace}/`), this.#indexOf(`${namespace}0`));
  }

  entries(): IterableIterator<[string, ApiObject]> {
    return this.#objects.entries();
  }

  copy(): ObjectBucket {
    const copy = new ObjectBucket();
    for (const [key, object] of this.#objects) copy.#objects.set(key, object);
    for (const key of this.#keys) copy.#keys.push(key);
    return copy;
  }

  #between(from: number, to: number): readonly ApiObject[] {
    const found: ApiObject[] = [];
    for (let at = from; at < to; at += 1) {
      const object = this.#objects.get(this.#keys[at] ?? "");
      if (object) found.push(object);
    }
    return found;
  }

  /** Where a key stands or would stand. */
  #indexOf(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
