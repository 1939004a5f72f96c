import type { Key } from "../shared/api/object.ts";
import type { CachedObject, ControllerSources } from "./controller-sources.ts";
import { keyText } from "./kept-object.ts";

/** What the caches of a controller held at one moment. What changes later comes as a change. */
export interface CacheSnapshot {
  /** By key text: the key, and all objects that map to it. */
  readonly byKey: ReadonlyMap<string, { readonly key: Key; readonly objects: CachedObject[] }>;
  /** Fingerprints by identity. */
  readonly fingerprints: ReadonlyMap<string, string>;
}

/** Takes a snapshot of all sources that have synced. */
export function snapshotOf(sources: Pick<ControllerSources, "cached">): CacheSnapshot {
  const byKey = new Map<string, { key: Key; objects: CachedObject[] }>();
  const fingerprints = new Map<string, string>();
  for (const object of sources.cached()) {
    fingerprints.set(object.identity, object.fingerprint);
    for (const key of object.keys) {
      const text = keyText(key);
      const entry = byKey.get(text);
      if (entry) entry.objects.push(object);
      else byKey.set(text, { key, objects: [object] });
    }
  }
  return { byKey, fingerprints };
}
