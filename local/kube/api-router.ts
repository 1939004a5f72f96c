import type { Clock } from "../../shared/clock.ts";
import type { ApiObject } from "./api-object.ts";
import {
  type ApiAnswer,
  type ApiRequest,
  partsOf,
  type ResourcePath,
  resourcePathOf,
} from "./api-request.ts";
import { deletedStatus, errorAnswer, jsonAnswer } from "./api-status.ts";
import { deleteOptionsOf } from "./delete-options.ts";
import { discoveryAt } from "./discovery.ts";
import { listAnswerJson, objectAnswer } from "./list-answer.ts";
import { type Format, negotiate } from "./list-format.ts";
import { listObjects } from "./list-objects.ts";
import { listOptionsOf, type Query } from "./list-options.ts";
import { appliedObject, objectOfBody } from "./object-body.ts";
import { openApiDocument, openApiIndex } from "./openapi.ts";
import { patchBodyOf, patchTypeOf } from "./patch-body.ts";
import { type Registry, served, type WriteCall } from "./registry.ts";
import { deleteObject } from "./registry-delete.ts";
import { methodNotAllowed, notServed } from "./registry-errors.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ScaleCodec } from "./scale.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";
import { openWatch } from "./watch-stream.ts";
import { type WriteRequest, writeOptionsOf } from "./write-options.ts";

export interface RouterOptions {
  readonly store: ObjectStore;
  readonly registry: Registry;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly random: () => number;
  /** "host:port" for discovery. */
  readonly address: () => string;
  /** Answers paths that are no resources: version, health, reviews. Undefined where it knows none. */
  readonly other: (request: ApiRequest) => ApiAnswer | undefined;
  readonly scale: ScaleCodec;
  readonly closing: AbortSignal;
}

/** What a request to a resource is about. */
interface Target {
  readonly request: ApiRequest;
  readonly resource: ServedResource;
  readonly path: ResourcePath;
  readonly query: Query;
  readonly warnings: string[];
}

/** From requests to answers: the same for HTTP and in memory. */
export class ApiRouter {
  readonly #options: RouterOptions;

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  handle = async (request: ApiRequest): Promise<ApiAnswer> => {
    try {
      return this.#answer(request);
    } catch (error) {
      return errorAnswer(error);
    }
  };

