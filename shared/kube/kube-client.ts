import type { Key, Kind, KubernetesObject } from "../api/object.ts";
import type { Patch } from "../api/reconciler.ts";
import type { Selector } from "../api/source.ts";

/** Options that all writes take. */
export interface WriteOptions {
  readonly fieldManager?: string;
  /** Default "Strict" where the caller is the framework. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  /** "status", "scale", ... */
  readonly subresource?: string;
}

export interface ApplyRequest extends WriteOptions {
  readonly fieldManager: string;
  readonly force?: boolean;
}

export interface ListRequest {
  /** "" or absent: all namespaces. */
  readonly namespace?: string;
  readonly labels?: Selector;
  readonly fields?: Selector;
  readonly signal?: AbortSignal;
}

export interface DeleteRequest {
  /** Default: Background. */
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly signal?: AbortSignal;
}

/**
 * Typed calls to one API server. Rejects with a KubeError (ConflictError for 409) for every answer
 * that is not a success, and with the transport's error where there was no answer.
 * `kubectl.kubernetes.io/last-applied-configuration` and `managedFields` are dropped from what it returns;
 * an update of a version that was read here puts the annotation back.
 */
export interface KubeClient {
  /**
   * A plain GET, always current (Q3). Undefined when the 404 names the object; a 404 of the kind rejects.
   * `raw` keeps `managedFields`, for those who take fields over.
   */
  readonly get: <T extends KubernetesObject>(
    kind: Kind<T>,
    key: Key,
    options?: { signal?: AbortSignal; subresource?: string; raw?: boolean },
  ) => Promise<T | undefined>;
  /** Unpaged up to 2,000 objects, then paged. Items carry apiVersion and kind. */
  readonly list: <T extends KubernetesObject>(
    kind: Kind<T>,
    options?: ListRequest,
  ) => Promise<readonly T[]>;
  readonly create: <T extends KubernetesObject>(
    kind: Kind<T>,
    namespace: string,
    object: object,
    options?: WriteOptions,
  ) => Promise<T>;
  readonly update: <T extends KubernetesObject>(
    kind: Kind<T>,
    key: Key,
    object: object,
    options?: WriteOptions,
  ) => Promise<T>;
  readonly patch: <T extends KubernetesObject>(
    kind: Kind<T>,
    key: Key,
    patch: Patch,
    options?: WriteOptions,
  ) => Promise<T>;
  /** Server-side apply. `created` tells a 201. */
  readonly apply: <T extends KubernetesObject>(
    kind: Kind<T>,
    key: Key,
    object: object,
    options: ApplyRequest,
  ) => Promise<{ object: T; created: boolean }>;
  /** Resolves to false where there was no such object. */
  readonly delete: (kind: Kind, key: Key, options?: DeleteRequest) => Promise<boolean>;
}
