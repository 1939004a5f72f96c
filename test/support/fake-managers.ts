import { isDeepStrictEqual } from "node:util";
import type { Json, Stored } from "./fake-object.ts";
import { deepMerged, leafPaths, valueAt, without } from "./fake-patch.ts";

/** Who owns which fields of one object: the managedFields of the fake, which it does not show. */
export type Managers = ReadonlyMap<string, ReadonlySet<string>>;

export interface Applied {
  readonly object: Json;
  readonly managers: Managers;
  /** Fields that another manager owns with another value. */
  readonly conflicts: readonly string[];
}

/** Server-side apply: what `manager` applied last and applies no more goes, unless another owns it too. */
export function serverSideApplied(
  live: Stored | undefined,
  wanted: Json,
  managers: Managers,
  manager: string,
): Applied {
  const paths = new Set(leafPaths(wanted));
  const others = [...managers].filter(([name]) => name !== manager);
  const kept = (path: string) =>
    paths.has(path) || others.some(([, owned]) => [...owned].some((other) => covers(path, other)));
  let object: unknown = deepMerged(live ?? {}, wanted);
  for (const path of managers.get(manager) ?? []) {
    if (!kept(path)) object = without(object, JSON.parse(path));
  }
  const taken = [...paths].filter(
    (path) => !isDeepStrictEqual(valueAt(live, path), valueAt(object, path)),
  );
  const conflicts = taken.filter((path) => others.some(([, owned]) => owned.has(path)));
  const next = new Map(others.map(([name, owned]) => [name, minus(owned, taken)]));
  next.set(manager, paths);
  return { object: object as Json, managers: next, conflicts };
}

/** After a write that is no apply: what it changed is owned by its manager alone. */
export function updatedManagers(
  live: Stored | undefined,
  next: Stored,
  managers: Managers,
  manager: string,
): Managers {
  const before: Managers = managers;
  const changed = leafPaths(contentOf(next)).filter(
    (path) => !isDeepStrictEqual(valueAt(live, path), valueAt(next, path)),
  );
  const result = new Map<string, ReadonlySet<string>>();
  for (const [name, owned] of before) {
    result.set(
      name,
      new Set(
        [...owned].filter((path) => isDeepStrictEqual(valueAt(live, path), valueAt(next, path))),
      ),
    );
  }
  result.set(manager, new Set([...(result.get(manager) ?? []), ...changed]));
  return result;
}

/** What field managers can own: all but the identity and what the server sets. */
export function contentOf(object: Json): Json {
  const { apiVersion: _, kind: __, metadata, ...rest } = object;
  const { labels, annotations, finalizers, ownerReferences } = (metadata ?? {}) as Json;
  const meta = { labels, annotations, finalizers, ownerReferences };
  const set = Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));
  return Object.keys(set).length > 0 ? { ...rest, metadata: set } : rest;
}

/** Whether `other` is the path itself or below it. */
function covers(path: string, other: string): boolean {
  return other === path || other.startsWith(`${path.slice(0, -1)},`);
}

function minus(owned: ReadonlySet<string>, taken: readonly string[]): ReadonlySet<string> {
  const rest = new Set(owned);
  for (const path of taken) rest.delete(path);
  return rest;
}
