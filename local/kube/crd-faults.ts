import type { FieldError } from "./api-error.ts";
import { dnsSubdomain, letterLabel } from "./built-in-names.ts";
import type { Part } from "./built-in-visit.ts";
import { namesFaults } from "./crd-faults-names.ts";
import { versionFaults, versionsOf } from "./crd-faults-versions.ts";
import { sameJson } from "./fields-equal.ts";
import { invalid, notSupported, required } from "./schema-errors.ts";

/**
 * The faults of a CustomResourceDefinition with its defaults filled in, in the API server's words
 * and order. Of metadata it tells only what
 * depends on the spec.
 */
export function definitionFaults(definition: Part): FieldError[] {
  const spec = partOf(definition, "spec");
  const metadata = partOf(definition, "metadata");
  return [
    // What was created has a version; its name and those in the spec stay as they were.
    ...(metadata.resourceVersion ? [] : nameFaults(metadata, spec)),
    ...specFaults(spec),
  ];
}

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

function nameFaults({ name }: Part, spec: Part): FieldError[] {
  const { plural = "" } = partOf(spec, "names");
  if (!name || name === `${plural}.${spec.group ?? ""}`) return [];
  return [invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
}

function specFaults(spec: Part): FieldError[] {
  const versions = versionsOf(spec);
  const missing = versions.flatMap(({ schema }, index) => {
    const path = `spec.versions[${index}].schema.openAPIV3Schema`;
    return schema?.openAPIV3Schema ? [] : [required(path)];
  });
  const { each, all } = versionFaults(versions);
  return [
    ...groupFaults(spec.group),
    ...enumFaults("spec.scope", spec.scope, ["Cluster", "Namespaced"]),
    ...missing,
    ...each,
    ...countFaults(spec),
    ...namesFaults(partOf(spec, "names"), "spec.names"),
    ...all,
    ...conversionFaults(partOf(spec, "conversion")),
  ];
}

function groupFaults(group: unknown): FieldError[] {
  if (typeof group !== "string" || group === "") return [required("spec.group")];
  const why = dnsSubdomain(group);
  if (why.length > 0) return [invalid("spec.group", group, why.join(","))];
  if (group.includes(".")) return [];
  return [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function countFaults(spec: Part): FieldError[] {
  const versions = versionsOf(spec);
  // As the API server's own type of them begins; it goes on with much that no client wrote.
  const shown = Array.isArray(spec.versions)
    ? versions.map(({ name, served, storage }) => ({
        Name: name ?? "",
        Served: served ?? false,
        Storage: storage ?? false,
      }))
    : null;
  const fault = (why: string): FieldError => ({
    field: "spec.versions",
    reason: "FieldValueInvalid",
    message: `Invalid value: ${JSON.stringify(shown)}: ${why}`,
  });
  const unique = new Set(versions.map(({ name }) => name)).size === versions.length;
  const stored = versions.filter(({ storage }) => storage === true).length;
  const first = versions[0]?.name;
  return [
    ...(unique ? [] : [fault("must contain unique version names")]),
    ...(stored === 1 ? [] : [fault("must have exactly one version marked as storage version")]),
    ...(first ? letterLabel(first).map((why) => invalid("spec.version", first, why)) : []),
  ];
}

function conversionFaults(conversion: Part): FieldError[] {
  const { strategy, webhook } = conversion;
  const path = "spec.conversion";
  const faults = enumFaults(`${path}.strategy`, strategy, ["None", "Webhook"]);
  const config = `${path}.webhookClientConfig`;
  const { clientConfig, conversionReviewVersions } = (webhook ?? {}) as Part;
  if (strategy !== "Webhook") {
    if (clientConfig) {
      faults.push({
        field: config,
        reason: "FieldValueForbidden",
        message: "Forbidden: should not be set when strategy is not set to Webhook",
      });
    }
    return faults;
  }
  if (!clientConfig) faults.push(required(config, "required when strategy is set to Webhook"));
  if (!Array.isArray(conversionReviewVersions) || conversionReviewVersions.length === 0) {
    faults.push(required(`${path}.conversionReviewVersions`));
  }
  const unserved = "this server does not call webhooks; convert objects before they are written";
  return faults.length > 0 ? faults : [invalid(`${path}.strategy`, strategy, unserved)];
}

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
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(String(group ?? ""))) return [];
  const approval = (annotations as Part | undefined)?.[APPROVAL];
  if (approval) return [];
  const text = `protected groups must have approval annotation "${APPROVAL}", see https://github.com/kubernetes/enhancements/pull/1111`;
  return [required(`metadata.annotations[${APPROVAL}]`, text)];
}

function enumFaults(field: string, value: unknown, known: readonly string[]): FieldError[] {
  if (!value) return [required(field)];
  return known.includes(String(value)) ? [] : [notSupported(field, value, known)];
}

function partOf(part: Part, key: string): Part {
  return (part[key] ?? {}) as Part;
}
