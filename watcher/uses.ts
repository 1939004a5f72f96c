import { type Key, type KubernetesObject, keyOf } from "../shared/api/object.ts";
import type { Uses, Watch } from "../shared/api/source.ts";
import { keyText } from "./kept-object.ts";

/** The values under which an object of `for` is found by an entry of `watches`. */
export function usesOf(watch: Watch, object: KubernetesObject): readonly string[] {
  const { usedBy, index } = watch as Watch<KubernetesObject>;
  if (usedBy) return usedKeys(usedBy(object), watch, keyOf(object)).map(keyText);
  const values = index?.(object);
  if (values === undefined || values === null) return [];
  return typeof values === "string" ? [values] : values;
}

/** A name means the object's own namespace; objects of cluster-scoped kinds are in none. */
function usedKeys(uses: Uses, { kind }: Watch, { namespace }: Key): readonly Key[] {
  if (uses === undefined || uses === null) return [];
  const all: readonly (string | Key)[] = Array.isArray(uses) ? uses : [uses as string | Key];
  const scope = kind.scope === "Cluster" ? "" : namespace;
  // Definitions list optional fields as they are: [spec.a, spec.b].
  const given = all.filter((use) => use !== undefined && use !== null && use !== "");
  return given.map((use) => (typeof use === "string" ? { namespace: scope, name: use } : use));
}
