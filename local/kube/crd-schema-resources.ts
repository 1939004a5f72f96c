import type { ApiObject } from "./api-object.ts";
import { objectMetaSchema } from "./built-in-resources.ts";
import type { Schema } from "./schema.ts";
import type { PrinterColumn, ServedResource } from "./served-resource.ts";

/**
 * What a CustomResourceDefinition serves: one resource for each version that is served, with the
 * defaults of its names. The schema has apiVersion, kind and the whole of metadata, whatever the
 * definition says of them; its restrictions of the name are kept.
 */
export function resourcesOfCrd(crd: ApiObject): ServedResource[] {
  const spec = crd.spec as CrdSpec;
  const stored = spec.versions.find(({ storage }) => storage) ?? spec.versions[0];
  const { group, names } = spec;
  return spec.versions
    .filter(({ served }) => served)
    .map((version) => ({
      group,
      version: version.name,
      kind: names.kind,
      listKind: names.listKind || `${names.kind}List`,
      plural: names.plural,
      singular: names.singular || names.kind.toLowerCase(),
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      namespaced: spec.scope === "Namespaced",
      schema: wholeSchema(version.schema?.openAPIV3Schema),
      custom: true,
      subresources: subresourcesOf(version.subresources),
      columns: columnsOf(version.additionalPrinterColumns),
      ...deprecationOf(version, spec),
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
      storage: { group, plural: names.plural, version: stored?.name ?? version.name },
    }));
}

interface CrdSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: {
    readonly kind: string;
    readonly plural: string;
    readonly listKind?: string;
    readonly singular?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  };
  readonly versions: readonly CrdVersion[];
}

interface CrdVersion {
  readonly name: string;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: CrdSubresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

function deprecationOf(
  { name, deprecated, deprecationWarning }: CrdVersion,
  { group, names }: CrdSpec,
): { readonly deprecation?: string } {
  if (!deprecated) return {};
  return { deprecation: deprecationWarning ?? `${group}/${name} ${names.kind} is deprecated` };
}

interface CrdSubresources {
  readonly status?: object;
  readonly scale?: NonNullable<ServedResource["subresources"]["scale"]>;
}

/** The only column where none are given, after the name. */
const AGE: PrinterColumn = {
  name: "Age",
  type: "date",
  description: "",
  jsonPath: ".metadata.creationTimestamp",
};

/** The name first, as in every table; then the definition's columns, or the age. */
const NAME: PrinterColumn = {
  name: "Name",
  type: "string",
  format: "name",
  description: "",
  jsonPath: ".metadata.name",
};

function columnsOf(columns: readonly PrinterColumn[] = []): readonly PrinterColumn[] {
  return [NAME, ...(columns.length > 0 ? columns : [AGE])];
}

function subresourcesOf(given: CrdSubresources = {}): ServedResource["subresources"] {
  return { status: given.status !== undefined, ...(given.scale && { scale: given.scale }) };
}

function wholeSchema(schema: Schema = { type: "object" }): Schema {
  const { apiVersion, kind, metadata } = schema.properties ?? {};
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { type: "string", ...apiVersion },
      kind: { type: "string", ...kind },
      metadata: metadataSchema(metadata),
    },
  };
}

/** Nulls count as absent in metadata, as for Go; only name and generateName can be restricted. */
function metadataSchema(given: Schema = {}): Schema {
  const { properties = {}, ...whole } = objectMetaSchema();
  const { name, generateName } = given.properties ?? {};
  const nullable = Object.entries(properties).map(([key, schema]) => {
    return [key, { ...schema, nullable: true }] as const;
  });
  return {
    ...whole,
    properties: {
      ...Object.fromEntries(nullable),
      name: { type: "string", ...name },
      generateName: { type: "string", ...generateName },
    },
  };
}
