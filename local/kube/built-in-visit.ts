import { builtInDefinitions, type ReferringSchema } from "./built-in-resources.ts";
import { isFrozen } from "./frozen.ts";

/** A JSON object that may be changed. */
export type Part = Record<string, unknown>;

/** Told of each object whose definition is known, from the whole to its parts; `path` as in faults. */
export type PartVisitor = (definition: string, part: Part, path: string) => void;

/**
 * Goes through a built-in object by the definitions of its parts, and changes nothing. Frozen parts are
 * passed over with all that is in them: they are parts of stored objects, and so were looked at then.
 */
export function visitParts(definition: string, value: unknown, visit: PartVisitor): void {
  visitPart(planOf(definition), { value, path: "" }, visit);
}

/**
 * As `visitParts`, to change the parts in place: what `change` adds is visited, too.
 */
export function changeParts(
  definition: string,
  value: unknown,
  change: (definition: string, part: Part) => void,
): void {
  changePart(planOf(definition), value, change);
}

/** By the last part of a definition's name; the rules for it, looked up once. */
export function ruleFinder<Rule>(
  rules: Readonly<Record<string, Rule>>,
  prefix: RegExp,
): (definition: string) => Rule | undefined {
  const known = new Map<string, Rule | undefined>();
  return (definition) => {
    if (!known.has(definition)) known.set(definition, rules[definition.replace(prefix, "")]);
    return known.get(definition);
  };
}

/** What a visit looks for in a value; undefined where there is nothing to find. */
interface Plan {
  /** Of an object that is told of. */
  definition?: string | undefined;
  items?: Plan | undefined;
  fields?: ReadonlyMap<string, Plan | undefined>;
  /** Of fields that are not named. */
  more?: Plan | undefined;
}

/** Made from the definitions, which do not change; safe to lose. */
const plans = new Map<string, Plan | undefined>();

function planOf(definition: string): Plan | undefined {
  if (plans.has(definition)) return plans.get(definition);
  const schema = builtInDefinitions()[definition];
  // Known before its parts are: a definition may contain itself.
  const plan: Plan = isPart(schema?.properties) ? { definition } : {};
  plans.set(definition, plan);
  Object.assign(plan, schema && planInside(schema));
  if (Object.keys(plan).length === 0) plans.set(definition, undefined);
  return plans.get(definition);
}

function planInside(schema: ReferringSchema): Plan | undefined {
  const { $ref, items, properties, additionalProperties } = schema;
  if (typeof $ref === "string") return planOf($ref);
  const plan: Plan = {};
  if (isPart(items)) plan.items = planInside(items);
  if (isPart(additionalProperties)) plan.more = planInside(additionalProperties);
  if (isPart(properties)) {
    plan.fields = new Map(
      Object.entries(properties).map(([key, each]) => [
        key,
        isPart(each) ? planInside(each) : undefined,
      ]),
    );
  }
  return plan.items || plan.more || plan.fields ? plan : undefined;
}

interface Place {
  readonly value: unknown;
  readonly path: string;
}

function visitPart(plan: Plan | undefined, { value, path }: Place, visit: PartVisitor): void {
  if (!plan || isFrozen(value)) return;
  if (Array.isArray(value)) {
    if (!plan.items) return;
    for (const [index, each] of value.entries())
      visitPart(plan.items, { value: each, path: `${path}[${index}]` }, visit);
  } else if (isPart(value)) {
    if (plan.definition !== undefined) visit(plan.definition, value, path);
    for (const [key, each] of Object.entries(value)) {
      const own = plan.fields?.has(key);
      const inner = own ? plan.fields?.get(key) : plan.more;
      if (!inner) continue;
      visitPart(
        inner,
        { value: each, path: own ? childPath(path, key) : `${path}[${key}]` },
        visit,
      );
    }
  }
}

function changePart(
  plan: Plan | undefined,
  value: unknown,
  change: (definition: string, part: Part) => void,
): void {
  if (!plan || isFrozen(value)) return;
  if (Array.isArray(value)) {
    if (plan.items) for (const each of value) changePart(plan.items, each, change);
  } else if (isPart(value)) {
    if (plan.definition !== undefined) change(plan.definition, value);
    for (const key of Object.keys(value)) {
      const inner = plan.fields?.has(key) ? plan.fields.get(key) : plan.more;
      if (inner) changePart(inner, value[key], change);
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
