import type { FieldError } from "./api-error.ts";
import { type Part, textOf } from "./built-in-visit.ts";
import { partOf } from "./crd-faults.ts";
import { versionsOf } from "./crd-faults-versions.ts";
import { sameJson } from "./fields-equal.ts";
import { invalid, required } from "./schema-errors.ts";

/**
 * The faults that come after those of `definitionFaults`: what an update may not change, versions in
 * which objects may still be stored, groups that are Kubernetes' own.
 */
export function definitionWriteFaults(definition: Part, before: Part | undefined): FieldError[] {
  const spec = partOf(definition, "spec");
  // A write of the status may list what it likes.
  const same = before !== undefined && sameJson(before.spec, spec);
  return [
    ...(before ? fixedFaults(definition, before) : []),
    ...(same ? [] : storedFaults(definition, spec)),
    ...approvalFaults(partOf(definition, "metadata"), spec),
    ...(spec.preserveUnknownFields === true ? [PRESERVED] : []),
  ];
}

function fixedFaults(definition: Part, before: Part): FieldError[] {
  const [is, was] = [partOf(definition, "spec"), partOf(before, "spec")];
  const [names, held] = [partOf(is, "names"), partOf(was, "names")];
  const fixed = [
    { field: "spec.scope", now: is.scope, had: was.scope },
    { field: "spec.names.kind", now: names.kind, had: held.kind },
    { field: "spec.group", now: is.group, had: was.group },
    { field: "spec.names.plural", now: names.plural, had: held.plural },
  ];
  return fixed
    .filter(({ now, had }) => now !== had)
    .map(({ field, now }) => invalid(field, now ?? "", "field is immutable"));
}

const PRESERVED = invalid(
  "spec.preserveUnknownFields",
  true,
  "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
);

function storedFaults(definition: Part, spec: Part): FieldError[] {
  const path = "status.storedVersions";
  const { storedVersions } = partOf(definition, "status");
  const stored = Array.isArray(storedVersions) ? (storedVersions as readonly string[]) : [];
  if (stored.length === 0) return [invalid(path, null, "must have at least one stored version")];
  const versions = versionsOf(spec);
  const known = new Set(versions.map(({ name }) => name));
  const twice = (index: number) =>
    versions.slice(0, index).some(({ name }) => name === versions[index]?.name);
  const lacking = versions.filter(
    ({ name = "", storage }, index) => storage && (!stored.includes(name) || twice(index)),
  );
  return [
    ...lacking.map(({ name }) => invalid(path, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) =>
      known.has(name) ? [] : [invalid(`${path}[${index}]`, name, leftOut(name))],
    ),
  ];
}

function leftOut(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}

const APPROVAL = "api-approved.kubernetes.io";

function approvalFaults({ annotations }: Part, { group }: Part): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(textOf(group))) return [];
  const approval = (annotations as Part | undefined)?.[APPROVAL];
  if (approval) return [];
  const text = `protected groups must have approval annotation "${APPROVAL}", see https://github.com/kubernetes/enhancements/pull/1111`;
  return [required(`metadata.annotations[${APPROVAL}]`, text)];
}
