import type { FieldError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { sameJson } from "./fields-equal.ts";
import { isMap, type Json } from "./fields-value.ts";
import { forbidden, invalid } from "./schema-errors.ts";

const POD_TEXT =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
const CLAIM_TEXT =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** A Pod's spec is fixed but for a few fields. */
export function podSpecFaults(object: ApiObject, before: ApiObject): readonly FieldError[] {
  const [is, was] = [mapOf(object.spec), mapOf(before.spec)];
  for (const [field, what] of [
    ["containers", "containers"],
    ["initContainers", "init containers"],
  ] as const) {
    if (listOf(is[field]).length === listOf(was[field]).length) continue;
    return [forbidden(`spec.${field}`, `pod updates may not add or remove ${what}`)];
  }
  if (sameJson(fixedPart(is, was), fixedPart(was, was))) return [];
  return [forbidden("spec", POD_TEXT)];
}

/** A claim's spec is fixed; a bound one may ask for more. */
export function claimSpecFaults(object: ApiObject, before: ApiObject): readonly FieldError[] {
  const bound = mapOf(before.status).phase === "Bound";
  const fixed = (spec: unknown) => {
    const { volumeAttributesClassName: _, resources, ...rest } = mapOf(spec);
    const { requests: __, ...limits } = mapOf(resources);
    return bound ? { ...rest, resources: limits } : spec;
  };
  if (sameJson(fixed(object.spec) ?? {}, fixed(before.spec) ?? {})) return [];
  return [forbidden("spec", CLAIM_TEXT)];
}

/** The pods of a Job are those of its selector. */
export function jobSelectorFaults(object: ApiObject): readonly FieldError[] {
  const { selector, template } = mapOf(object.spec);
  const wanted = mapOf(mapOf(selector).matchLabels);
  const labels = mapOf(mapOf(mapOf(template).metadata).labels);
  if (Object.entries(wanted).every(([key, value]) => labels[key] === value)) return [];
  const text = "`selector` does not match template `labels`";
  return [invalid("spec.template.metadata.labels", labels, text)];
}

/** A spec without what may change: images, a deadline, and tolerations that were added. */
function fixedPart(spec: Json, was: Json): Json {
  const { activeDeadlineSeconds: _, tolerations, ...rest } = spec;
  const known = listOf(was.tolerations);
  const kept = listOf(tolerations).filter((each) => known.some((one) => sameJson(one, each)));
  return {
    ...rest,
    tolerations: kept,
    containers: listOf(spec.containers).map(withoutImage),
    initContainers: listOf(spec.initContainers).map(withoutImage),
  };
}

function withoutImage(container: unknown): unknown {
  return { ...mapOf(container), image: "" };
}

function mapOf(value: unknown): Json {
  return isMap(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
