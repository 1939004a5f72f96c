import { type SelectorToken, selectorTokens } from "./selectors-lexer.ts";
import { type Requirement, requirement, type SelectorOperator } from "./selectors-requirement.ts";

/** All of these must hold. */
export interface LabelSelector {
  readonly requirements: readonly Requirement[];
}

export type Labels = Readonly<Record<string, string>>;

export const EVERY_LABEL: LabelSelector = { requirements: [] };

/**
 * Reads a label selector as it stands in a query ("app=a,tier in (b,c),!d").
 *
 * Throws an Error with the API server's words where it is none.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#api
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = new Tokens(selectorTokens(text));
  const requirements: Requirement[] = [];
  while (tokens.peek().kind !== "end") {
    if (!begins(tokens.peek())) {
      throw new Error(`found '${tokens.peek().text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(readRequirement(tokens));
    const next = tokens.take();
    if (next.kind === "end") break;
    if (next.kind !== ",") {
      throw new Error(`found '${next.text}', expected: ',' or 'end of string'`);
    }
    if (!begins(tokens.peek())) {
      throw new Error(`found '${tokens.peek().text}', expected: identifier after ','`);
    }
  }
  return { requirements };
}

export function matchesLabels(selector: LabelSelector, labels: Labels | undefined): boolean {
  return selector.requirements.every((each) => holds(each, labels?.[each.key]));
}

function holds({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "notin":
    case "!=":
      return value === undefined || !values.includes(value);
    case ">":
    case "<":
      return value !== undefined && compares(operator, value, values[0] ?? "");
    default:
      return value !== undefined && values.includes(value);
  }
}

function compares(operator: ">" | "<", value: string, limit: string): boolean {
  if (!/^[+-]?\d+$/.test(value)) return false;
  return operator === ">" ? BigInt(value) > BigInt(limit) : BigInt(value) < BigInt(limit);
}

class Tokens {
  readonly #all: readonly SelectorToken[];
  #at = 0;

  constructor(all: readonly SelectorToken[]) {
    this.#all = all;
  }

  peek(): SelectorToken {
    return this.#all[this.#at] ?? END;
  }

  take(): SelectorToken {
    const token = this.peek();
    this.#at += 1;
    return token;
  }
}

const END: SelectorToken = { kind: "end", text: "" };

/** "in" and "notin" are operators only behind a key. */
function names({ kind }: SelectorToken): boolean {
  return kind === "word" || kind === "in" || kind === "notin";
}

function begins(token: SelectorToken): boolean {
  return names(token) || token.kind === "!";
}

function readRequirement(tokens: Tokens): Requirement {
  try {
    return requirementFrom(tokens);
  } catch (error) {
    throw new Error(`unable to parse requirement: ${(error as Error).message}`);
  }
}

function requirementFrom(tokens: Tokens): Requirement {
  let token = tokens.take();
  const absent = token.kind === "!";
  if (absent) token = tokens.take();
  if (!names(token)) throw new Error(`found '${token.text}', expected: identifier`);
  const key = token.text;
  requirement(key, "exists", []); // A wrong key is reported before a wrong operator.
  const { kind } = tokens.peek();
  if (absent) return requirement(key, "!", []); // What else follows it is the caller's fault.
  if (kind === "end" || kind === ",") return requirement(key, "exists", []);
  const operator = OPERATORS.find((each) => each === kind);
  const found = tokens.take();
  if (!operator) {
    throw new Error(`found '${found.text}', expected: ${OPERATOR_NAMES}`);
  }
  const values = operator === "in" || operator === "notin" ? readSet(tokens) : [readExact(tokens)];
  return requirement(key, operator, values);
}

const OPERATORS: readonly SelectorOperator[] = ["in", "notin", "=", "==", "!=", ">", "<"];

/** As the API server lists them. */
const OPERATOR_NAMES = "in, notin, =, ==, !=, gt, lt";

function readSet(tokens: Tokens): string[] {
  const open = tokens.take();
  if (open.kind !== "(") throw new Error(`found '${open.text}' expected: '('`);
  const first = tokens.peek();
  if (first.kind === ")") {
    tokens.take();
    return [""];
  }
  if (!names(first) && first.kind !== ",") {
    throw new Error(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values = readValues(tokens);
  tokens.take();
  return [...values].sort();
}

/** Up to the closing parenthesis, which stays. */
function readValues(tokens: Tokens): Set<string> {
  const values = new Set<string>();
  for (;;) {
    const token = tokens.take();
    const next = tokens.peek();
    if (names(token)) {
      values.add(token.text);
      if (next.kind === ")") return values;
      if (next.kind !== ",") throw new Error(`found '${next.text}', expected: ',' or ')'`);
      continue;
    }
    if (token.kind !== ",") {
      throw new Error(`found '${token.text}', expected: ',', or identifier`);
    }
    if (values.size === 0 || next.kind === "," || next.kind === ")") values.add("");
    if (next.kind === ")") return values;
  }
}

function readExact(tokens: Tokens): string {
  const { kind } = tokens.peek();
  if (kind === "end" || kind === ",") return "";
  const token = tokens.take();
  if (names(token)) return token.text;
  throw new Error(`found '${token.text}', expected: identifier`);
}
