import type { FieldError } from "./api-error.ts";
import { partsIn } from "./built-in-default.ts";
import {
  dnsLabel,
  dnsSubdomain,
  isMissing,
  labelValue,
  optionalText,
  pathSegment,
  qualifiedName,
  type TextCheck,
} from "./built-in-names.ts";
import type { PartRules } from "./built-in-validation.ts";
import { isPart, type Part } from "./built-in-visit.ts";
import { forbidden, invalid, required } from "./schema-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** Rules of label selectors, and of labels in templates. */
export const metadataRules: PartRules = {
  "meta.v1.LabelSelector": (selector, path) => [
    ...labelFaults(selector.matchLabels, `${path}.matchLabels`),
    ...partsIn(selector, "matchExpressions").flatMap((each, index) => {
      return requirementFaults(each, `${path}.matchExpressions[${index}]`);
    }),
  ],
  "core.v1.PodTemplateSpec": ({ metadata }, path) => {
    if (!isPart(metadata)) return [];
    return mapFaults(metadata, `${path}.metadata`);
  },
};

/** Names of these kinds end up in DNS as one label. */
const LABEL_NAMES = new Set(["/namespaces", "/services"]);

/** Names of these groups may hold anything that a path may. */
const PATH_NAMES = "rbac.authorization.k8s.io";

const STANDARD_FINALIZERS = ["kubernetes", "orphan", "foregroundDeletion"];

/** The faults of an object's own metadata. */
export function metadataFaultsOf(resource: ServedResource, metadata: Part): FieldError[] {
  const { name, generateName } = metadata;
  const check = nameCheck(resource);
  const faults: FieldError[] = [];
  if (isMissing(name)) {
    faults.push(required("metadata.name", "name or generateName is required"));
  }
  faults.push(...optionalText("metadata.generateName", generateName, prefixOf(check)));
  faults.push(...optionalText("metadata.name", name, check));
  faults.push(...mapFaults(metadata, "metadata"));
  faults.push(...ownerFaults(metadata), ...finalizerFaults(metadata.finalizers));
  return faults;
}

function nameCheck({ group, plural }: ServedResource): TextCheck {
  if (group === PATH_NAMES) return pathSegment;
  return LABEL_NAMES.has(`${group}/${plural}`) ? dnsLabel : dnsSubdomain;
}

/** What is generated follows a dash or dot. */
function prefixOf(check: TextCheck): TextCheck {
  return (text) => check(text.replace(/-$/, "a"));
}

/** Said of a whole selector, after what is wrong inside. */
export const INVALID_SELECTOR = "invalid label selector";

/** Faults of a map of labels, such as a selector. */
export function labelFaults(labels: unknown, field: string): FieldError[] {
  if (!isPart(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedName(key).map((why) => invalid(field, key, why)),
    ...labelValue(String(value)).map((why) => invalid(field, value, why)),
  ]);
}

/** 256 KiB, of all annotations. */
const MAX_ANNOTATIONS_BYTES = 262_144;

function mapFaults({ labels, annotations }: Part, path: string): FieldError[] {
  const faults = labelFaults(labels, `${path}.labels`);
  if (!isPart(annotations)) return faults;
  const field = `${path}.annotations`;
  const entries = Object.entries(annotations);
  const keys = entries.flatMap(([key]) => {
    return qualifiedName(key.toLowerCase()).map((why) => invalid(field, key, why));
  });
  const bytes = Buffer.byteLength(entries.flat().join(""));
  if (bytes <= MAX_ANNOTATIONS_BYTES) return [...faults, ...keys];
  const message = `Too long: may not be more than ${MAX_ANNOTATIONS_BYTES} bytes`;
  return [...faults, ...keys, { reason: "FieldValueTooLong", message, field }];
}

function ownerFaults(metadata: Part): FieldError[] {
  const field = "metadata.ownerReferences";
  const owners = partsIn(metadata, "ownerReferences");
  const faults = owners.flatMap((owner, index) => {
    const missing = ["apiVersion", "kind", "name", "uid"]
      .filter((key) => isMissing(owner[key]))
      .map((key) => required(`${field}[${index}].${key}`, "must not be empty"));
    return [...missing, ...ownerKindFaults(owner, `${field}[${index}]`)];
  });
  const [first, second] = owners.filter(({ controller }) => controller === true);
  if (!first || !second) return faults;
  const names = [first, second].map(({ kind, name }) => `${String(kind)}/${String(name)}`);
  const detail =
    'Only one reference can have Controller set to true. Found "true" in references for ' +
    names.join(" and ");
  // Go writes the references in the order of their fields.
  const text = `Invalid value: ${JSON.stringify(owners)}: ${detail}`;
  return [...faults, { reason: "FieldValueInvalid", message: text, field }];
}

function ownerKindFaults(owner: Part, field: string): FieldError[] {
  const apiVersion = typeof owner.apiVersion === "string" ? owner.apiVersion : "";
  if (apiVersion.split("/").length > 2) {
    const text = "must be <group>/<version> or <version>";
    return [invalid(`${field}.apiVersion`, apiVersion, text)];
  }
  if (apiVersion !== "v1" || owner.kind !== "Event") return [];
  const message = `Invalid value: ${JSON.stringify(owner)}: /v1, Kind=Event is disallowed from being an owner`;
  return [{ reason: "FieldValueInvalid", message, field }];
}

function finalizerFaults(finalizers: unknown): FieldError[] {
  if (!Array.isArray(finalizers)) return [];
  const field = "metadata.finalizers";
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  const both = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  const conflict = "finalizer orphan and foregroundDeletion cannot be both set";
  const each = finalizers
    .map(String)
    .flatMap((name, index) => [
      ...qualifiedName(name).map((why) => invalid(field, name, why)),
      ...(name.includes("/") || STANDARD_FINALIZERS.includes(name)
        ? []
        : [invalid(`${field}[${index}]`, name, detail)]),
    ]);
  return both ? [...each, invalid(field, finalizers, conflict)] : each;
}

function requirementFaults({ key, operator, values }: Part, path: string): FieldError[] {
  const count = Array.isArray(values) ? values.length : 0;
  const faults: FieldError[] = [];
  if (operator === "In" || operator === "NotIn") {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    if (count === 0) faults.push(required(`${path}.values`, detail));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (count > 0) faults.push(forbidden(`${path}.values`, detail));
  } else {
    faults.push(invalid(`${path}.operator`, operator ?? "", "not a valid selector operator"));
  }
  return [...faults, ...qualifiedName(String(key)).map((why) => invalid(`${path}.key`, key, why))];
}
