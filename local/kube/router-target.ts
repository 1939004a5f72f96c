import type { ApiObject } from "./api-object.ts";
import type { ApiAnswer, ApiRequest, ResourcePath } from "./api-request.ts";
import { jsonAnswer } from "./api-status.ts";
import { objectAnswer } from "./list-answer.ts";
import { negotiate } from "./list-format.ts";
import type { Query } from "./list-options.ts";
import { knownJson } from "./object-json.ts";
import type { WriteCall } from "./registry.ts";
import type { ServedResource } from "./served-resource.ts";
import { type WriteRequest, writeOptionsOf } from "./write-options.ts";

/** What a request to a resource is about. */
export interface RequestTarget {
  readonly request: ApiRequest;
  readonly resource: ServedResource;
  readonly path: ResourcePath;
  readonly query: Query;
  /** Texts that become a header of the answer. */
  readonly warnings: string[];
}

/** The write that a request asks for. Throws ApiError 422 of options that are not known. */
export function writeCallOf(
  { request, resource, path, warnings }: RequestTarget,
  of: Pick<WriteRequest, "kind" | "type">,
): WriteCall {
  const userAgent = request.headers["user-agent"] ?? "";
  const options = writeOptionsOf({ query: request.query, userAgent, ...of });
  const { namespace, name = "", subresource } = path;
  const warn = (text: string) => void (warnings.includes(text) || warnings.push(text));
  return { resource, namespace, name, subresource, options, warn };
}

/** An answer with one object, in the form that the client asked for. */
export function answeredObject(
  { request, resource, query }: RequestTarget,
  object: ApiObject,
  { status = 200, nowMs }: { readonly status?: number; readonly nowMs: number },
): ApiAnswer {
  const { accept } = request.headers;
  const format = negotiate({ accept, query, custom: resource.custom, list: false });
  const body = objectAnswer(object, { resource, format, nowMs });
  return jsonAnswer(status, knownJson(body) ?? body);
}
