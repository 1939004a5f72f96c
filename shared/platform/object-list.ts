import { type Key, type Kind, keyOf, type ObjectMeta } from "../api/object.ts";
import type { Selector } from "../api/source.ts";
import { callError } from "../kube/kube-call.ts";
import { collectionPath, selectorText } from "../kube/paths.ts";
import type { Transport } from "../kube/wire.ts";

/** An object of which only the metadata are known. */
export interface ListedObject {
  readonly kind: Kind;
  readonly key: Key;
  readonly metadata: ObjectMeta;
}

/** client-go's own page size. https://github.com/kubernetes/client-go/blob/master/tools/pager/pager.go */
const PAGE_SIZE = "500";

/** Of an object nothing but its metadata is needed. https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches */
const METADATA_ONLY =
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

interface Page {
  /** kube-apiserver answers null for none. */
  readonly items: readonly { readonly metadata: ObjectMeta }[] | null;
  readonly metadata?: { readonly continue?: string };
}

/** Which objects of a kind are meant; default: all. */
export interface ListedPart {
  readonly namespace?: string | undefined;
  readonly labels?: Selector | undefined;
  readonly fields?: Selector | undefined;
}

/** The metadata of all objects of a kind, or of those in a namespace. */
export async function listObjects(
  transport: Transport,
  kind: Kind,
  signal: AbortSignal,
  namespace = "",
): Promise<readonly ListedObject[]> {
  const found: ListedObject[] = [];
  for await (const page of objectPages(transport, kind, { namespace }, signal)) found.push(...page);
  return found;
}

/** The same, page by page. Rejects when a page cannot be had: pages before it were told. */
export async function* objectPages(
  transport: Transport,
  kind: Kind,
  part: ListedPart,
  signal: AbortSignal,
): AsyncGenerator<readonly ListedObject[]> {
  const { namespace = "" } = part;
  const labelSelector = selectorText(part.labels);
  const fieldSelector = selectorText(part.fields);
  let token: string | undefined;
  do {
    const response = await transport.request({
      method: "GET",
      path: collectionPath(kind, namespace),
      query: {
        limit: PAGE_SIZE,
        ...(labelSelector && { labelSelector }),
        ...(fieldSelector && { fieldSelector }),
        ...(token !== undefined && { continue: token }),
      },
      accept: METADATA_ONLY,
      signal,
    });
    if (response.status !== 200) {
      throw callError({ verb: "list", kind, key: { namespace, name: "" } }, response);
    }
    const { items, metadata } = response.body as Page;
    yield (items ?? []).map((item) => ({ kind, key: keyOf(item), metadata: item.metadata }));
    token = metadata?.continue || undefined;
  } while (token !== undefined);
}

/** "Website default/hello", for people. */
export function objectText({ kind, key }: Pick<ListedObject, "kind" | "key">): string {
  const { namespace, name } = key;
  return `${kind.kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

/** "1 object", "12 objects". */
export function countText(count: number): string {
  return `${count} ${count === 1 ? "object" : "objects"}`;
}
