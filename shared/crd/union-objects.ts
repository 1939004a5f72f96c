import { isDeepStrictEqual } from "node:util";
import { celField, celLiteral } from "./cel-text.ts";
import type { StructuralSchema, ValidationRule } from "./custom-resource-definition.ts";
import { below, fault, type Place, untyped, without } from "./place.ts";

interface Context {
  readonly discriminator: string | undefined;
  readonly place: Place;
}

/**
 * One object that has the fields of all, and rules that say which go together. The API server keeps
 * a field of another branch, where zod drops it: the rules refuse it.
 */
export function mergedObjects(
  branches: readonly StructuralSchema[],
  { discriminator, place }: Context,
): StructuralSchema {
  const names = [...new Set(branches.flatMap((branch) => Object.keys(fieldsOf(branch))))];
  const properties = Object.fromEntries(
    names.map((name) => [name, mergedField(branches, name, place)]),
  );
  const required = names.filter((name) => branches.every((branch) => isRequired(branch, name)));
  const tagged = names.filter((name) => differs(branches, name));
  const conditions = branches.map((branch) =>
    conditionOf(branch, { names, required, tagged, properties, place }),
  );
  const open = branches.some((branch) => branch["x-kubernetes-preserve-unknown-fields"]);
  const own = branches.flatMap((branch) => branch["x-kubernetes-validations"] ?? []);
  if (own.length > 0 || branches.some((branch) => branch.additionalProperties)) {
    return fault(
      place,
      "a member of a union has rules of its own, or is a record",
      "put rules on the union",
    );
  }
  const rules = rulesOf(branches, { conditions, discriminator, names });
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties,
    ...(open && { "x-kubernetes-preserve-unknown-fields": true }),
    ...(rules.length > 0 && { "x-kubernetes-validations": rules }),
  };
}

function fieldsOf({ properties = {} }: StructuralSchema) {
  return properties;
}

function fieldOf(branch: StructuralSchema, name: string): StructuralSchema | undefined {
  return Object.hasOwn(fieldsOf(branch), name) ? fieldsOf(branch)[name] : undefined;
}

function isRequired({ required = [] }: StructuralSchema, name: string): boolean {
  return required.includes(name);
}

/** Fields whose values, not only whose presence, tell branches apart. */
function differs(branches: readonly StructuralSchema[], name: string): boolean {
  const fields = branches.flatMap((branch) => fieldOf(branch, name) ?? []);
  return fields.some((field) => !isDeepStrictEqual(told(field), told(fields[0])));
}

function told(schema: StructuralSchema = {}): StructuralSchema {
  return without(schema, "description");
}

function mergedField(
  branches: readonly StructuralSchema[],
  name: string,
  place: Place,
): StructuralSchema {
  const at = below(place, `.${name}`);
  const fields = branches.flatMap((branch) => fieldOf(branch, name) ?? []);
  const [first = {}] = fields;
  if (fields.some((field) => field.default !== undefined) && fields.length < branches.length) {
    const why = "a default is filled in whatever the branch is";
    fault(at, why, "give all members the field, or leave the default to the code");
  }
  if (!differs(branches, name)) return first;
  const plain = fields.every(({ type, enum: values, nullable, default: value }) => {
    return type === first.type && values && !nullable && value === undefined;
  });
  if (!plain) {
    const why = "members of a union say different things of one field";
    fault(at, why, "let them agree, or give the fields names of their own");
  }
  return { ...first, enum: [...new Set(fields.flatMap((field) => field.enum ?? []))] };
}

interface Names {
  readonly names: readonly string[];
  /** Those that the schema itself requires. */
  readonly required: readonly string[];
  readonly tagged: readonly string[];
  readonly properties: Readonly<Record<string, StructuralSchema>>;
  readonly place: Place;
}

/** When an object is of that branch, in CEL. */
function conditionOf(
  branch: StructuralSchema,
  { names, required, tagged, properties, place }: Names,
): string[] {
  const open = branch["x-kubernetes-preserve-unknown-fields"];
  return names.flatMap((name) => {
    const field = celField(name);
    const schema = fieldOf(branch, name);
    const wanted = isRequired(branch, name);
    if (schema === undefined && open) return [];
    const presence = wanted && !required.includes(name) ? [`has(self.${field})`] : [];
    const values = schema && tagged.includes(name) ? [oneOf(field, schema, wanted)] : [];
    const parts = schema === undefined ? [`!has(self.${field})`] : [...presence, ...values];
    const at = below(place, `.${name}`);
    if (parts.length === 0) return [];
    if (field === undefined) {
      fault(at, "rules cannot name this field", "rename it");
    } else if (untyped(properties[name] ?? {})) {
      fault(at, "rules cannot name a field of any type", "use preserveUnknown(), or a type");
    } else if (schema?.nullable && presence.length > 0) {
      const why = "a rule cannot tell null from a field that is missing";
      fault(at, why, "leave nullable() out, or give all members the field");
    }
    return parts;
  });
}

function oneOf(
  field: string | undefined,
  { enum: values = [], type }: StructuralSchema,
  wanted: boolean,
) {
  const list = values.map((value) => celLiteral(value, type));
  const equal =
    list.length === 1 ? `self.${field} == ${list[0]}` : `self.${field} in [${list.join(", ")}]`;
  return wanted ? equal : `(!has(self.${field}) || ${equal})`;
}

function rulesOf(
  branches: readonly StructuralSchema[],
  given: {
    readonly conditions: readonly (readonly string[])[];
    readonly discriminator: string | undefined;
    readonly names: readonly string[];
  },
): readonly ValidationRule[] {
  const { conditions, discriminator, names } = given;
  if (discriminator !== undefined && toldApart(branches, discriminator)) {
    return branches.flatMap((branch, index) => {
      const field = fieldOf(branch, discriminator) ?? {};
      const { enum: values = [] } = field;
      const tag = oneOf(celField(discriminator), field, true);
      const parts = (conditions[index] ?? []).filter((part) => part !== tag);
      if (parts.length === 0) return [];
      const message = `with ${discriminator} ${values.join(" or ")} expected ${inWords(branch, names)}`;
      return [{ rule: `!(${tag}) || (${parts.join(" && ")})`, message }];
    });
  }
  if (conditions.some((parts) => parts.length === 0)) return [];
  const rule = conditions.map((parts) => `(${parts.join(" && ")})`).join(" || ");
  const words = branches.map((branch) => inWords(branch, names));
  return [{ rule, message: `expected one of ${words.join(", ")}` }];
}

/** Whether no value of the field is that of two branches, as it may be with a union within. */
function toldApart(branches: readonly StructuralSchema[], name: string): boolean {
  const values = branches.flatMap((branch) => fieldOf(branch, name)?.enum ?? []);
  return new Set(values).size === values.length;
}

/** As in TypeScript: "{ type, bar? }". */
function inWords(branch: StructuralSchema, names: readonly string[]): string {
  const known = names.filter((name) => fieldOf(branch, name));
  const fields = known.map((name) => (isRequired(branch, name) ? name : `${name}?`));
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
