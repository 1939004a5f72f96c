import type { Key } from "../shared/api/object.ts";
import { keyText } from "./kept-object.ts";

const NOBODY: ReadonlyMap<string, Key> = new Map();

/**
 * Finds the objects of a controller by the values they use: one table an entry of `watches`. It
 * follows every change of an object of `for`, so it never holds an object that is gone.
 */
export class UseIndex {
  readonly #tables: readonly Map<string, Map<string, Key>>[];

  constructor(entries: number) {
    this.#tables = Array.from({ length: entries }, () => new Map());
  }

  /** Puts the object under the values of `now`, and takes it out from under the others of `before`. */
  update(key: Key, change: { readonly before?: Uses; readonly now?: Uses }): void {
    this.#tables.forEach((table, entry) => {
      const now = new Set(change.now?.[entry]);
      for (const value of change.before?.[entry] ?? []) {
        if (!now.has(value)) remove(table, value, keyText(key));
      }
      for (const value of now) put(table, value, key);
    });
  }

  /** The objects under a value of an entry. */
  users(entry: number, value: string): readonly Key[] {
    return [...(this.#tables[entry]?.get(value) ?? NOBODY).values()];
  }
}

type Uses = readonly (readonly string[])[];

function put(table: Map<string, Map<string, Key>>, value: string, key: Key): void {
  const users = table.get(value);
  if (users) users.set(keyText(key), key);
  else table.set(value, new Map([[keyText(key), key]]));
}

function remove(table: Map<string, Map<string, Key>>, value: string, id: string): void {
  const users = table.get(value);
  users?.delete(id);
  if (users?.size === 0) table.delete(value);
}
