import { builtInDefinitions, type ReferringSchema } from "./built-in-resources.ts";

/** A JSON object that may be changed. */
export type Part = Record<string, unknown>;

/** Told of each object whose definition is known, from the whole to its parts. */
export type PartVisitor = (definition: string, part: Part) => void;

/**
 * Goes through a built-in object by the definitions of its parts. `visit` may change the part it is
 * given: what it adds is visited too.
 */
export function visitParts(definition: string, value: unknown, visit: PartVisitor): void {
  const schema = builtInDefinitions()[definition];
  if (!schema) return;
  if (isPart(value) && schema.properties) visit(definition, value);
  visitInside(schema, value, visit);
}

function visitInside(schema: ReferringSchema, value: unknown, visit: PartVisitor): void {
  const { $ref, items, properties, additionalProperties: more } = schema;
  if (typeof $ref === "string") visitParts($ref, value, visit);
  else if (Array.isArray(value)) {
    if (isPart(items)) for (const item of value) visitInside(items, item, visit);
  } else if (isPart(value)) {
    for (const [key, each] of Object.entries(value)) {
      const known = isPart(properties) && Object.hasOwn(properties, key) ? properties[key] : more;
      if (isPart(known)) visitInside(known, each, visit);
    }
  }
}

export function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
