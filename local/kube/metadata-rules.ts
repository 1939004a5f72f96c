import type { FieldError } from "./api-error.ts";
import type { ApiMeta, ApiObject } from "./api-object.ts";
import { firstGeneration } from "./generation.ts";
import { badRequest, internalError } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** Letters that generated names end with: none that spells words, none that look alike. */
const NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;

/** Longest base of a generated name: names of 63 characters fit everywhere. */
const MAX_BASE = 58;

/** Metadata of an object that is created, with what the server gives it. */
export function createdMetadata(
  resource: ServedResource,
  { metadata }: ApiObject,
  given: {
    readonly namespace: string;
    readonly uid: string;
    readonly nowMs: number;
    readonly random: () => number;
  },
): ApiMeta {
  if (metadata.resourceVersion && metadata.resourceVersion !== "0") {
    throw internalError("resourceVersion should not be set on objects to be created");
  }
  const {
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _seconds,
    generation: asked,
    namespace: _namespace,
    selfLink: _selfLink,
    ...rest
  } = metadata as ApiMeta & { readonly selfLink?: string };
  const generation = firstGeneration(resource, asked);
  return {
    ...rest,
    name: metadata.name || generatedName(metadata.generateName, given.random),
    ...(resource.namespaced && { namespace: given.namespace }),
    uid: given.uid,
    resourceVersion: "",
    ...(generation !== undefined && generation !== 0 && { generation }),
    creationTimestamp: timeText(given.nowMs),
  };
}

/** A time as Kubernetes writes it: whole seconds. */
export function timeText(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
}

function generatedName(base: string | undefined, random: () => number): string {
  if (!base) return "";
  let name = base.slice(0, MAX_BASE);
  for (let index = 0; index < SUFFIX_LENGTH; index += 1) {
    name += NAME_LETTERS[Math.floor(random() * NAME_LETTERS.length)] ?? "b";
  }
  return name;
}

/** Refuses an object that names another namespace or name than the path. */
export function checkPlace(
  resource: ServedResource,
  { metadata }: ApiObject,
  path: { readonly namespace: string; readonly name?: string },
): void {
  const { name, namespace = "" } = metadata;
  if (path.name !== undefined && !name) {
    throw badRequest(
      `the name of the object (${path.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (path.name !== undefined && name !== path.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${path.name})`,
    );
  }
  if (resource.namespaced && namespace !== "" && namespace !== path.namespace) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}

/** Metadata of an update: what only the server sets stays as it was. */
export function updatedMetadata(before: ApiMeta, asked: ApiMeta): ApiMeta {
  const {
    generation: _generation,
    selfLink: _selfLink,
    ...after
  } = asked as ApiMeta & { readonly selfLink?: string };
  return {
    ...after,
    name: before.name,
    ...(before.namespace !== undefined && { namespace: before.namespace }),
    uid: before.uid,
    creationTimestamp: before.creationTimestamp,
    ...keep(before, before.deletionTimestamp ? {} : after, "deletionTimestamp"),
    ...keep(before, before.deletionTimestamp ? {} : after, "deletionGracePeriodSeconds"),
    ...keep(before, {}, "generation"),
  };
}

/** Absent in the update means as it was; another value is refused by `metadataFaults`. */
function keep<F extends "deletionTimestamp" | "deletionGracePeriodSeconds" | "generation">(
  before: ApiMeta,
  after: Partial<ApiMeta>,
  field: F,
): Partial<ApiMeta> {
  const value = after[field] ?? before[field];
  return value === undefined ? {} : { [field]: value };
}

/** What an update may not change in metadata. */
export function metadataFaults(before: ApiMeta, after: ApiMeta): readonly FieldError[] {
  const faults: FieldError[] = [];
  for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds"] as const) {
    // Of a terminating object another moment is passed over, as by the API server.
    if (after[field] === before[field] || before.deletionTimestamp !== undefined) continue;
    const message = `Invalid value: ${JSON.stringify(after[field])}: field is immutable`;
    faults.push({ reason: "FieldValueInvalid", message, field: `metadata.${field}` });
  }
  const added = (after.finalizers ?? []).filter(
    (each) => !(before.finalizers ?? []).includes(each),
  );
  if (before.deletionTimestamp !== undefined && added.length > 0) {
    const shown = `[]string{${added.map((each) => JSON.stringify(each)).join(", ")}}`;
    const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
    faults.push({ reason: "FieldValueForbidden", message, field: "metadata.finalizers" });
  }
  return faults;
}
