import type { FieldError } from "./api-error.ts";
import { letterLabel } from "./built-in-names.ts";
import type { Part } from "./built-in-visit.ts";
import { columnFaults, scaleFaults, selectableFaults } from "./crd-faults-parts.ts";
import { checkStructural } from "./crd-schema-structural.ts";
import { sameJson } from "./fields-equal.ts";
import type { Schema } from "./schema.ts";
import { invalid } from "./schema-errors.ts";

/** A version as a client wrote it: anything may be missing. */
export interface WrittenVersion {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: { readonly status?: object; readonly scale?: Part };
  readonly additionalPrinterColumns?: readonly Part[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
}

export function versionsOf({ versions }: Part): readonly WrittenVersion[] {
  return Array.isArray(versions) ? (versions as readonly WrittenVersion[]) : [];
}

/**
 * The faults of the versions: `each` of single ones, `all` of what all have alike, which the API
 * server keeps, and names in its faults, once for the whole definition.
 */
export function versionFaults(versions: readonly WrittenVersion[]): {
  readonly each: readonly FieldError[];
  readonly all: readonly FieldError[];
} {
  const [first] = versions;
  if (!first) return { each: [], all: [] };
  const shared = PARTS.filter((key) =>
    versions.every((version) => sameJson(version[key] ?? null, first[key] ?? null)),
  );
  const each = versions.flatMap((version, index) => {
    const path = `spec.versions[${index}]`;
    const own = PARTS.filter((key) => !shared.includes(key));
    return [
      ...letterLabel(version.name ?? "").map((why) =>
        invalid(`${path}.name`, version.name ?? "", why),
      ),
      ...deprecationFaults(version, path),
      ...own.flatMap((key) => partFaults(version, key, `${path}.${key}`)),
    ];
  });
  const all = shared.flatMap((key) =>
    partFaults(first, key, key === "schema" ? "spec.validation" : `spec.${key}`),
  );
  return { each, all };
}

type PartKey = "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields";

/** In the order in which they are looked at. */
const PARTS: readonly PartKey[] = [
  "schema",
  "subresources",
  "additionalPrinterColumns",
  "selectableFields",
];

function partFaults(version: WrittenVersion, key: PartKey, path: string): FieldError[] {
  const schema = version.schema?.openAPIV3Schema;
  switch (key) {
    case "schema":
      return schema ? schemaFaults(version, schema, `${path}.openAPIV3Schema`) : [];
    case "subresources":
      return scaleFaults(version.subresources?.scale, `${path}.scale`);
    case "additionalPrinterColumns":
      return (version.additionalPrinterColumns ?? []).flatMap((column, index) =>
        columnFaults(column, `${path}[${index}]`),
      );
    default:
      return selectableFaults(version.selectableFields ?? [], schema, path);
  }
}

function schemaFaults(version: WrittenVersion, schema: Schema, path: string): FieldError[] {
  const faults = checkStructural(schema, path);
  if (version.subresources?.status === undefined) return faults;
  const other = Object.keys(schema).find((key) => ROOTLESS.has(key));
  if (other === undefined) return faults;
  const why =
    "only fields that do not join schemas are allowed at the root of the schema if the status subresource is enabled";
  return [invalid(path, schema, why), ...faults];
}

/** Keywords that cannot stand at the root beside a status subresource. */
const ROOTLESS = new Set(["allOf", "anyOf", "oneOf", "not", "enum", "default", "nullable"]);

function deprecationFaults(
  { deprecated, deprecationWarning: text }: WrittenVersion,
  path: string,
): FieldError[] {
  if (text === undefined || text === null) return [];
  const field = `${path}.deprecationWarning`;
  if (!deprecated) return [invalid(field, text, "can only be set for deprecated versions")];
  if (text === "") return [invalid(field, text, "must not be an empty string")];
  return text.length > 256 ? [invalid(field, text, "must be <= 256 characters long")] : [];
}
