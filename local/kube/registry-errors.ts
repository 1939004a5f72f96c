import { ApiError, type FieldError } from "./api-error.ts";
import type { ServedResource } from "./served-resource.ts";

type Named = Pick<ServedResource, "group" | "plural" | "kind">;

/** "deployments.apps", "configmaps" */
function qualified({ group }: Named, what: string): string {
  return group === "" ? what : `${what}.${group}`;
}

function detailsOf({ group }: Named, name: string, kind: string) {
  return { ...(name !== "" && { name }), ...(group !== "" && { group }), kind };
}

/** 404 of an object. */
export function notFound(resource: Named, name: string): ApiError {
  return new ApiError({
    code: 404,
    reason: "NotFound",
    message: `${qualified(resource, resource.plural)} "${name}" not found`,
    details: detailsOf(resource, name, resource.plural),
  });
}

/** 409 of a create. */
export function alreadyExists(resource: Named, name: string, deletedAt?: string): ApiError {
  const going = deletedAt === undefined ? "" : "object is being deleted: ";
  return new ApiError({
    code: 409,
    reason: "AlreadyExists",
    message: `${going}${qualified(resource, resource.plural)} "${name}" already exists`,
    details: detailsOf(resource, name, resource.plural),
  });
}

/** 409 of a write whose object is not as the client thinks. */
export function conflict(
  resource: Named,
  name: string,
  why = MODIFIED,
  as: string = resource.plural,
): ApiError {
  return new ApiError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${qualified(resource, as)} "${name}": ${why}`,
    details: detailsOf(resource, name, as),
  });
}

const MODIFIED =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 409 of a write that names another object of the same name. */
export function anotherUid(
  resource: Named,
  { namespace, name }: { namespace: string; name: string },
  { asked, is }: { asked: string; is: string },
): ApiError {
  const path = [resource.group, resource.plural, namespace, name].filter((part) => part !== "");
  return conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: /registry/${path.join("/")}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${asked}, UID in object meta: ${is}`,
  );
}

/** 422 of an object. `as` is the kind in the text: custom resources name their plural in some. */
export function invalid(
  resource: Named,
  name: string,
  causes: readonly FieldError[],
  as: string = resource.kind,
): ApiError {
  // Events of both groups are checked as those of the core group.
  if (resource.group === "events.k8s.io") {
    return invalid({ ...resource, group: "" }, name, causes, as);
  }
  // A cause that is there twice is told once.
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `${qualified(resource, as)} "${name}" is invalid: ${text}`,
    details: { ...detailsOf(resource, name, as), causes },
  });
}

/** 403 with a reason of the server's own. */
export function forbidden(
  resource: Named,
  name: string,
  why: string,
  causes?: readonly FieldError[],
): ApiError {
  return new ApiError({
    code: 403,
    reason: "Forbidden",
    message: `${qualified(resource, resource.plural)} "${name}" is forbidden: ${why}`,
    details: { ...detailsOf(resource, name, resource.plural), ...(causes && { causes }) },
  });
}

/** 400. */
export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: "BadRequest", message });
}

/** 500 without a reason, as the API server answers what it did not foresee. */
export function internalError(message: string): ApiError {
  return new ApiError({ code: 500, reason: "", message });
}

/** 404 of a path. */
export function notServed(): ApiError {
  return new ApiError({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });
}

/** 405. */
export function methodNotAllowed(): ApiError {
  return new ApiError({
    code: 405,
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
    details: {},
  });
}

/** 405 of a custom resource. */
export function notSupported(resource: Named, verb: string): ApiError {
  const { group, plural } = resource;
  return new ApiError({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${verb} is not supported on resources of kind ${JSON.stringify(qualified(resource, plural))}`,
    details: { group, kind: plural },
  });
}

/** 413 of a body. */
export function tooLarge(limit: number): ApiError {
  return new ApiError({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: `Request entity too large: limit is ${limit}`,
  });
}