  #answer(request: ApiRequest): ApiAnswer {
    const other = this.#options.other(request) ?? this.#documents(request);
    if (other) return other;
    const path = resourcePathOf(request.path);
    const resource = path && this.#options.catalog.find(path);
    if (!path || !resource) throw notServed();
    const query = Object.fromEntries(request.query);
    const target: Target = { request, resource, path, query, warnings: [] };
    const answer =
      path.name === undefined ? this.#collection(target) : this.#object(target, path.name);
    const [first] = target.warnings;
    if (first === undefined) return answer;
    const warning = target.warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(", ");
    return { ...answer, headers: { ...answer.headers, warning } };
  }

  #documents({ method, path }: ApiRequest): ApiAnswer | undefined {
    if (method !== "GET") return undefined;
    const { catalog, address } = this.#options;
    const parts = partsOf(path);
    const found = discoveryAt(parts, catalog, address());
    if (found) return jsonAnswer(200, found);
    if (parts[0] !== "openapi" || parts[1] !== "v3") return undefined;
    if (parts.length === 2) return jsonAnswer(200, openApiIndex(catalog.all()));
    const document = openApiDocument(parts.slice(2).join("/"), catalog.all());
    return document && jsonAnswer(200, document);
  }

  #collection(target: Target): ApiAnswer {
    const { request, resource, path } = target;
    const { method } = request;
    if (method === "GET") return this.#list(target);
    if (resource.namespaced && path.namespace === "") throw methodNotAllowed();
    if (method === "POST") {
      const call = this.#writeCall(target, { kind: "CreateOptions" });
      const { object, text } = objectOfBody(request.body, contentTypeOf(request), resource);
      const made = this.#options.registry.create({ ...call, text }, object);
      return this.#answered(target, 201, made);
    }
    if (method === "DELETE") return this.#deleteCollection(target);
    throw methodNotAllowed();
  }

  #list(target: Target, name?: string): ApiAnswer {
    const { request, resource, path, query } = target;
    const { store, clock, random, closing } = this.#options;
    const options = listOptionsOf(query, resource, name);
    const { accept } = request.headers;
    const format = negotiate({ accept, query, custom: resource.custom, list: true });
    const scope = { resource, namespace: path.namespace, view: viewOf(resource) };
    if (options.watch) {
      const { signal } = request;
      const lines = openWatch({ store, scope, options, format, clock, random, signal, closing });
      return { status: 200, headers: { "content-type": "application/json" }, body: lines };
    }
    const list = listObjects(store, scope, options);
    return jsonAnswer(200, listAnswerJson(list, { resource, format, nowMs: clock.nowMs() }));
  }

  #deleteCollection(target: Target): ApiAnswer {
    const { request, resource, path, query } = target;
    const { store, clock } = this.#options;
    const options = deleteOptionsOf(request.body, request.query);
    const scope = { resource, namespace: path.namespace, view: viewOf(resource) };
    const list = listObjects(store, scope, listOptionsOf(query, resource));
    const items = list.items.map(({ metadata }) => {
      const { name, namespace = "" } = metadata;
      return deleteObject({ store, clock }, { resource, namespace, name, options }).object;
    });
    return jsonAnswer(
      200,
      listAnswerJson(
        { ...list, items },
        { resource, format: { as: "Object" }, nowMs: clock.nowMs() },
      ),
    );
  }

  #object(target: Target, name: string): ApiAnswer {
    const { request, resource, path, query } = target;
    const { registry, store, clock, scale } = this.#options;
    const { subresource } = path;
    if (!hasSubresource(resource, subresource)) throw notServed();
    const place = { resource, namespace: path.namespace, name };
    switch (request.method) {
      case "GET":
        if (query.watch === "true" || query.watch === "1") return this.#list(target, name);
        if (subresource === "scale")
          return jsonAnswer(200, scale.scaleOf(resource, registry.get(place)));
        return this.#answered(target, 200, registry.get(place));
      case "PUT":
        return this.#put(target, name);
      case "PATCH":
        return this.#patch(target, name);
      case "DELETE": {
        if (subresource !== undefined) throw methodNotAllowed();
        const options = deleteOptionsOf(request.body, request.query);
        const { object, gone } = deleteObject({ store, clock }, { ...place, options });
        // As the API server answers who asks in the older way, of what is not gone yet.
        const held = options.orphanDependents === false && !gone ? 202 : 200;
        if (!gone || answersDeleted(resource)) return this.#answered(target, held, object);
        return jsonAnswer(200, deletedStatus(resource, object.metadata));
      }
      default:
        throw methodNotAllowed();
    }
  }

  #put(target: Target, name: string): ApiAnswer {
    const { request, resource } = target;
    const { registry, scale } = this.#options;
    const call = { ...this.#writeCall(target, { kind: "UpdateOptions" }), name };
    if (call.subresource === "scale") {
      const body = scale.bodyOf(request.body, name);
      const object = registry.patch(call, (live) => scale.scaled(resource, live, body));
      return jsonAnswer(200, scale.scaleOf(resource, object));
    }
    const body = objectOfBody(request.body, contentTypeOf(request), resource);
    const { object, created } = registry.update({ ...call, text: body.text }, body.object);
    return this.#answered(target, created ? 201 : 200, object);
  }

  #patch(target: Target, name: string): ApiAnswer {
    const { request, resource } = target;
    const { registry, scale } = this.#options;
    const type = patchTypeOf(contentTypeOf(request), resource);
    const call = { ...this.#writeCall(target, { kind: "PatchOptions", type }), name };
    if (type === "apply") {
      const { object: patch, text } = appliedObject(request.body);
      const { object, created } = registry.apply({ ...call, text }, patch);
      return this.#answered(target, created ? 201 : 200, object);
    }
    const { applied, text } = patchBodyOf(type, request.body, resource);
    if (call.subresource === "scale") {
      const object = registry.patch(call, (live) =>
        scale.scaled(resource, live, applied(scale.scaleOf(resource, live) as ApiObject)),
      );
      return jsonAnswer(200, scale.scaleOf(resource, object));
    }
    return this.#answered(target, 200, registry.patch({ ...call, text }, applied));
  }

  #writeCall(
    { request, resource, path, warnings }: Target,
    of: Pick<WriteRequest, "kind" | "type">,
  ): Omit<WriteCall, "name"> {
    const userAgent = request.headers["user-agent"] ?? "";
    const options = writeOptionsOf({ query: request.query, userAgent, ...of });
    const { namespace, subresource } = path;
    const warn = (text: string) => void (warnings.includes(text) || warnings.push(text));
    return { resource, namespace, subresource, options, warn };
  }

  #answered({ request, resource, query }: Target, status: number, object: ApiObject): ApiAnswer {
    const { accept } = request.headers;
    const format: Format = negotiate({ accept, query, custom: resource.custom, list: false });
    const nowMs = this.#options.clock.nowMs();
    return jsonAnswer(status, objectAnswer(object, { resource, format, nowMs }));
  }
}

/** One view a stored object, so that its JSON is made once. */
function viewOf(resource: ServedResource): (object: ApiObject) => ApiObject {
  let views = VIEWS.get(resource);
  if (!views) {
    views = new WeakMap();
    VIEWS.set(resource, views);
  }
  const known = views;
  return (object) => {
    const view = known.get(object) ?? served(resource, object);
    known.set(object, view);
    return view;
  };
}

/** A cache of what can be made anew. */
const VIEWS = new WeakMap<ServedResource, WeakMap<ApiObject, ApiObject>>();

function hasSubresource({ subresources }: ServedResource, name: string | undefined): boolean {
  if (name === undefined) return true;
  if (name === "status") return subresources.status;
  return name === "scale" && subresources.scale !== undefined;
}

/** Kinds whose DELETE answers the object, though it is gone. */
const ANSWERED = new Set(["Pod", "Service", "ServiceAccount", "PersistentVolumeClaim"]);

function answersDeleted({ group, kind }: ServedResource): boolean {
  return group === "" && ANSWERED.has(kind);
}

function contentTypeOf({ headers }: ApiRequest): string | undefined {
  return headers["content-type"];
}
