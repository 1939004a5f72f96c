import { type Key, type Kind, keyOf, type ObjectMeta } from "../api/object.ts";
import { callError } from "../kube/kube-call.ts";
import { collectionPath } from "../kube/paths.ts";
import type { Transport } from "../kube/wire.ts";

/** An object of which only the metadata are known. */
export interface ListedObject {
  readonly kind: Kind;
  readonly key: Key;
  readonly metadata: ObjectMeta;
}

/** client-go's own page size. https://github.com/kubernetes/client-go/blob/master/tools/pager/pager.go */
const PAGE_SIZE = "500";

interface Page {
  /** kube-apiserver answers null for none. */
  readonly items: readonly { readonly metadata: ObjectMeta }[] | null;
  readonly metadata?: { readonly continue?: string };
}

/** The metadata of all objects of a kind, or of those in a namespace, in pages. */
export async function listObjects(
  transport: Transport,
  kind: Kind,
  signal: AbortSignal,
  namespace = "",
): Promise<readonly ListedObject[]> {
  const found: ListedObject[] = [];
  let token: string | undefined;
  do {
    const response = await transport.request({
      method: "GET",
      path: collectionPath(kind, namespace),
      query: { limit: PAGE_SIZE, ...(token !== undefined && { continue: token }) },
      accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
      signal,
    });
    if (response.status !== 200) {
      throw callError({ verb: "list", kind, key: { namespace, name: "" } }, response);
    }
    const { items, metadata } = response.body as Page;
    found.push(
      ...(items ?? []).map((item) => ({ kind, key: keyOf(item), metadata: item.metadata })),
    );
    token = metadata?.continue || undefined;
  } while (token !== undefined);
  return found;
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
