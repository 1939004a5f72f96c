/** A schema as the API server publishes it, or as we keep it. */
export type CutSchema = { readonly [key: string]: unknown };

/**
 * The definitions that are reachable from `roots`, by name, in order: structure alone. A reference is
 * `{ $ref: name }`, without the path and the `allOf` around it that OpenAPI needs for a default.
 */
export function cutDefinitions(
  all: Readonly<Record<string, CutSchema>>,
  roots: readonly string[],
): Record<string, CutSchema> {
  const cut = new Map<string, CutSchema>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (cut.has(name)) continue;
    const found = all[name];
    if (!found) throw new Error(`no definition of ${name} in the published OpenAPI`);
    const schema = OPAQUE.test(name) ? { ...cutSchema(found), ...ANYTHING } : cutSchema(found);
    cut.set(name, schema);
    open.push(...refsOf(schema));
  }
  return Object.fromEntries([...cut].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** In this order. Descriptions, examples and what OpenAPI alone needs are dropped. */
const KEPT = [
  "type",
  "format",
  "nullable",
  "required",
  "enum",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-patch-merge-key",
  "x-kubernetes-patch-strategy",
  "x-kubernetes-int-or-string",
  "x-kubernetes-preserve-unknown-fields",
];

/** Objects without properties of their own that hold any JSON. */
const OPAQUE = /\.(RawExtension|FieldsV1|JSON)$/;
const ANYTHING: CutSchema = { "x-kubernetes-preserve-unknown-fields": true };

const REF = "#/components/schemas/";

/** Definitions that are one simple value, with what the API server takes for it. */
const INT_OR_STRING: CutSchema = { "x-kubernetes-int-or-string": true };

function cutSchema(schema: CutSchema): CutSchema {
  if (schema.format === "int-or-string") return INT_OR_STRING;
  // Quantities are published as "string or number"; both are taken.
  if (isQuantity(schema)) return { format: "quantity", ...INT_OR_STRING };
  const cut: Record<string, unknown> = {};
  for (const key of KEPT) if (schema[key] !== undefined) cut[key] = schema[key];
  const fallback = schema.default;
  if (isUseful(fallback)) cut.default = fallback;
  for (const key of ["items", "additionalProperties"]) {
    if (isSchema(schema[key])) cut[key] = cutSchema(schema[key]);
  }
  if (isSchema(schema.properties)) cut.properties = cutProperties(schema.properties);
  const ref = refOf(schema);
  return ref === undefined ? cut : { $ref: ref, ...cut };
}

function cutProperties(properties: CutSchema): CutSchema {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    cutSchema(schema as CutSchema),
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)));
}

/**
 * Empty defaults are how Go's zero values are published; they say nothing of what is stored, except
 * of keys of list maps, and those are strings.
 */
function isUseful(fallback: unknown): boolean {
  return fallback !== undefined && JSON.stringify(fallback) !== "{}" && Boolean(fallback);
}

function isQuantity(schema: CutSchema): boolean {
  const kinds = (schema.oneOf ?? []) as CutSchema[];
  return kinds.length === 2 && kinds.some(({ type }) => type === "number");
}

/** `{ $ref }`, or the one `allOf` that holds it beside a default. */
function refOf(schema: CutSchema): string | undefined {
  const [only] = (schema.allOf ?? []) as CutSchema[];
  const ref = schema.$ref ?? only?.$ref;
  return typeof ref === "string" ? ref.slice(REF.length) : undefined;
}

function refsOf(schema: CutSchema): string[] {
  const found: string[] = [];
  JSON.stringify(schema, (key, value) => {
    // A string: JSONSchemaProps has a property of that name.
    if (key === "$ref" && typeof value === "string") found.push(value);
    return value;
  });
  return found;
}

function isSchema(value: unknown): value is CutSchema {
  return typeof value === "object" && value !== null;
}
