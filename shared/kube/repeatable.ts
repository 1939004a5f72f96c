import { metadataOf } from "./strip.ts";
import type { KubeRequest } from "./wire.ts";

/**
 * Whether a request may be sent again when it is not known whether the server has carried it out.
 *
 * - GET changes nothing, and a server-side apply or a PUT says how the object is to be. A PUT must
 *   name the version it replaces: where the first one was carried out, the second answers 409.
 * - DELETE: where the first one was carried out, the second answers 404 and counts as "no such
 *   object", which is so. (One that was created meanwhile under the same name is deleted unless the
 *   request names a uid.)
 * - POST of an object with a name: where the first one was carried out, the second answers 409
 *   AlreadyExists, as to anybody who creates what exists. With a generated name, or none, there
 *   would be two.
 * - Other patches may append to a list, or undo what came between, and are never repeated.
 */
export function repeatable({ method, body, contentType }: KubeRequest): boolean {
  if (method === "GET" || method === "DELETE") return true;
  if (method === "PATCH") return contentType === "application/apply-patch+yaml";
  const { name, resourceVersion } = metadataOf(body) ?? {};
  if (method === "PUT") return Boolean(resourceVersion);
  return Boolean(name);
}
