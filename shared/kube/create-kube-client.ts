import type { Logger } from "../api/log.ts";
import type { Key, Kind, KubernetesObject } from "../api/object.ts";
import type { Patch } from "../api/reconciler.ts";
import { actionOf, callError, type KubeCall } from "./kube-call.ts";
import type {
  ApplyRequest,
  DeleteRequest,
  KubeClient,
  ListRequest,
  WriteOptions,
} from "./kube-client.ts";
import { namesObject } from "./kube-error.ts";
import { LastApplied } from "./last-applied.ts";
import { ObjectLister, UNPAGED_LIMIT } from "./list-objects.ts";
import { collectionPath, objectPath } from "./paths.ts";
import { metadataOf, stripped } from "./strip.ts";
import type { KubeRequest, KubeResponse, Transport } from "./wire.ts";

/**
 * Typed calls over a transport. Bodies are sent as they are given, with all their keys; apiVersion,
 * kind, namespace and name are filled in where they are missing.
 */
export function createKubeClient(
  transport: Transport,
  options: { readonly log?: Logger } = {},
): KubeClient {
  return new TransportClient(transport, options.log);
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#patch-and-apply */
const PATCH_TYPES = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
} as const;
const APPLY_TYPE = "application/apply-patch+yaml"; // JSON is YAML.

class TransportClient implements KubeClient {
  readonly #transport: Transport;
  readonly #lister: ObjectLister;
  readonly #lastApplied = new LastApplied();

  constructor(transport: Transport, log: Logger | undefined) {
    this.#transport = transport;
    this.#lister = new ObjectLister(transport, {
      read: (object) => this.#lastApplied.remember(object),
      long: ({ kind, key }, objects) =>
        log?.warn("long list: read in pages from now on; select less, or watch instead", {
          kind: kind.kind,
          listNamespace: key.namespace,
          objects,
          limit: UNPAGED_LIMIT,
        }),
    });
  }

  get = async <T extends KubernetesObject>(
    kind: Kind<T>,
    key: Key,
    options: { signal?: AbortSignal; subresource?: string; raw?: boolean } = {},
  ): Promise<T | undefined> => {
    const { signal, subresource, raw = false } = options;
    const path = objectPath(kind, key, subresource);
    const response = await this.#transport.request({ method: "GET", path, ...optional(signal) });
    if (namesObject(response)) return undefined;
    const managedFields = raw ? metadataOf(response.body)?.managedFields : undefined;
    const object = this.#answered<T>({ verb: "get", kind, key, subresource }, response);
    return managedFields === undefined
      ? object
      : { ...object, metadata: { ...object.metadata, managedFields } };
  };

  list = <T extends KubernetesObject>(
    kind: Kind<T>,
    options: ListRequest = {},
  ): Promise<readonly T[]> => this.#lister.list(kind, options);

  create = async <T extends KubernetesObject>(
    kind: Kind<T>,
    namespace: string,
    object: object,
    options: WriteOptions = {},
  ): Promise<T> => {
    const { subresource } = options;
    const name = metadataOf(object)?.name;
    const key = { namespace, name: typeof name === "string" ? name : "" };
    const path = subresource ? objectPath(kind, key, subresource) : pathToCreate(kind, key);
    const call: KubeCall = { verb: "create", kind, key, subresource };
    const request = { method: "POST", path, body: completed(call, object) } as const;
    return this.#answered<T>(call, await this.#write(request, options));
  };

  update = async <T extends KubernetesObject>(
    kind: Kind<T>,
    key: Key,
    object: object,
    options: WriteOptions = {},
  ): Promise<T> => {
    const call: KubeCall = { verb: "update", kind, key, subresource: options.subresource };
    const body = this.#lastApplied.restored(completed(call, object));
    const request = { method: "PUT", path: pathOf(call), body } as const;
    return this.#answered<T>(call, await this.#write(request, options));
  };

  patch = async <T extends KubernetesObject>(
    kind: Kind<T>,
    key: Key,
    { type, patch }: Patch,
    options: WriteOptions = {},
  ): Promise<T> => {
    const call: KubeCall = { verb: "patch", kind, key, subresource: options.subresource };
    const contentType = PATCH_TYPES[type];
    const request = { method: "PATCH", path: pathOf(call), body: patch, contentType } as const;
    return this.#answered<T>(call, await this.#write(request, options));
  };

  apply = async <T extends KubernetesObject>(
    kind: Kind<T>,
    key: Key,
    object: object,
    options: ApplyRequest,
  ): Promise<{ object: T; created: boolean }> => {
    const call: KubeCall = { verb: "apply", kind, key, subresource: options.subresource };
    const response = await this.#write(
      {
        method: "PATCH",
        path: pathOf(call),
        body: completed(call, object),
        contentType: APPLY_TYPE,
        query: options.force ? { force: "true" } : {},
      },
      options,
    );
    return { object: this.#answered<T>(call, response), created: response.status === 201 };
  };

  delete = async (kind: Kind, key: Key, options: DeleteRequest = {}): Promise<boolean> => {
    const call: KubeCall = { verb: "delete", kind, key };
    const response = await this.#transport.request({
      method: "DELETE",
      path: pathOf(call),
      body: deleteOptions(options),
      ...optional(options.signal),
    });
    if (namesObject(response)) return false;
    if (!succeeded(response)) throw callError(call, response);
    return true;
  };

  #write(request: KubeRequest, options: WriteOptions): Promise<KubeResponse> {
    const { fieldManager, fieldValidation, dryRun, signal } = options;
    const query = {
      ...request.query,
      ...(fieldManager !== undefined && { fieldManager }),
      ...(fieldValidation !== undefined && { fieldValidation }),
      ...(dryRun && { dryRun: "All" }),
    };
    return this.#transport.request({ ...request, query, ...optional(signal) });
  }

  #answered<T>(call: KubeCall, response: KubeResponse): T {
    if (!succeeded(response)) throw callError(call, response);
    const { body } = response;
    if (body === null || typeof body !== "object") {
      throw new Error(
        `cannot ${actionOf(call)}: expected an object, got ${response.status} with ${response.headers["content-type"] ?? "no content type"}; check that the server's URL is that of a Kubernetes API`,
      );
    }
    this.#lastApplied.remember(body);
    return stripped(body) as T;
  }
}

function succeeded({ status }: KubeResponse): boolean {
  return status >= 200 && status < 300;
}

function optional(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}

function pathOf({ kind, key, subresource }: KubeCall): string {
  return objectPath(kind, key, subresource);
}

function pathToCreate(kind: Kind, { namespace, name }: Key): string {
  if (kind.scope === "Namespaced" && namespace === "") {
    throw new Error(`cannot create ${kind.kind} ${name}: expected a namespace, got none`);
  }
  return collectionPath(kind, namespace);
}

/** The object with what the call says of it, where it does not say so itself. */
function completed({ kind, key }: KubeCall, object: object): object {
  const namespace = kind.scope === "Namespaced" && key.namespace;
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    ...object,
    metadata: {
      ...(namespace && { namespace }),
      ...(key.name !== "" && { name: key.name }),
      ...metadataOf(object),
    },
  };
}

/** Always says what becomes of dependents: the API server leaves the pods of a Job behind where it is not told. */
function deleteOptions(request: DeleteRequest): object {
  const { propagation = "Background", uid, resourceVersion } = request;
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: propagation,
    ...((uid ?? resourceVersion) !== undefined && {
      preconditions: {
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      },
    }),
  };
}
