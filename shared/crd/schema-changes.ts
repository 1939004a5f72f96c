import { isDeepStrictEqual } from "node:util";
import { constraintChanges } from "./constraint-changes.ts";
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
    ...constraintChanges(before, after),
    ...wordChanges(before, after),
  ];
  return [
    ...here.flatMap((change) => (change === undefined ? [] : [{ path, change }])),
    ...fieldChanges(path, before, after),
    ...partChanges(`${path}[*]`, before.items, after.items),
    ...partChanges(`${path}.*`, restOf(before), restOf(after)),
    ...(before.additionalProperties && !restOf(after)
      ? [{ path: `${path}.*`, change: "removed: dropped" }]
      : []),
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
  // With another bound, that tells.
  if (key === "exclusiveMinimum" && before.minimum !== after.minimum) return undefined;
  if (key === "exclusiveMaximum" && before.maximum !== after.maximum) return undefined;
  return `${key} ${JSON.stringify(has)} is new`;
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
  const mapType = ({ "x-kubernetes-map-type": type = "granular" }: StructuralSchema) => type;
  if (mapType(before) !== mapType(after)) {
    changes.push(`map type changed from ${mapType(before)} to ${mapType(after)}`);
  }
  const listType = ({ "x-kubernetes-list-type": type = "atomic", ...more }: StructuralSchema) =>
    [type, ...(more["x-kubernetes-list-map-keys"] ?? []).toSorted()].join(" ");
  if (listType(before) !== listType(after)) {
    changes.push(`list type changed from ${listType(before)} to ${listType(after)}`);
  }
  const rules = before["x-kubernetes-validations"] ?? [];
  for (const { rule, optionalOldSelf = false } of after["x-kubernetes-validations"] ?? []) {
    const same = rules.filter((each) => each.rule === rule);
    if (same.length === 0) changes.push(`the rule ${rule} is new`);
    else if (optionalOldSelf && !same.some((each) => each.optionalOldSelf)) {
      changes.push(`the rule ${rule} is asked of new values, too`);
    }
  }
  return changes;
}

function fieldChanges(
  path: string,
  before: StructuralSchema,
  after: StructuralSchema,
): readonly CrdChange[] {
  const open = after["x-kubernetes-preserve-unknown-fields"] || after.additionalProperties;
  // A name of another before, or now, is one of the others there.
  const names = new Set([
    ...Object.keys(before.properties ?? {}),
    ...Object.keys(after.properties ?? {}),
  ]);
  const kept = [...names].flatMap((name) => {
    const had = propertyOf(before, name) ?? restOf(before);
    const next = propertyOf(after, name) ?? after.additionalProperties;
    if (!had) return [];
    if (next) return schemaChanges(`${path}.${name}`, had, next);
    return open ? [] : [{ path: `${path}.${name}`, change: "removed: its values are dropped" }];
  });
  const needed = (after.required ?? [])
    .filter((name) => !before.required?.includes(name))
    .filter((name) => propertyOf(after, name)?.default === undefined)
    .map((name) => ({ path: `${path}.${name}`, change: "required, and has no default" }));
  return [...kept, ...needed];
}

function propertyOf({ properties = {} }: StructuralSchema, name: string) {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of fields that have none of their own; undefined where those are dropped. */
function restOf(schema: StructuralSchema): StructuralSchema | undefined {
  const open = schema["x-kubernetes-preserve-unknown-fields"];
  return schema.additionalProperties ?? (open ? {} : undefined);
}

function partChanges(
  path: string,
  before: StructuralSchema | undefined,
  after: StructuralSchema | undefined,
): readonly CrdChange[] {
  if (!before || !after) return [];
  return schemaChanges(path, before, after);
}
