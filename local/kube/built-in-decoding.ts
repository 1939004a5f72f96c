import { builtInDefinitions, definitionName, type ReferringSchema } from "./built-in-resources.ts";
import { isPart } from "./built-in-visit.ts";
import { isFrozen } from "./frozen.ts";
import { parseQuantity } from "./quantity.ts";
import { goQuote } from "./schema-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * Why Go cannot read a JSON object as that built-in kind, in its words, such as "json: cannot unmarshal
 * string into Go struct field DeploymentSpec.spec.replicas of type int32"; undefined where it can. The
 * API server answers 400 with `<Kind> in version "<version>" cannot be handled as a <Kind>: ` before
 * it. Of several faults it is the first in the order of the text. Frozen parts are of a stored object of
 * that kind, and so are passed over.
 */
export function decodeFault(resource: ServedResource, object: object): string | undefined {
  const definition = definitionName(resource);
  if (definition === undefined) return metadataFault(object);
  return faultOf({ $ref: definition }, object, { struct: "", path: "" });
}

const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** Of custom objects, only metadata has a type in Go. */
function metadataFault(object: object): string | undefined {
  const { metadata } = object as { readonly metadata?: unknown };
  return faultOf({ $ref: OBJECT_META }, metadata, { struct: "ObjectMeta", path: "metadata" });
}

interface Place {
  /** The Go struct that has the field, without its package. */
  readonly struct: string;
  /** Of fields alone, without indexes and keys. */
  readonly path: string;
}

function faultOf(schema: ReferringSchema, value: unknown, place: Place): string | undefined {
  if (value === null || value === undefined || isFrozen(value)) return undefined;
  const { $ref } = schema;
  if (typeof $ref !== "string") return faultOfType(schema, value, place);
  const special = SPECIAL[shortName($ref)];
  if (special) return special(value, place);
  const definition = builtInDefinitions()[$ref];
  if (!definition || definition["x-kubernetes-preserve-unknown-fields"]) return undefined;
  if (!isPart(definition.properties)) return faultOfType(definition, value, place);
  if (!isPart(value)) return mismatch(value, place, goType(schema));
  return firstFault(Object.entries(value), ([key, each]) => {
    const known = isPart(definition.properties) ? definition.properties[key] : undefined;
    const struct = shortName($ref);
    const inline = struct === "Probe" && HANDLERS.has(key) ? `ProbeHandler.${key}` : key;
    const path = place.path === "" ? inline : `${place.path}.${inline}`;
    return isPart(known) ? faultOf(known, each, { struct, path }) : undefined;
  });
}

/** Fields of a struct that Go embeds in Probe, and names. */
const HANDLERS = new Set(["exec", "httpGet", "tcpSocket", "grpc"]);

const QUANTITY_TEXT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const SPECIAL: Readonly<Record<string, (value: unknown, place: Place) => string | undefined>> = {
  Quantity: (value) => {
    const readable = typeof value === "string" || typeof value === "number";
    return readable && parseQuantity(value) ? undefined : QUANTITY_TEXT;
  },
  IntOrString: (value, place) => {
    const readable = typeof value === "string" || Number.isInteger(value);
    return readable ? undefined : mismatch(value, place, "int32");
  },
  Time: (value) => timeFault(value, "2006-01-02T15:04:05Z07:00"),
  MicroTime: (value) => timeFault(value, "2006-01-02T15:04:05.000000Z07:00"),
};

function faultOfType(schema: ReferringSchema, value: unknown, place: Place): string | undefined {
  const { type, items, additionalProperties: more } = schema;
  if (type === "array") {
    if (!Array.isArray(value)) return mismatch(value, place, goType(schema));
    return isPart(items) ? firstFault(value, (each) => faultOf(items, each, place)) : undefined;
  }
  if (type === "object" && isPart(more)) {
    if (!isPart(value)) return mismatch(value, place, goType(schema));
    return firstFault(Object.values(value), (each) => faultOf(more, each, place));
  }
  if (type === "string" && schema.format === "byte") return bytesFault(value, place);
  if (type === "integer") {
    const most = schema.format === "int64" ? 2 ** 63 : 2 ** 31;
    const fits = Number.isInteger(value) && (value as number) < most && (value as number) >= -most;
    return fits ? undefined : mismatch(value, place, goType(schema), true);
  }
  const expected = { string: "string", boolean: "boolean", number: "number" }[String(type)];
  return expected === undefined || expected === typeof value
    ? undefined
    : mismatch(value, place, goType(schema));
}

function firstFault<T>(
  list: readonly T[],
  check: (item: T) => string | undefined,
): string | undefined {
  for (const item of list) {
    const fault = check(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A number that does not fit in an integer is named. */
function mismatch(value: unknown, { struct, path }: Place, type: string, whole = false): string {
  const got = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  const shown = whole && typeof value === "number" ? `number ${value}` : got;
  return `json: cannot unmarshal ${shown} into Go struct field ${struct}.${path} of type ${type}`;
}

/** As Go names the type of a field. */
function goType({
  $ref,
  type,
  format,
  items,
  additionalProperties: more,
}: ReferringSchema): string {
  if (typeof $ref === "string") {
    const definition = builtInDefinitions()[$ref] ?? {};
    return isPart(definition.properties) ? `v1.${shortName($ref)}` : goType(definition);
  }
  if (type === "array") return `[]${isPart(items) ? goType(items) : "string"}`;
  if (type === "object") return `map[string]${isPart(more) ? goType(more) : "string"}`;
  if (type === "string" && format === "byte") return "[]uint8";
  if (type === "boolean") return "bool";
  if (type === "integer") return typeof format === "string" ? format : "int32";
  return type === "number" ? "float64" : "string";
}

function shortName(definition: string): string {
  return definition.replace(/^.*\./, "");
}

function bytesFault(value: unknown, place: Place): string | undefined {
  if (typeof value !== "string") return mismatch(value, place, "[]uint8");
  const text = value.replace(/[\r\n]/g, "");
  const wrong = /[^A-Za-z0-9+/=]|=(?!=?$)/.exec(text)?.index;
  if (wrong === undefined && text.length % 4 === 0) return undefined;
  return `illegal base64 data at input byte ${wrong ?? text.length - (text.length % 4)}`;
}

/** Where Go stops reading; only the commonest places are told as it tells them. */
function timeFault(value: unknown, layout: string): string | undefined {
  const text = String(value);
  const parsing = `parsing time ${goQuote(text)} as ${goQuote(layout)}`;
  const match = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(.*)$/.exec(text);
  if (!match) return `${parsing}: cannot parse ${goQuote(text)} as "2006"`;
  const [, rest = ""] = match;
  if (!layout.includes(".000000")) {
    if (/^(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(rest)) return undefined;
    return `${parsing}: cannot parse ${goQuote(rest)} as "Z07:00"`;
  }
  if (/^\.\d{6}(Z|[+-]\d\d:\d\d)$/.test(rest)) return undefined;
  return `${parsing}: cannot parse ${goQuote(rest)} as ".000000"`;
}
