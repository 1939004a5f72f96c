import type { ApiError, FieldError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { decodedObject } from "./apply-decoded.ts";
import { type BodyText, strictFaults } from "./body-faults.ts";
import { decodeFault } from "./built-in-decoding.ts";
import { defaultBuiltIn } from "./built-in-defaults.ts";
import { withoutEmptyLists } from "./built-in-encoding.ts";
import { definitionName } from "./built-in-resources.ts";
import { validateBuiltIn, validateMetadata } from "./built-in-validation.ts";
import type { Part } from "./built-in-visit.ts";
import { ruleFaults } from "./cel-rules.ts";
import { conversionFault } from "./conversion-fault.ts";
import type { Json } from "./fields-value.ts";
import { badRequest, invalid } from "./registry-errors.ts";
import { scaleFaults } from "./scale-faults.ts";
import { withDefaults, withoutNulls } from "./schema-defaults.ts";
import { prune } from "./schema-prune.ts";
import { validateValue } from "./schema-validate.ts";
import type { ServedResource } from "./served-resource.ts";
import { statusFaults } from "./status-faults.ts";
import type { WriteOptions } from "./write-options.ts";

/** Where warnings of one request go: each becomes a header. */
export type Warn = (text: string) => void;

/** What an object is decoded with. */
export interface Decoding {
  readonly resource: ServedResource;
  readonly options: Pick<WriteOptions, "fieldValidation">;
  readonly warn: Warn;
  readonly text?: BodyText | undefined;
}

/**
 * An object as it is decoded: without fields that the schema does not know. What is dropped is
 * refused, told, or passed over in silence, as `fieldValidation` says. Throws what `refused` makes
 * of a fault.
 */
export function decoded(
  { resource, options, warn, text }: Decoding,
  object: ApiObject,
  refused: (fault: string) => ApiError = (fault) => cannotBeHandled(resource, fault),
): ApiObject {
  const fault = decodeFault(resource, object);
  if (fault !== undefined) {
    const converted = text?.converted ? conversionFault(resource.schema, object) : undefined;
    throw refused(converted ?? fault);
  }
  tellFaults({ resource, options, warn, text }, object, refused);
  return asDecodedObject(resource, prune(resource.schema, object));
}

function tellFaults(
  { resource, options, warn, text }: Decoding,
  object: ApiObject,
  refused: (fault: string) => ApiError,
): void {
  if (options.fieldValidation === "Ignore") return;
  const faults = strictFaults(resource, object, text);
  if (options.fieldValidation === "Strict" && faults.length > 0) {
    throw refused(`strict decoding error: ${faults.join(", ")}`);
  }
  for (const each of faults) warn(each);
}

function cannotBeHandled({ kind, version }: ServedResource, fault: string): ApiError {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${fault}`);
}

/** In the form in which the server holds it: nulls of custom objects are absent values. */
function asDecodedObject(resource: ServedResource, object: ApiObject): ApiObject {
  if (!resource.custom) return object;
  const read = decodedObject(resource, object as unknown as Json) as unknown as ApiObject;
  return withoutNulls(resource.schema, read);
}

/** The object with the defaults of its kind: of a built-in one a copy, which the write may change in place. */
export function defaulted(resource: ServedResource, object: ApiObject): ApiObject {
  if (resource.custom) return withDefaults(resource.schema, object);
  const filled = defaultBuiltIn(resource, object);
  // An empty list clears the owners: it is not as good as none.
  const { managedFields } = object.metadata;
  return managedFields ? { ...filled, metadata: { ...filled.metadata, managedFields } } : filled;
}

/**
 * Gives a built-in object the form that comes out of the store: lists that are always written are null
 * where they are empty. Changes the object, and answers it.
 */
export function settled(resource: ServedResource, object: ApiObject): ApiObject {
  const definition = definitionName(resource);
  if (resource.custom || definition === undefined) return object;
  withoutEmptyLists(definition, object as unknown as Part);
  return object;
}

/** Faults that a registry found itself, and where warnings of the write go. */
export interface FoundFaults {
  readonly first?: readonly FieldError[];
  readonly last?: readonly FieldError[];
  readonly warn: Warn;
}

/** As `checkObject` of a write through the path of the status: of custom resources only that, and all rules. */
export function checkStatus(
  resource: ServedResource,
  object: ApiObject,
  before: ApiObject,
  found: FoundFaults,
): void {
  const schema = resource.schema.properties?.status;
  const { custom } = resource;
  const faults = custom
    ? validateMetadata(resource, object)
    : [...validateBuiltIn(resource, object), ...statusFaults(resource, object)];
  const ofStatus =
    custom && schema && object.status !== undefined
      ? validateValue(schema, object.status, "status", before.status)
      : [];
  const all = [...(found.first ?? []), ...faults, ...ofStatus];
  all.push(...customRuleFaults(resource, { object, before }, { found: all, warn: found.warn }));
  all.push(...(found.last ?? []));
  if (all.length > 0) throw invalid(resource, object.metadata.name, all);
}

/** Throws ApiError 422 with all faults of the object, and those that its registry found before and after. */
export function checkObject(
  resource: ServedResource,
  object: ApiObject,
  before: ApiObject | undefined,
  found: FoundFaults,
): void {
  const faults = resource.custom
    ? [
        ...validateMetadata(resource, object),
        ...validateValue(resource.schema, object, "", before),
        ...scaleFaults(resource, object),
      ]
    : validateBuiltIn(resource, object);
  const all = [...(found.first ?? []), ...faults];
  all.push(...customRuleFaults(resource, { object, before }, { found: all, warn: found.warn }));
  all.push(...(found.last ?? []));
  if (all.length > 0) throw invalid(resource, object.metadata.name ?? "", all);
}

/** Rules are of custom resources; the built-in kinds have code in their place. */
function customRuleFaults(
  { custom, schema }: ServedResource,
  written: { readonly object: ApiObject; readonly before: ApiObject | undefined },
  at: { readonly found: readonly FieldError[]; readonly warn: Warn },
): FieldError[] {
  return custom ? ruleFaults(schema, written, at) : [];
}
