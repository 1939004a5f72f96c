import { mapKey } from "./cel-access.ts";
import type { CelEvaluation, Variables } from "./cel-evaluate.ts";
import type { CelExpression, CelLoop } from "./cel-expression.ts";
import { compareValues } from "./cel-order.ts";
import {
  CelError,
  type CelKey,
  type CelValue,
  isList,
  isMap,
  Optional,
  typeNameOf,
} from "./cel-value.ts";

/** The value of a macro that names variables. */
export function evaluateLoop(evaluation: CelEvaluation, loop: CelLoop, scope: Variables): CelValue {
  const of = evaluation.value(loop.of, scope);
  if (loop.macro === "optMap" || loop.macro === "optFlatMap") {
    return optional(evaluation, loop, { of, scope });
  }
  const rounds = [...roundsOf(loop, of, scope)];
  const step = loop.steps.at(-1) as CelExpression;
  const value = (round: Variables) => evaluation.value(step, round);
  const chosen = loop.steps.length === 2 ? loop.steps[0] : undefined;
  const kept = (round: Variables) => chosen === undefined || isTrue(evaluation, chosen, round);
  switch (loop.macro) {
    case "all":
      return quantified(evaluation, { step, rounds, deciding: false });
    case "exists":
      return quantified(evaluation, { step, rounds, deciding: true });
    case "exists_one":
      return rounds.filter((round) => isTrue(evaluation, step, round)).length === 1;
    case "filter": {
      const [name = ""] = loop.names;
      const found = rounds.filter((round) => isTrue(evaluation, step, round));
      return found.map((round) => round.get(name) ?? null);
    }
    case "sortBy":
      return sorted(loop, rounds, value);
    case "transformMap":
    case "transformMapEntry":
      return mapped(loop, rounds.filter(kept), value);
    default:
      return rounds.filter(kept).map(value);
  }
}

/** The variables of each round. */
function* roundsOf(
  { names: [first = "", second] }: CelLoop,
  of: CelValue,
  scope: Variables,
): Iterable<Variables> {
  if (!isList(of) && !isMap(of)) {
    throw new CelError(
      `got '${GO_TYPES[typeNameOf(of)] ?? "types.Unknown"}', expected iterable type`,
    );
  }
  const entries: Iterable<readonly [CelKey, CelValue]> = isList(of)
    ? of.map((item, index) => [BigInt(index), item] as const)
    : of;
  for (const [key, value] of entries) {
    const round = new Map(scope);
    round.set(first, second === undefined && isList(of) ? value : key);
    if (second !== undefined) round.set(second, value);
    yield round;
  }
}

/** Go's names of values, which its text names. */
const GO_TYPES: Readonly<Record<string, string>> = {
  bool: "types.Bool",
  bytes: "types.Bytes",
  double: "types.Double",
  int: "types.Int",
  null_type: "types.Null",
  string: "types.String",
  uint: "types.Uint",
};

/** An item that decides makes up for errors of others. */
function quantified(
  evaluation: CelEvaluation,
  {
    step,
    rounds,
    deciding,
  }: {
    readonly step: CelExpression;
    readonly rounds: readonly Variables[];
    readonly deciding: boolean;
  },
): boolean {
  let error: CelError | undefined;
  for (const round of rounds) {
    const value = evaluation.attempt(step, round);
    if (value === deciding) return deciding;
    if (value instanceof CelError) error ??= value;
    else if (typeof value !== "boolean") error ??= new CelError("no such overload");
  }
  if (error) throw error;
  return !deciding;
}

function isTrue(evaluation: CelEvaluation, step: CelExpression, round: Variables): boolean {
  const value = evaluation.value(step, round);
  if (typeof value !== "boolean") throw new CelError("no such overload");
  return value;
}

type Step = (round: Variables) => CelValue;

function mapped({ macro, names }: CelLoop, rounds: readonly Variables[], step: Step): CelValue {
  const map = new Map<CelKey, CelValue>();
  for (const round of rounds) {
    const value = step(round);
    const entries =
      macro === "transformMap"
        ? [[mapKey(round.get(names[0] ?? "") ?? null), value] as const]
        : isMap(value)
          ? [...value]
          : [];
    for (const [key, each] of entries) {
      if (map.has(key)) throw new CelError(`insert failed: key ${key} already exists`);
      map.set(key, each);
    }
  }
  return map;
}

function sorted({ names: [name = ""] }: CelLoop, rounds: Variables[], step: Step): CelValue {
  const keyed = rounds.map((round) => ({ item: round.get(name) ?? null, key: step(round) }));
  keyed.sort((a, b) => compareValues(a.key, b.key));
  return keyed.map(({ item }) => item);
}

function optional(
  evaluation: CelEvaluation,
  { macro, names: [name = ""], steps: [step] }: CelLoop,
  { of, scope }: { readonly of: CelValue; readonly scope: Variables },
): CelValue {
  if (!(of instanceof Optional)) throw new CelError("no such overload");
  if (of.value === undefined) return Optional.NONE;
  const value = evaluation.value(step as CelExpression, new Map(scope).set(name, of.value));
  return macro === "optMap" ? new Optional(value) : value;
}
