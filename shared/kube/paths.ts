import { groupOf, type Key, type Kind } from "../api/object.ts";
import type { Selector } from "../api/source.ts";

/** What a path needs to know of a kind. */
export type KindPath = Pick<Kind, "apiVersion" | "kind" | "plural" | "scope">;

/**
 * The path of all objects of a kind, or of those in one namespace. For a cluster-scoped kind the
 * namespace does not matter.
 */
export function collectionPath(
  { apiVersion, plural, scope }: KindPath,
  namespace: string | undefined,
): string {
  const root = groupOf(apiVersion) === "" ? "/api" : "/apis";
  const scoped = scope === "Namespaced" && namespace ? `namespaces/${segment(namespace)}/` : "";
  return `${root}/${apiVersion}/${scoped}${plural}`;
}

/**
 * The path of one object, or of a subresource of it. Fails without a name, or without the namespace
 * of a namespaced kind: that would be the path of many objects.
 */
export function objectPath(kind: KindPath, key: Key, subresource?: string): string {
  const { namespace, name } = key;
  if (kind.scope === "Namespaced" && namespace === "") {
    throw new Error(`cannot address ${kind.kind} ${name}: expected a namespace, got none`);
  }
  const tail = subresource === undefined ? "" : `/${segment(subresource)}`;
  return `${collectionPath(kind, namespace)}/${segment(name)}${tail}`;
}

/**
 * A label or field selector as it is sent: text as it is, pairs as `key=value`, joined by commas.
 * Undefined for none. In field selectors `\`, `,` and `=` in values are escaped, as
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/fields/selector.go reads them; values of
 * labels cannot have them.
 */
export function selectorText(selector: Selector | undefined): string | undefined {
  if (selector === undefined || typeof selector === "string") return selector || undefined;
  const pairs = Object.entries(selector).map(
    ([key, value]) => `${key}=${value.replace(/[\\,=]/g, "\\$&")}`,
  );
  return pairs.join(",") || undefined;
}

/**
 * One segment of a path. The API server decodes a path before it splits it, so an encoded slash
 * would lead to another object: no name may have one, nor a per cent sign, nor be a dot or two.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names
 */
function segment(text: string): string {
  if (text === "" || text === "." || text === ".." || /[/%]/.test(text)) {
    throw new Error(`cannot address an object: expected a name without "/" and "%", got "${text}"`);
  }
  return encodeURIComponent(text);
}
