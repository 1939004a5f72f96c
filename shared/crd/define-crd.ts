import type * as z from "zod";
import { groupOf, type Kind, type KubernetesObject } from "../api/object.ts";
import type { SchemaTypes } from "../api/resource.ts";
import type {
  CrdScale,
  CrdVersion,
  CustomResourceDefinition,
  PrinterColumn,
  StructuralSchema,
  ValidationRule,
} from "./custom-resource-definition.ts";
import { orderedSchema } from "./ordered-schema.ts";
import { without } from "./place.ts";
import { pathFaults } from "./schema-path.ts";
import { structuralSchema } from "./structural-schema.ts";

/** One version of a kind. Schemas of the type `T` of a kind must give that type. */
export interface CrdVersionOptions<T extends KubernetesObject = KubernetesObject> {
  readonly spec: () => SpecSchema<T>;
  /** With it comes the subresource: what is written on the object itself never changes the status. */
  readonly status?: () => StatusSchema<T>;
  /** Rules in CEL on the whole object, which see its name, too: `self.metadata.name`. */
  readonly rules?: readonly ValidationRule[];
  /** Default: the age alone, as kubectl shows it. */
  readonly printerColumns?: readonly PrinterColumn[];
  readonly scale?: CrdScale;
  /** Fields that lists and watches can be narrowed by, at most 8: ".spec.host". Strings, booleans and whole numbers. */
  readonly selectableFields?: readonly `.${string}`[];
  /** Whether the API server serves it. Default true. */
  readonly served?: boolean;
  /** Whether whoever uses it is warned; a text says what to use instead. */
  readonly deprecated?: boolean | string;
}

type SpecSchema<T> = [SchemaTypes<T>] extends [never]
  ? z.core.$ZodType
  : z.core.$ZodType<SchemaTypes<T>["spec"], SchemaTypes<T>["writtenSpec"]>;

type StatusSchema<T> = [SchemaTypes<T>] extends [never]
  ? z.core.$ZodType
  : z.core.$ZodType<SchemaTypes<T>["status"]>;

export interface CrdNamesOptions {
  /** Default: the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  /** Groups such as "all", by which `kubectl get` shows it. */
  readonly categories?: readonly string[];
}

/** A kind of one version, that of the kind. */
export interface CrdOptions<T extends KubernetesObject = KubernetesObject>
  extends CrdNamesOptions,
    CrdVersionOptions<T> {}

/** A kind of several versions. The API server does not convert between them: see docs/custom-resources.md. */
export interface CrdVersionsOptions<V extends string, T extends KubernetesObject = KubernetesObject>
  extends CrdNamesOptions {
  readonly versions: {
    readonly [N in V]: T["apiVersion"] extends `${string}/${N}`
      ? CrdVersionOptions<T>
      : CrdVersionOptions;
  };
  /** The version in which objects are stored. */
  readonly storageVersion: NoInfer<V>;
}

/**
 * The CustomResourceDefinition of a kind, as the API server takes it.
 *
 * Fails naming all that has no form there, each with its path and what to write instead. The fields
 * of a status are not required, since a failure is written with its condition alone.
 */
export function defineCrd<T extends KubernetesObject, V extends string>(
  kind: Kind<T>,
  options: CrdOptions<NoInfer<T>> | CrdVersionsOptions<V, NoInfer<T>>,
): CustomResourceDefinition;
export function defineCrd(
  kind: Kind,
  options: CrdOptions | CrdVersionsOptions<string>,
): CustomResourceDefinition {
  const { scope, plural } = kind;
  const group = groupOf(kind.apiVersion);
  const own = kind.apiVersion.slice(group.length + 1);
  const { singular = kind.kind.toLowerCase(), shortNames, categories } = options;
  const versions: Readonly<Record<string, CrdVersionOptions>> =
    "versions" in options ? options.versions : { [own]: options };
  const storage = "versions" in options ? options.storageVersion : own;
  const faults = versionFaults(Object.keys(versions), { own, storage });
  const made = Object.entries(versions).map(([name, version]) => {
    const { found, version: one } = versionOf({ name, storage: name === storage }, version);
    faults.push(...found.map((text) => (name === own ? text : `${name} ${text}`)));
    return one;
  });
  if (faults.length > 0) throw new Error(texts(kind, faults));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular,
        ...(shortNames && { shortNames }),
        ...(categories && { categories }),
      },
      versions: made,
    },
  };
}

function versionFaults(
  names: readonly string[],
  { own, storage }: { readonly own: string; readonly storage: string },
): string[] {
  const list = names.join(", ");
  return [
    ...(names.includes(own)
      ? []
      : [`versions: expected ${own}, the one of the kind, got ${list}; add it`]),
    ...(names.includes(storage) ? [] : [`storageVersion: expected one of ${list}, got ${storage}`]),
  ];
}

function texts({ kind, apiVersion }: Kind, faults: readonly string[]): string {
  const where = `${kind} of ${apiVersion}`;
  return `cannot make the CustomResourceDefinition of ${where}:\n${faults.map((text) => `  ${text}\n`).join("")}`.trimEnd();
}

function versionOf(
  { name, storage }: { readonly name: string; readonly storage: boolean },
  options: CrdVersionOptions,
): { readonly version: CrdVersion; readonly found: readonly string[] } {
  const { served = true, deprecated, scale, printerColumns = [], selectableFields = [] } = options;
  const { schema, faults } = rootSchema(options);
  const subresources = { ...(options.status && { status: {} }), ...(scale && { scale }) };
  const version: CrdVersion = {
    name,
    served,
    storage,
    ...(deprecated && { deprecated: true }),
    ...(typeof deprecated === "string" && { deprecationWarning: deprecated }),
    schema: { openAPIV3Schema: schema },
    ...(Object.keys(subresources).length > 0 && { subresources }),
    ...(printerColumns.length > 0 && { additionalPrinterColumns: printerColumns }),
    ...(selectableFields.length > 0 && {
      selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })),
    }),
  };
  return { version, found: faults.length > 0 ? faults : pathFaults(version) };
}

function rootSchema({ spec, status, rules = [] }: CrdVersionOptions) {
  const ofSpec = spec();
  const made = structuralSchema(ofSpec, "spec");
  const known = status && structuralSchema(status(), "status");
  const root: StructuralSchema = {
    type: "object",
    ...(ofSpec._zod.optin === undefined && { required: ["spec"] }),
    properties: { spec: made.schema, ...(known && { status: without(known.schema, "required") }) },
    ...(rules.length > 0 && { "x-kubernetes-validations": rules }),
  };
  return { schema: orderedSchema(root), faults: [...made.faults, ...(known?.faults ?? [])] };
}
