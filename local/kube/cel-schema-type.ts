import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  objectType,
  STRING,
  TIMESTAMP,
} from "../cel/cel-type.ts";
import type { Schema } from "./schema.ts";

/** The type of `self` where a rule stands in that schema; undefined where rules see nothing of the value. */
export function selfType(schema: Schema, root: boolean): CelType | undefined {
  return typeOf(schema, root, "selfType");
}

function typeOf(schema: Schema, root: boolean, name: string): CelType | undefined {
  if (schema["x-kubernetes-int-or-string"]) return DYN;
  switch (schema.type) {
    case "array": {
      const item = schema.items && typeOfPart(schema.items, `${name}.@idx`);
      return item && listType(item);
    }
    case "object":
      return objectTypeOf(root ? withMeta(schema) : schema, name);
    case "string":
      return Object.hasOwn(TEXT_TYPES, schema.format ?? "")
        ? TEXT_TYPES[schema.format ?? ""]
        : STRING;
    case "boolean":
      return BOOL;
    case "number":
      return DOUBLE;
    case "integer":
      return INT;
    default:
      return undefined;
  }
}

const TEXT_TYPES: Readonly<Record<string, CelType>> = {
  byte: BYTES,
  duration: DURATION,
  date: TIMESTAMP,
  "date-time": TIMESTAMP,
};

function typeOfPart(schema: Schema, name: string): CelType | undefined {
  return typeOf(schema, schema["x-kubernetes-embedded-resource"] === true, name);
}

function objectTypeOf(schema: Schema, name: string): CelType | undefined {
  const { properties = {}, additionalProperties: more } = schema;
  if (typeof more === "object") {
    const value = typeOfPart(more, `${name}.@elem`);
    return value && mapType(STRING, value);
  }
  const fields = new Map<string, CelType>();
  for (const [key, property] of Object.entries(properties)) {
    const names = fieldNames(key);
    const type = typeOfPart(property, `${name}.${names[0]}`);
    if (type) for (const each of names) fields.set(each, type);
  }
  return objectType(name, fields);
}

/** Whole objects, also embedded ones, show their type and the name in their metadata. */
export function withMeta(schema: Schema): Schema {
  const { metadata } = schema.properties ?? {};
  const text = { type: "string" } as const;
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: text,
      kind: text,
      metadata: {
        type: "object",
        properties: {
          name: metadata?.properties?.name ?? text,
          generateName: metadata?.properties?.generateName ?? text,
        },
      },
    },
  };
}

/** Words that the language keeps for itself. */
const RESERVED = new Set(
  (
    "true false null in as break const continue else for function if import let loop package " +
    "namespace return var void while"
  ).split(" "),
);

/** The name by which rules call a field: "a-b" is "a__dash__b"; undefined if no name can be written. */
export function escapedName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (part) => ESCAPES[part] ?? part);
}

/** All names by which rules can call a field: words that the language keeps are also taken as they are. */
export function fieldNames(name: string): readonly string[] {
  const escaped = escapedName(name);
  if (escaped === undefined) return [];
  return RESERVED.has(name) ? [escaped, name] : [escaped];
}

const ESCAPES: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};
