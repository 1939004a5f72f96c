import data from "./built-in-schemas.json" with { type: "json" };
import type { Schema } from "./schema.ts";
import type { PrinterColumn, ServedResource } from "./served-resource.ts";

/** A schema that names others: `{ $ref: "io.k8s.api.core.v1.Container" }`. */
export type ReferringSchema = { readonly [key: string]: unknown };

/** The version whose API server the data were cut from, such as "v1.37.2". */
export const KUBERNETES_VERSION: string = data.kubernetes;

/**
 * The built-in kinds, each in the versions that the API server serves by default. Every call answers
 * the same values. Their schemas may contain themselves (a CustomResourceDefinition's does), so they
 * cannot be written as JSON; `builtInDefinitions` can.
 */
export function builtInResources(): readonly ServedResource[] {
  resources ??= data.resources.map((each) => resourceOf(each as BuiltInData));
  return resources;
}

/** All definitions of built-in kinds by their names in OpenAPI, with references unresolved. */
export function builtInDefinitions(): Readonly<Record<string, ReferringSchema>> {
  return data.definitions;
}

/** The name in `builtInDefinitions` of a built-in kind; undefined for all else. */
export function definitionName(of: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}) {
  return definitionNames.get(idOf(of));
}

function idOf(of: { readonly group: string; readonly version: string; readonly kind: string }) {
  return `${of.group}/${of.version}/${of.kind}`;
}

/** The schema of `metadata`, of built-in and custom objects alike. */
export function objectMetaSchema(): Schema {
  return schemaOf("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
}

/** The schema of a definition, with its references resolved. Throws if there is none of that name. */
export function schemaOf(definition: string): Schema {
  const known = schemas.get(definition);
  if (known) return known;
  const found = builtInDefinitions()[definition];
  if (!found) throw new Error(`cannot resolve ${definition}: expected a definition, got none`);
  // Known before its parts are: a definition may contain itself.
  const schema: Record<string, unknown> = {};
  schemas.set(definition, schema);
  Object.assign(
    schema,
    withZeros(resolved(found), data.encoding as Readonly<Record<string, Encoding>>, definition),
  );
  return schema;
}

const ZEROS: Readonly<Record<string, unknown>> = {
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
};

/**
 * A schema with the defaults that OpenAPI publishes for what Go writes of a field that nobody set:
 * structs are empty, required values are zero, some times are null. They matter to owners and keys.
 */
function withZeros(
  schema: Schema,
  encoding: Readonly<Record<string, Encoding>>,
  definition: string,
): Schema {
  const { properties, required = [] } = schema;
  if (!properties) return schema;
  const { fill = [], nulls = [], omit = [], ...zeros } = encoding[definition] ?? {};
  const written = [zeros.texts ?? [], zeros.numbers ?? [], zeros.flags ?? []].flat();
  const zeroOf = (name: string, { type = "object" }: Schema) => {
    if (fill.includes(name)) return {};
    if (nulls.includes(name)) return null;
    const always = required.includes(name) && !omit.includes(name);
    return always || written.includes(name) ? ZEROS[type] : undefined;
  };
  const entries = Object.entries(properties).map(([name, each]) => {
    const zero = each.default === undefined ? zeroOf(name, each) : undefined;
    return [name, zero === undefined ? each : { ...each, default: zero }] as const;
  });
  return { ...schema, properties: Object.fromEntries(entries) };
}

/**
 * How Go writes the fields of a struct, which OpenAPI does not tell: `omit` are left out when they are
 * empty; when they are, `fill` are written as `{}`, `nulls` (times, lists, maps) as null, `texts` as "",
 * `numbers` as 0 and `flags` as false.
 * test/real/cut-encoding.ts reads it from Go's struct tags.
 */
export interface Encoding {
  readonly omit?: readonly string[];
  readonly fill?: readonly string[];
  readonly nulls?: readonly string[];
  readonly texts?: readonly string[];
  readonly numbers?: readonly string[];
  readonly flags?: readonly string[];
}

/** Caches of what the data say; safe to lose. */
const definitionNames = new Map(data.resources.map((each) => [idOf(each), each.definition]));
const schemas = new Map<string, Schema>();
let resources: readonly ServedResource[] | undefined;

interface BuiltInData {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources?: readonly string[];
  readonly columns: readonly Omit<PrinterColumn, "jsonPath">[];
  readonly definition: string;
}

/**
 * Field selectors beside metadata.name and metadata.namespace, as the API server takes them.
 * `.source` of an Event is not its field of that name, but the component in it.
 */
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  "/pods": [
    ".spec.nodeName",
    ".spec.restartPolicy",
    ".spec.schedulerName",
    ".spec.serviceAccountName",
    ".spec.hostNetwork",
    ".status.phase",
    ".status.podIP",
    ".status.nominatedNodeName",
  ],
  "/events": eventFields("involvedObject", "reportingComponent"),
  "events.k8s.io/events": eventFields("regarding", "reportingController"),
  "/namespaces": [".status.phase"],
  "/nodes": [".spec.unschedulable"],
  "/secrets": [".type"],
  "/services": [".spec.clusterIP", ".spec.type"],
  "apps/replicasets": [".status.replicas"],
  "batch/jobs": [".status.successful"],
};

function eventFields(object: string, reporter: string): string[] {
  const parts = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
  const fields = [
    ...parts.map((part) => `${object}.${part}`),
    "reason",
    reporter,
    "source",
    "type",
  ];
  return fields.map((field) => `.${field}`);
}

/** Events of both groups are the same objects; the rest is stored as what has most fields. */
const STORAGE: Readonly<Record<string, ServedResource["storage"]>> = {
  "events.k8s.io/v1/events": { group: "", plural: "events", version: "v1" },
  "autoscaling/v1/horizontalpodautoscalers": {
    group: "autoscaling",
    plural: "horizontalpodautoscalers",
    version: "v2",
  },
};

const SCALE: ServedResource["subresources"]["scale"] = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};

function resourceOf(from: BuiltInData): ServedResource {
  const { group, version, kind, plural, singular, namespaced, verbs, subresources = [] } = from;
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular,
    shortNames: from.shortNames ?? [],
    categories: from.categories ?? [],
    verbs,
    namespaced,
    schema: schemaOf(from.definition),
    custom: false,
    subresources: {
      status: subresources.includes("status"),
      ...(subresources.includes("scale") && { scale: SCALE }),
    },
    columns: from.columns.map((column) => ({ ...column, jsonPath: "" })),
    selectableFields: SELECTABLE[`${group}/${plural}`] ?? [],
    storage: STORAGE[`${group}/${version}/${plural}`] ?? { group, plural, version },
  };
}

/** `from` with each reference replaced by what it names. Keys beside `$ref` (a default) win. */
function resolved(from: ReferringSchema): Schema {
  const { $ref, ...own } = from;
  if (typeof $ref === "string" && Object.keys(own).length === 0) return schemaOf($ref);
  const parts: Record<string, unknown> = typeof $ref === "string" ? { ...schemaOf($ref) } : {};
  Object.assign(parts, own);
  for (const key of ["items", "additionalProperties"]) {
    if (isSchema(own[key])) parts[key] = resolved(own[key]);
  }
  if (isSchema(own.properties)) {
    const entries = Object.entries(own.properties);
    parts.properties = Object.fromEntries(
      entries.map(([name, schema]) => [name, resolved(schema as ReferringSchema)]),
    );
  }
  return parts;
}

function isSchema(value: unknown): value is ReferringSchema {
  return typeof value === "object" && value !== null;
}
