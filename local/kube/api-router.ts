import type { Clock } from "../../shared/clock.ts";
import type { ApiError } from "./api-error.ts";
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
import { deprecationOf } from "./kind-warnings.ts";
import { listAnswerJson } from "./list-answer.ts";
import { negotiate } from "./list-format.ts";
import { listObjects } from "./list-objects.ts";
import { listOptionsOf } from "./list-options.ts";
import { requireReached } from "./list-version.ts";
import { openApiDocument, openApiIndex } from "./openapi.ts";
import { type Registry, served } from "./registry.ts";
import { deleteObject } from "./registry-delete.ts";
import {
  badRequest,
  methodNotAllowed,
  notFound,
  notServed,
  notSupported,
  tooLarge,
} from "./registry-errors.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import { answeredObject, type RequestTarget } from "./router-target.ts";
import { patchObject, postObject, postSubresource, putObject } from "./router-writes.ts";
import type { ScaleCodec } from "./scale.ts";
import { scaleAnswer } from "./scale-table.ts";
import type { ServedResource } from "./served-resource.ts";
import { unservedAnswer } from "./server-paths.ts";
import type { ObjectStore } from "./store.ts";
import { openWatch } from "./watch-stream.ts";

/** As the API server takes at most. https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/ */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

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
    if (Buffer.byteLength(request.body) > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
    const path = resourcePathOf(request.path);
    const resource = path && this.#options.catalog.find(path);
    if (!path || !resource || misplaced(path, resource)) {
      return unservedAnswer(request.path, this.#options.catalog);
    }
    requireSegment(path.name ?? "");
    const query = Object.fromEntries(request.query);
    const deprecation = deprecationOf(resource);
    const warnings = deprecation === undefined ? [] : [deprecation];
    const target: RequestTarget = { request, resource, path, query, warnings };
    const answer = this.#answerAt(target);
    const [first] = target.warnings;
    if (first === undefined) return answer;
    const warning = target.warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(", ");
    return { ...answer, headers: { ...answer.headers, warning } };
  }

  /** Refusals carry warnings too. */
  #answerAt(target: RequestTarget): ApiAnswer {
    const { name } = target.path;
    try {
      return name === undefined ? this.#collection(target) : this.#object(target, name);
    } catch (error) {
      return errorAnswer(error);
    }
  }

  #documents({ method, path }: ApiRequest): ApiAnswer | undefined {
    const { catalog, address } = this.#options;
    const parts = partsOf(path);
    const found = discoveryAt(parts, catalog, address());
    if (found && method !== "GET") throw methodNotAllowed();
    if (found) return jsonAnswer(200, found);
    if (method !== "GET") return undefined;
    if (parts[0] !== "openapi" || parts[1] !== "v3") return undefined;
    if (parts.length === 2) return jsonAnswer(200, openApiIndex(catalog.all()));
    const document = openApiDocument(parts.slice(2).join("/"), catalog.all());
    return document && jsonAnswer(200, document);
  }

  #collection(target: RequestTarget): ApiAnswer {
    const { request, resource, path } = target;
    const { method } = request;
    if (method === "GET") return this.#list(target);
    if (resource.namespaced && path.namespace === "") throw methodNotAllowed();
    if (method === "POST") return postObject(this.#options, target);
    const collects = resource.verbs?.includes("deletecollection") ?? true;
    if (method === "DELETE" && collects) return this.#deleteCollection(target);
    throw notAllowed(resource, method);
  }

  #list(target: RequestTarget, name?: string): ApiAnswer {
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

  #deleteCollection(target: RequestTarget): ApiAnswer {
    const { request, resource, path, query } = target;
    const { store, clock } = this.#options;
    const options = deleteOptionsOf(request.body, request.query);
    const scope = { resource, namespace: path.namespace, view: viewOf(resource) };
    const list = listObjects(store, scope, listOptionsOf(query, resource));
    for (const { metadata } of list.items) {
      const { name, namespace = "" } = metadata;
      deleteObject({ store, clock }, { resource, namespace, name, options });
    }
    // As they were before, as the API server answers.
    return jsonAnswer(
      200,
      listAnswerJson(list, { resource, format: { as: "Object" }, nowMs: clock.nowMs() }),
    );
  }

  #object(target: RequestTarget, name: string): ApiAnswer {
    const { request, resource, path, query } = target;
    const { registry, store, clock, scale } = this.#options;
    const { subresource } = path;
    const place = { resource, namespace: path.namespace, name };
    if (request.method === "POST") return postSubresource(this.#options, target);
    if (!hasSubresource(resource, subresource)) {
      throw resource.custom ? notFound(resource, name) : notServed();
    }
    switch (request.method) {
      case "GET":
        requireReached(store, query.resourceVersion ?? "");
        if (subresource === "scale") {
          const read = scale.readScale(resource, registry.get(place)) as ApiObject;
          return jsonAnswer(200, scaleAnswer(target, read, clock.nowMs()));
        }
        return answeredObject(target, registry.get(place), { nowMs: clock.nowMs() });
      case "PUT":
        return putObject(this.#options, target);
      case "PATCH":
        return patchObject(this.#options, target);
      case "DELETE":
        if (subresource !== undefined) throw notAllowed(resource, "DELETE");
        return this.#delete(target, name);
      default:
        throw notAllowed(resource, request.method);
    }
  }

  #delete(target: RequestTarget, name: string): ApiAnswer {
    const { request, resource, path } = target;
    const { store, clock } = this.#options;
    const options = deleteOptionsOf(request.body, request.query);
    const place = { resource, namespace: path.namespace, name };
    const orphans = resource.group === "batch" && resource.kind === "Job";
    if (orphans && options.propagation === undefined) target.warnings.push(ORPHANED);
    const { object, gone } = deleteObject({ store, clock }, { ...place, options });
    // As the API server answers who asks in the older way, of what is not gone yet.
    const held = options.orphanDependents === false && !gone ? 202 : 200;
    if (!gone || answersDeleted(resource)) {
      return answeredObject(target, object, { status: held, nowMs: clock.nowMs() });
    }
    return jsonAnswer(200, deletedStatus(resource, object.metadata));
  }
}

const ORPHANED =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

/** Objects of a namespace are not found without it, and others not in one. */
function misplaced({ name, namespace, plural }: ResourcePath, { namespaced }: ServedResource) {
  if (plural === "namespaces") return false;
  return namespaced ? name !== undefined && namespace === "" : namespace !== "";
}

/** Refuses what names no object, in the API server's words. Throws ApiError 400. */
function requireSegment(name: string): void {
  const fault =
    name === "." || name === ".." ? `may not be '${name}'` : name.includes("%") && NO_PERCENT;
  if (fault) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${fault}`);
}

const NO_PERCENT = "may not contain '%'";

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

const VERBS: Readonly<Record<string, string>> = {
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

function notAllowed(resource: ServedResource, method: string): ApiError {
  return resource.custom ? notSupported(resource, VERBS[method] ?? "") : methodNotAllowed();
}
