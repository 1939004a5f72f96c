import type { FieldError } from "./api-error.ts";
import { dnsSubdomain, letterLabel } from "./built-in-names.ts";
import { type Part, textOf } from "./built-in-visit.ts";
import { namesFaults } from "./crd-faults-names.ts";
import { versionFaults, versionsOf } from "./crd-faults-versions.ts";
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

function nameFaults({ name }: Part, spec: Part): FieldError[] {
  const { plural } = partOf(spec, "names");
  if (!name || name === `${textOf(plural)}.${textOf(spec.group)}`) return [];
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

function enumFaults(field: string, value: unknown, known: readonly string[]): FieldError[] {
  if (!value) return [required(field)];
  return known.includes(textOf(value)) ? [] : [notSupported(field, value, known)];
}

/** A part of a part; an empty one where there is none. */
export function partOf(part: Part, key: string): Part {
  return (part[key] ?? {}) as Part;
}
