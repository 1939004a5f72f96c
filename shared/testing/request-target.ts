import type { Key } from "../api/object.ts";
import type { KubeRequest } from "../kube/wire.ts";

/** What a request does, in the words of Kubernetes' roles, with "apply" for server-side apply. */
export type Verb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "apply"
  | "delete"
  | "deletecollection";

/** What a request does to which object. */
export interface RequestTarget {
  readonly verb: Verb;
  readonly apiVersion: string;
  readonly plural: string;
  /** `name` is "" for a collection, and for a create whose body says it. */
  readonly key: Key;
  readonly subresource?: string;
}

/** The target of a request; undefined for what is no object or collection, such as discovery. */
export function targetOf(request: KubeRequest): RequestTarget | undefined {
  const [root, ...parts] = request.path.slice(1).split("/").map(decodeURIComponent);
  if (root !== "api" && root !== "apis") return undefined;
  const apiVersion = parts.splice(0, root === "api" ? 1 : 2).join("/");
  const scoped =
    parts[0] === "namespaces" && parts.length > 2 && !OF_NAMESPACES.has(parts[2] ?? "");
  const [namespace = ""] = scoped ? parts.splice(0, 2).slice(1) : [];
  const [plural, name = "", subresource] = parts;
  if (plural === undefined) return undefined;
  return {
    verb: verbOf(request, name),
    apiVersion,
    plural,
    key: { namespace, name },
    ...(subresource !== undefined && { subresource }),
  };
}

/** Whether the request changes something where it succeeds. */
export function writes({ method, query }: KubeRequest): boolean {
  return method !== "GET" && query?.dryRun === undefined;
}

const OF_NAMESPACES = new Set(["status", "finalize"]);

function verbOf({ method, query, contentType }: KubeRequest, name: string): Verb {
  if (method === "POST") return "create";
  if (method === "PUT") return "update";
  if (method === "DELETE") return name === "" ? "deletecollection" : "delete";
  if (method === "PATCH") return contentType?.includes("apply-patch") ? "apply" : "patch";
  if (query?.watch === "true" || query?.watch === "1") return "watch";
  return name === "" ? "list" : "get";
}
