import type { Kind } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import type { KubeRequest, KubeResponse } from "../../shared/kube/wire.ts";
import { absent, copy, notServed, Refusal, type ServedKind, type Stored } from "./fake-object.ts";
import { selection } from "./fake-selector.ts";
import type { FakeStore } from "./fake-store.ts";
import { FakeWatch } from "./fake-watch.ts";
import { deleted, type ObjectRequest, patched, posted, put, type Written } from "./fake-writes.ts";

interface Target {
  readonly kind: ServedKind;
  readonly namespace: string;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The HTTP side of the fake cluster: paths, queries and media types. */
export class FakeApi {
  /** By the path of their collection over all namespaces. */
  readonly kinds = new Map<string, ServedKind>();
  /** The rests of lists, by continue token. */
  readonly pages = new Map<
    string,
    { readonly items: readonly Stored[]; readonly version: string }
  >();
  /** How a watch from before the compaction is refused. */
  tooOld: "status" | "event" = "event";
  readonly #clock: Clock;
  readonly #store: FakeStore;

  constructor(clock: Clock, store: FakeStore) {
    this.#clock = clock;
    this.#store = store;
  }

  /** The answer to anything but a watch. */
  answer(request: KubeRequest): KubeResponse {
    try {
      const target = this.#target(request);
      if (target.name === undefined && request.method === "GET") return this.#page(request, target);
      const { query = {} } = request;
      const written = () => this.#write(request, target);
      return query.dryRun === "All" ? this.#store.rehearse(written) : written();
    } catch (error) {
      if (error instanceof Refusal) return error.response;
      throw error;
    }
  }

  #write(request: KubeRequest, target: Target): KubeResponse {
    const { kind, namespace, name = "", subresource } = target;
    const { method, query = {}, contentType = "application/json", accept = "" } = request;
    const view = viewOf(accept);
    if (subresource !== undefined && !(subresource === "status" && kind.status)) throw notServed();
    const scope = subresource === "status" ? "status" : "main";
    const body = request.body === undefined ? undefined : copy(request.body);
    const call: ObjectRequest = { kind, namespace, name, scope, query, body, contentType };
    if (method === "GET") {
      const object = this.#store.get(kind, { namespace, name });
      if (!object) throw absent(kind, name);
      return answer(200, view(object));
    }
    if (method === "DELETE" && name !== "") {
      const object = deleted(this.#store, call);
      const { deletionTimestamp, uid } = object.metadata;
      const success = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
      const details = { name, kind: kind.plural, uid };
      return answer(200, deletionTimestamp ? view(object) : { ...success, details });
    }
    const writes: Partial<Record<string, (store: FakeStore, call: ObjectRequest) => Written>> =
      name === "" ? { POST: posted } : { PUT: put, PATCH: patched };
    const write = writes[method];
    if (!write) throw new Refusal(405, "MethodNotAllowed", `${method} is not supported here`);
    const { object, created } = write(this.#store, call);
    return answer(created ? 201 : 200, view(object));
  }

  #page({ query = {}, accept = "" }: KubeRequest, { kind, namespace }: Target): KubeResponse {
    this.#checkFuture(query.resourceVersion);
    const selected = selection(query);
    const within = (object: Stored) => namespace === "" || object.metadata.namespace === namespace;
    const page = query.continue
      ? this.pages.get(query.continue)
      : {
          items: this.#store.list(kind).filter((object) => within(object) && selected(object)),
          version: String(this.#store.version),
        };
    if (!page) {
      throw new Refusal(
        410,
        "Expired",
        "The provided continue parameter is too old to display a consistent list result",
      );
    }
    const limit = Number(query.limit ?? 0) || page.items.length;
    const { version } = page;
    const rest = page.items.slice(limit);
    const token = rest.length > 0 ? `${version}-${rest.length}-${this.pages.size}` : "";
    if (token) this.pages.set(token, { items: rest, version });
    const partial = accept.includes("as=PartialObjectMetadataList");
    const view = partial ? viewOf("as=PartialObjectMetadata") : itemView(kind);
    const metadata = { resourceVersion: version, ...(token ? { continue: token } : {}) };
    return answer(200, {
      apiVersion: partial ? "meta.k8s.io/v1" : kind.apiVersion,
      kind: partial ? "PartialObjectMetadataList" : `${kind.kind}List`,
      metadata,
      items: page.items.slice(0, limit).map(view),
    });
  }

  /** Opens a watch. */
  watch(request: KubeRequest): FakeWatch {
    const { kind, namespace } = this.#target(request);
    const { query = {}, accept = "", signal } = request;
    const since = query.resourceVersion ?? "0";
    this.#checkFuture(since);
    if (query.sendInitialEvents) {
      throw new Refusal(422, "Invalid", "sendInitialEvents is forbidden for watch");
    }
    const selected = selection(query);
    const old = since !== "0" && Number(since) < this.#store.compactedVersion;
    const tooOld = new Refusal(410, "Expired", `too old resource version: ${since}`);
    if (old && this.tooOld === "status") throw tooOld;
    const watch = new FakeWatch({
      kind,
      view: viewOf(accept),
      selected: (object) =>
        (namespace === "" || object.metadata.namespace === namespace) && selected(object),
      bookmarks: query.allowWatchBookmarks === "true",
      timeoutSeconds: Number(query.timeoutSeconds ?? 1800),
      version: () => this.#store.version,
      clock: this.#clock,
      signal,
    });
    if (old) {
      watch.send("ERROR", tooOld.response.body as object);
      watch.close();
    } else this.#replay(watch, since);
    return watch;
  }

  #replay(watch: FakeWatch, since: string): void {
    if (since === "0") {
      for (const now of this.#store.list(watch.kind)) {
        const version = Number(now.metadata.resourceVersion);
        watch.tell({ type: "ADDED", kind: watch.kind, now, version });
      }
      return;
    }
    for (const change of this.#store.changes) {
      if (change.kind === watch.kind && change.version > Number(since)) watch.tell(change);
    }
  }

  #checkFuture(version = "0"): void {
    if (Number(version) <= this.#store.version) return;
    const message = `Too large resource version: ${version}, current: ${this.#store.version}`;
    throw new Refusal(504, "Timeout", message, {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    });
  }

  #target({ path }: KubeRequest): Target {
    const parts = path.split("/").slice(1).map(decodeURIComponent);
    const base = parts.splice(0, parts[0] === "api" ? 2 : 3).join("/");
    const inNamespace = parts[0] === "namespaces" && parts.length > 2 && parts[2] !== "status";
    const [, namespace = ""] = inNamespace ? parts.splice(0, 2) : [];
    const [plural = "", name, subresource] = parts;
    const kind = this.kinds.get(`/${base}/${plural}`);
    if (!kind) throw notServed();
    return { kind, namespace, name, subresource };
  }
}

/** The path of a kind's collection over all namespaces. */
export function pathOf({ apiVersion, plural }: Kind): string {
  return `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}/${plural}`;
}

function answer(status: number, body: unknown): KubeResponse {
  return { status, headers: { "content-type": "application/json" }, body };
}

function viewOf(accept: string): (object: Stored) => object {
  if (!accept.includes("as=PartialObjectMetadata")) return (object) => object;
  return ({ metadata }) => ({
    apiVersion: "meta.k8s.io/v1",
    kind: "PartialObjectMetadata",
    metadata,
  });
}

/** The items of a list of a built-in kind carry neither kind nor apiVersion. */
function itemView({ custom }: ServedKind): (object: Stored) => object {
  return custom
    ? (object) => object
    : ({ apiVersion: _apiVersion, kind: _kind, ...object }) => object;
}
