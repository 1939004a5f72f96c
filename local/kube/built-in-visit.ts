import { builtInDefinitions, type ReferringSchema } from "./built-in-resources.ts";

/** A JSON object that may be changed. */
export type Part = Record<string, unknown>;

/** Told of each object whose definition is known, from the whole to its parts; `path` as in faults. */
export type PartVisitor = (definition: string, part: Part, path: string) => void;

/**
 * Goes through a built-in object by the definitions of its parts. `visit` may change the part it is
 * given: what it adds is visited too.
 */
export function visitParts(definition: string, value: unknown, visit: PartVisitor): void {
  visitDefinition(definition, { value, path: "" }, visit);
}

interface Place {
  readonly value: unknown;
  readonly path: string;
}

function visitDefinition(definition: string, place: Place, visit: PartVisitor): void {
  const schema = builtInDefinitions()[definition];
  if (!schema) return;
  if (isPart(place.value) && schema.properties) visit(definition, place.value, place.path);
  visitInside(schema, place, visit);
}

function visitInside(schema: ReferringSchema, place: Place, visit: PartVisitor): void {
  const { $ref, items, properties } = schema;
  const { value, path } = place;
  if (typeof $ref === "string") visitDefinition($ref, place, visit);
  else if (Array.isArray(value)) {
    if (!isPart(items)) return;
    value.forEach((each: unknown, index) => {
      visitInside(items, { value: each, path: `${path}[${index}]` }, visit);
    });
  } else if (isPart(value)) {
    for (const [key, each] of Object.entries(value)) {
      const own = isPart(properties) && Object.hasOwn(properties, key);
      const known = own ? properties[key] : schema.additionalProperties;
      const next = own ? childPath(path, key) : `${path}[${key}]`;
      if (isPart(known)) visitInside(known, { value: each, path: next }, visit);
    }
  }
}

/** The path of a field. */
export function childPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

export function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text; "" where there is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
