import type { Controller } from "../shared/api/controller.ts";
import type { Key } from "../shared/api/object.ts";
import { callError } from "../shared/kube/kube-call.ts";
import { collectionPath, selectorText } from "../shared/kube/paths.ts";
import type { Transport } from "../shared/kube/wire.ts";

/** client-go's own. https://github.com/kubernetes/client-go/blob/master/tools/pager/pager.go */
const PAGE_SIZE = 500;

/** Of an object nothing but its name is needed. https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches */
const METADATA_ONLY =
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

interface Page {
  /** kube-apiserver answers null for none. */
  readonly items:
    | readonly { readonly metadata: { readonly namespace?: string; readonly name: string } }[]
    | null;
  readonly metadata?: { readonly continue?: string };
}

/**
 * The keys of all objects that a controller selects, page by page. `namespace`: of that one alone.
 * Rejects when a page cannot be had: pages before it were told.
 */
export async function* selectedKeys(
  transport: Transport,
  controller: Controller,
  options: { readonly namespace?: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<readonly Key[]> {
  for (const namespace of namespacesOf(controller, options.namespace)) {
    let token: string | undefined;
    do {
      const page = await readPage(transport, controller, {
        namespace,
        token,
        signal: options.signal,
      });
      yield (page.items ?? []).map(({ metadata: { namespace: of = "", name } }) => ({
        namespace: of,
        name,
      }));
      token = page.metadata?.continue || undefined;
    } while (token !== undefined);
  }
}

function namespacesOf(
  { for: kind, namespaces }: Controller,
  asked: string | undefined,
): readonly (string | undefined)[] {
  if (kind.scope === "Cluster" || !namespaces) return [asked];
  return asked === undefined ? namespaces : namespaces.filter((each) => each === asked);
}

async function readPage(
  transport: Transport,
  { for: kind, labels, fields }: Controller,
  at: {
    readonly namespace: string | undefined;
    readonly token: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Page> {
  const labelSelector = selectorText(labels);
  const fieldSelector = selectorText(fields);
  const query = {
    limit: String(PAGE_SIZE),
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
    ...(at.token !== undefined && { continue: at.token }),
  };
  const path = collectionPath(kind, at.namespace);
  const { signal } = at;
  const response = await transport.request({
    method: "GET",
    path,
    query,
    accept: METADATA_ONLY,
    signal,
  });
  if (response.status !== 200) {
    const key = { namespace: at.namespace ?? "", name: "" };
    throw callError({ verb: "list", kind, key }, response);
  }
  return response.body as Page;
}
