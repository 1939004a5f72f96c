import { isDeepStrictEqual } from "node:util";
import type { StructuralSchema } from "./custom-resource-definition.ts";

/** One thing that breaks. */
export interface CrdChange {
  /** Where, from the version on: "v1.spec.replicas"; or the part of the definition: "scope". */
  readonly path: string;
  /** What, for people: "maximum lowered from 50 to 10". */
  readonly change: string;
}

/** What the new schema refuses or drops of what the old one took. */
export function schemaChanges(
  path: string,
  before: StructuralSchema,
  after: StructuralSchema,
): readonly CrdChange[] {
  const type = typeChange(before, after);
  if (type !== undefined) return [{ path, change: type }];
  const here = [
    ...LIMITS.map(([key, sign]) => limitChange(key, sign, before, after)),
    ...OTHERS.map((key) => otherChange(key, before, after)),
    ...wordChanges(before, after),
  ];
  return [
    ...here.flatMap((change) => (change === undefined ? [] : [{ path, change }])),
    ...fieldChanges(path, before, after),
    ...partChanges(`${path}[*]`, before.items, after.items),
    ...partChanges(`${path}.*`, before.additionalProperties, after.additionalProperties),
  ];
}

type Keyword = keyof StructuralSchema;

/** 1: the higher the tighter. */
const LIMITS: readonly (readonly [Keyword, 1 | -1])[] = [
  ["minimum", 1],
  ["maximum", -1],
  ["minLength", 1],
  ["maxLength", -1],
  ["minItems", 1],
  ["maxItems", -1],
  ["minProperties", 1],
  ["maxProperties", -1],
];

/** What refuses other values than before when it comes or becomes another. */
const OTHERS: readonly Keyword[] = [
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "pattern",
  "format",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "x-kubernetes-embedded-resource",
];

function typeOf(schema: StructuralSchema): string {
  return schema["x-kubernetes-int-or-string"] ? "integer or string" : (schema.type ?? "anything");
}

function typeChange(before: StructuralSchema, after: StructuralSchema): string | undefined {
  const [had, has] = [typeOf(before), typeOf(after)];
  const wider =
    has === "anything" ||
    (has === "number" && had === "integer") ||
    (has === "integer or string" && (had === "integer" || had === "string"));
  return had === has || wider ? undefined : `type changed from ${had} to ${has}`;
}

function limitChange(
  key: Keyword,
  sign: 1 | -1,
  before: StructuralSchema,
  after: StructuralSchema,
): string | undefined {
  const [had, has] = [before[key], after[key]] as (number | undefined)[];
  if (has === undefined || (had !== undefined && sign * (has - had) <= 0)) return undefined;
  if (had === undefined) return `${key} ${has} is new`;
  return `${key} ${sign > 0 ? "raised" : "lowered"} from ${had} to ${has}`;
}

function otherChange(
  key: Keyword,
  before: StructuralSchema,
  after: StructuralSchema,
): string | undefined {
  const [had, has] = [before[key], after[key]];
  if (!has || isDeepStrictEqual(had, has)) return undefined;
  if (had === undefined) return `${key} ${JSON.stringify(has)} is new`;
  return `${key} changed from ${JSON.stringify(had)} to ${JSON.stringify(has)}`;
}

function wordChanges(before: StructuralSchema, after: StructuralSchema): readonly string[] {
  const changes: string[] = [];
  const lost = (before.enum ?? []).filter((value) => after.enum && !after.enum.includes(value));
  if (lost.length > 0)
    changes.push(`no longer takes ${lost.map((each) => JSON.stringify(each)).join(", ")}`);
  if (!before.enum && after.enum) changes.push(`takes only ${JSON.stringify(after.enum)}`);
  if (before.nullable && !after.nullable) changes.push("no longer takes null");
  if (before.default !== undefined && !isDeepStrictEqual(before.default, after.default)) {
    const [had, has] = [before.default, after.default].map(
      (each) => JSON.stringify(each) ?? "none",
    );
    changes.push(`default changed from ${had} to ${has}`);
  }
  const open = "x-kubernetes-preserve-unknown-fields";
  if (before[open] && !after[open] && !after.additionalProperties) {
    changes.push("unknown fields are dropped");
  }
  const listType = ({ "x-kubernetes-list-type": type = "atomic", ...more }: StructuralSchema) =>
    [type, ...(more["x-kubernetes-list-map-keys"] ?? [])].join(" ");
  if (listType(before) !== listType(after)) {
    changes.push(`list type changed from ${listType(before)} to ${listType(after)}`);
  }
  const rules = before["x-kubernetes-validations"]?.map(({ rule }) => rule) ?? [];
  for (const { rule } of after["x-kubernetes-validations"] ?? []) {
    if (!rules.includes(rule)) changes.push(`the rule ${rule} is new`);
  }
  return changes;
}

function fieldChanges(
  path: string,
  before: StructuralSchema,
  after: StructuralSchema,
): readonly CrdChange[] {
  const open = after["x-kubernetes-preserve-unknown-fields"] || after.additionalProperties;
  const had = Object.entries(before.properties ?? {});
  const kept = had.flatMap(([name, schema]) => {
    const next = after.properties?.[name] ?? after.additionalProperties;
    if (next) return schemaChanges(`${path}.${name}`, schema, next);
    return open ? [] : [{ path: `${path}.${name}`, change: "removed: its values are dropped" }];
  });
  const needed = (after.required ?? [])
    .filter((name) => !before.required?.includes(name))
    .filter((name) => after.properties?.[name]?.default === undefined)
    .map((name) => ({ path: `${path}.${name}`, change: "required, and has no default" }));
  return [...kept, ...needed];
}

function partChanges(
  path: string,
  before: StructuralSchema | undefined,
  after: StructuralSchema | undefined,
): readonly CrdChange[] {
  if (!before) return [];
  return after ? schemaChanges(path, before, after) : [{ path, change: "removed: dropped" }];
}
