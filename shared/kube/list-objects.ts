import type { Key, Kind, KubernetesObject } from "../api/object.ts";
import { callError, type KubeCall } from "./kube-call.ts";
import type { ListRequest } from "./kube-client.ts";
import { collectionPath, selectorText } from "./paths.ts";
import { stripped } from "./strip.ts";
import type { KubeRequest, Transport } from "./wire.ts";

/** Objects that a list without pages may hold. */
export const UNPAGED_LIMIT = 2_000;
/** client-go's own page size. https://github.com/kubernetes/client-go/blob/master/tools/pager/pager.go */
const PAGE_SIZE = 500;
/** Lists that are remembered as long. */
const REMEMBERED_LIMIT = 1_000;

interface Page {
  readonly items: KubernetesObject[];
  readonly metadata?: { readonly continue?: string };
}

export interface ListerEvents {
  /** Of each object, as it came. */
  readonly read: (object: KubernetesObject) => void;
  /** Once a list turned out longer than `UNPAGED_LIMIT`. */
  readonly long: (call: KubeCall, count: number) => void;
}

/**
 * Lists objects, each list in one request while it is short. Such a request is answered from the API
 * server's cache, consistently; one with a limit goes to etcd on several versions. A list that turned
 * out long is remembered, and asked for in pages from then on, so that no answer grows without bound.
 */
export class ObjectLister {
  readonly #transport: Transport;
  readonly #told: ListerEvents;
  readonly #long = new Set<string>();

  constructor(transport: Transport, told: ListerEvents) {
    this.#transport = transport;
    this.#told = told;
  }

  async list<T extends KubernetesObject>(kind: Kind<T>, options: ListRequest): Promise<T[]> {
    const { namespace = "", signal } = options;
    const key: Key = { namespace, name: "" };
    const request: KubeRequest = {
      method: "GET",
      path: collectionPath(kind, namespace),
      query: selectorQuery(options),
      ...(signal && { signal }),
    };
    const id = JSON.stringify([request.path, request.query]);
    const call: KubeCall = { verb: "list", kind, key };
    const items = this.#long.has(id)
      ? await this.#pages(call, request)
      : (await this.#page(call, request)).items;
    this.#remember(id, call, items.length);
    for (const item of items) {
      this.#told.read(item);
      complete(item, kind);
    }
    return items as T[];
  }

  #remember(id: string, call: KubeCall, count: number): void {
    if (count <= UNPAGED_LIMIT) {
      this.#long.delete(id);
      return;
    }
    if (this.#long.has(id)) return;
    if (this.#long.size >= REMEMBERED_LIMIT) this.#long.clear();
    this.#long.add(id);
    this.#told.long(call, count);
  }

  /** All pages of one version. Where that version is compacted away meanwhile, the whole in one. */
  async #pages(call: KubeCall, request: KubeRequest): Promise<KubernetesObject[]> {
    const items: KubernetesObject[] = [];
    let token: string | undefined;
    do {
      const query = {
        ...request.query,
        limit: String(PAGE_SIZE),
        ...(token !== undefined && { continue: token }),
      };
      const response = await this.#transport.request({ ...request, query });
      if (response.status === 410) return (await this.#page(call, request)).items;
      const page = pageOf(call, response);
      items.push(...page.items);
      token = page.metadata?.continue || undefined;
    } while (token !== undefined);
    return items;
  }

  async #page(call: KubeCall, request: KubeRequest): Promise<Page> {
    return pageOf(call, await this.#transport.request(request));
  }
}

function pageOf(call: KubeCall, response: Awaited<ReturnType<Transport["request"]>>): Page {
  if (response.status !== 200) throw callError(call, response);
  const page = response.body as Page | null;
  if (!Array.isArray(page?.items)) {
    throw new Error(
      `cannot list ${call.kind.kind}: expected a list, got something else; check that the server's URL is that of a Kubernetes API`,
    );
  }
  return page;
}

function selectorQuery({ labels, fields }: ListRequest): Record<string, string> {
  const labelSelector = selectorText(labels);
  const fieldSelector = selectorText(fields);
  return { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
}

/** The items of a list come without apiVersion and kind. */
function complete(item: { apiVersion?: string; kind?: string }, kind: Kind): void {
  item.apiVersion ??= kind.apiVersion;
  item.kind ??= kind.kind;
  stripped(item);
}
