import { groupOf, type Kind } from "../api/object.ts";
import type { Selector } from "../api/source.ts";
import { collectionPath, selectorText } from "./paths.ts";
import type { KubeRequest } from "./wire.ts";

/** Which objects are reflected. */
export interface ReflectorSource {
  readonly kind: Kind;
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labels?: Selector;
  readonly fields?: Selector;
  /** False: of each object only its metadata is fetched. */
  readonly full: boolean;
}

/** A list or a watch of the source: the same path, selectors and form for both. */
export function sourceRequest(
  { kind, namespace, labels, fields, full }: ReflectorSource,
  form: "list" | "watch",
  query: Readonly<Record<string, string>>,
): KubeRequest {
  const labelSelector = selectorText(labels);
  const fieldSelector = selectorText(fields);
  const json = "application/json";
  const partial = form === "list" ? "PartialObjectMetadataList" : "PartialObjectMetadata";
  return {
    method: "GET",
    path: collectionPath(kind, namespace),
    query: {
      ...query,
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    },
    // https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches
    accept: full ? json : `${json};as=${partial};g=meta.k8s.io;v=v1,${json}`,
  };
}

/** The source in the words of a person: "websites.example.com in namespace a". */
export function sourceText({ kind, namespace, labels, fields }: ReflectorSource): string {
  const group = groupOf(kind.apiVersion);
  const selectors = [selectorText(labels), selectorText(fields)].filter(Boolean);
  return [
    group === "" ? kind.plural : `${kind.plural}.${group}`,
    namespace && `in namespace ${namespace}`,
    selectors.length > 0 && `with ${selectors.join(" and ")}`,
  ]
    .filter(Boolean)
    .join(" ");
}
