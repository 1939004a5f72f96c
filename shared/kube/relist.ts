import type { KubernetesObject } from "../api/object.ts";
import { KubeError, kubeErrorOf } from "./kube-error.ts";
import { reflectedObject } from "./reflected-object.ts";
import { type ReflectorSource, sourceRequest, sourceText } from "./reflector-source.ts";
import type { Transport } from "./wire.ts";

/** As client-go pages. https://github.com/kubernetes/client-go/blob/master/tools/pager/pager.go */
const PAGE_SIZE = 500;

export interface RelistOptions {
  readonly transport: Transport;
  readonly source: ReflectorSource;
  readonly signal: AbortSignal;
  /** Told after each answer. */
  readonly heard: () => void;
  /** Told before the first object; once more where the list had to begin anew. */
  readonly begin: () => void;
  readonly take: (object: KubernetesObject) => void;
}

/**
 * Lists a source as it is now, page by page. Resolves to the version of the list. Pages are one
 * snapshot; where the server has forgotten it, the list begins anew in one piece.
 */
export async function relist(options: RelistOptions): Promise<string> {
  try {
    return await listed(options, { limit: String(PAGE_SIZE) });
  } catch (error) {
    if (!(error instanceof ExpiredPageError)) throw error;
    return listed(options, {});
  }
}

class ExpiredPageError extends KubeError {}

async function listed(
  options: RelistOptions,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  options.begin();
  const first = await page(options, query);
  let token = first.token;
  while (token) token = (await page(options, { ...query, continue: token })).token;
  // The version of the first page: were a server to give another one with a later page, nothing
  // that happened between the two would be missed.
  return first.version;
}

async function page(
  { transport, source, signal, heard, take }: RelistOptions,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly token: string; readonly version: string }> {
  const action = `list ${sourceText(source)}`;
  const response = await transport.request({ ...sourceRequest(source, "list", query), signal });
  heard();
  if (response.status === 410 && query.continue) throw new ExpiredPageError(action, response);
  if (response.status !== 200) throw kubeErrorOf(action, response);
  const { items, metadata } = response.body as ListBody;
  const version = metadata?.resourceVersion;
  // Go writes an empty list as null.
  if (!version || !(items === null || Array.isArray(items))) {
    throw new Error(`cannot ${action}: expected a list with items and a version, got another body`);
  }
  for (const item of items ?? []) {
    const object = reflectedObject(item, source);
    if (!object) throw new Error(`cannot ${action}: expected items with name, uid and version`);
    take(object);
  }
  return { token: metadata.continue ?? "", version };
}

interface ListBody {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly unknown[] | null;
}
