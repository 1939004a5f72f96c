import type { Kind, ObjectMeta } from "../../shared/api/object.ts";
import type { KubeResponse } from "../../shared/kube/wire.ts";

export type Json = Record<string, unknown>;

/** An object as the fake API server holds it. Never changed in place. */
export interface Stored {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMeta;
  readonly [field: string]: unknown;
}

export interface StoredMeta extends ObjectMeta {
  readonly [field: string]: unknown;
}

/** A kind as the fake serves it. */
export interface ServedKind extends Kind {
  /** Whether `status` is a subresource, written apart from the rest. */
  readonly status: boolean;
  /** Whether the server counts changes of the spec. */
  readonly counted: boolean;
  readonly custom: boolean;
}

const WITHOUT_STATUS = new Set(
  (
    "ConfigMap Secret ServiceAccount Endpoints LimitRange Event Lease Role RoleBinding ClusterRole " +
    "ClusterRoleBinding IngressClass NetworkPolicy EndpointSlice PriorityClass StorageClass"
  ).split(" "),
);
const COUNTED_GROUPS = /^(apps|batch|policy|networking\.k8s\.io|apiextensions\.k8s\.io)\//;

/** How a real API server treats the kind: what it counts, and what it keeps apart. */
export function servedKind(kind: Kind): ServedKind {
  const group = kind.apiVersion.split("/")[0] ?? "";
  const custom = group.includes(".") && !group.endsWith(".k8s.io");
  return {
    ...kind,
    custom,
    status: custom || !WITHOUT_STATUS.has(kind.kind),
    counted: custom || COUNTED_GROUPS.test(kind.apiVersion),
  };
}

export function textOf({ namespace = "", name }: { namespace?: string; name: string }): string {
  return `${namespace}/${name}`;
}

export function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function isJson(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Thrown inside the fake: the answer that ends the request. */
export class Refusal extends Error {
  readonly response: KubeResponse;

  /** `details` of a Status, or the whole body as text. */
  constructor(code: number, reason: string, message: string, details: Json | string = {}) {
    super(message);
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
    this.response = {
      status: code,
      headers: { "content-type": typeof details === "string" ? "text/plain" : "application/json" },
      body: typeof details === "string" ? details : { ...status, message, reason, details, code },
    };
  }
}

export function namedDetails(kind: Kind, name: string): Json {
  const [group] = kind.apiVersion.includes("/") ? kind.apiVersion.split("/") : [undefined];
  return { name, ...(group ? { group } : {}), kind: kind.plural };
}

export function absent(kind: Kind, name: string): Refusal {
  return new Refusal(
    404,
    "NotFound",
    `${kind.plural} "${name}" not found`,
    namedDetails(kind, name),
  );
}

export function conflict(kind: Kind, name: string, why: string): Refusal {
  const message = `Operation cannot be fulfilled on ${kind.plural} "${name}": ${why}`;
  return new Refusal(409, "Conflict", message, namedDetails(kind, name));
}

export function invalid(kind: Kind, name: string, field: string, why: string): Refusal {
  return new Refusal(422, "Invalid", `${kind.kind} "${name}" is invalid: ${field}: ${why}`, {
    ...namedDetails(kind, name),
    kind: kind.kind,
    causes: [{ reason: "FieldValueForbidden", field, message: why }],
  });
}

export function notServed(): Refusal {
  // Not even a Status: nothing serves the path.
  return new Refusal(404, "", "404 page not found", "404 page not found\n");
}
