import { type CheckedCel, checkCel, type Scope } from "./cel-check.ts";
import { CIDRS } from "./cel-cidr.ts";
import { STANDARD } from "./cel-conversions.ts";
import { type CelBudget, evaluateCel, type Variables } from "./cel-evaluate.ts";
import { faultsText } from "./cel-fault.ts";
import { TEXT_FORMAT } from "./cel-format-text.ts";
import { FORMAT_LIBRARY } from "./cel-formats.ts";
import { IPS } from "./cel-ip.ts";
import { functionsOf } from "./cel-library.ts";
import { LISTS, SETS } from "./cel-lists.ts";
import { literalFaults } from "./cel-literals.ts";
import { OPERATORS } from "./cel-operators.ts";
import { parseCel } from "./cel-parse.ts";
import { QUANTITIES } from "./cel-quantity.ts";
import { REGEX } from "./cel-regex.ts";
import { SEMVERS } from "./cel-semver.ts";
import { STRINGS } from "./cel-strings.ts";
import { TIMES } from "./cel-time.ts";
import type { CelType } from "./cel-type.ts";
import { URLS } from "./cel-url.ts";
import type { CelValue } from "./cel-value.ts";

/** An expression that has been read and checked. */
export type CelProgram =
  | {
      readonly type: CelType;
      /** The variables that it names. */
      readonly used: CheckedCel["used"];
      /** Throws a CelError where it has no value. */
      readonly evaluate: (variables: Variables, budget: CelBudget) => CelValue;
      readonly faults?: never;
      readonly unknown?: never;
    }
  /** Refused: what kube-apiserver says of it. */
  | { readonly faults: string; readonly unknown?: never; readonly evaluate?: never }
  /** Right, and yet not evaluated: what of it is not known here. */
  | { readonly unknown: string; readonly faults?: never; readonly evaluate?: never };

/** Reads and checks an expression of kube-apiserver, with all functions that it has there. */
export function celProgram(source: string, variables: Scope): CelProgram {
  const { expression, fault, unknown } = parseCel(source);
  if (unknown !== undefined) return { unknown };
  if (fault) return { faults: faultsText(source, [fault]) };
  const checked = checkCel(expression, variables, FUNCTIONS);
  const faults =
    checked.faults.length > 0 ? checked.faults : literalFaults(expression, checked.types);
  if (faults.length > 0) return { faults: faultsText(source, faults) };
  return {
    type: checked.type,
    used: checked.used,
    evaluate: (values, budget) => evaluateCel(expression, checked, { variables: values, budget }),
  };
}

const FUNCTIONS = functionsOf([
  OPERATORS,
  STANDARD,
  TIMES,
  STRINGS,
  TEXT_FORMAT,
  REGEX,
  LISTS,
  SETS,
  QUANTITIES,
  URLS,
  IPS,
  CIDRS,
  SEMVERS,
  FORMAT_LIBRARY,
]);
