import { type ASTNode, Environment, ParseError } from "@marcbachmann/cel-js";
import {
  type CelCall,
  type CelExpression,
  type CelLoop,
  type CelSelect,
  loopMacro,
} from "./cel-expression.ts";
import type { CelFault } from "./cel-fault.ts";
import { type CelValue, Uint } from "./cel-value.ts";

export type Parsed =
  | { readonly expression: CelExpression; readonly fault?: never; readonly unknown?: never }
  | { readonly fault: CelFault; readonly unknown?: never; readonly expression?: never }
  /** Right in CEL, and yet nothing that is read here. */
  | { readonly unknown: string; readonly fault?: never; readonly expression?: never };

/**
 * Reads an expression: the grammar is the library's, what it means is not. Its own checks and
 * evaluation know no schema behind `has()`, have no limit of steps, and take JavaScript's regular
 * expressions for RE2's.
 */
export function parseCel(source: string): Parsed {
  try {
    return { expression: read(GRAMMAR.parse(source).ast, source) };
  } catch (error) {
    if (error instanceof Unreadable) return { fault: error.fault };
    if (!(error instanceof ParseError)) throw error;
    const unknown = unknownSyntax(source, error);
    return unknown === undefined ? { fault: syntaxFault(error) } : { unknown };
  }
}

const GRAMMAR = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true });

class Unreadable extends Error {
  readonly fault: CelFault;
  constructor(at: number, message: string) {
    super(message);
    this.fault = { at, message };
  }
}

/** Parts of the language that the library does not read. */
function unknownSyntax(source: string, { range }: ParseError): string | undefined {
  const at = range?.start ?? 0;
  if (source[at] === "`") return "field names in backquotes";
  const before = source.slice(0, at).trimEnd().at(-1) ?? "";
  if (source[at] === "?" && "[{,".includes(before) && before !== "") {
    return "optional entries of lists and maps";
  }
  return undefined;
}

function syntaxFault({ code, range, summary }: ParseError): CelFault {
  const at = range?.start ?? 0;
  if (code === "invalid_macro_argument") return { at, message: "argument must be a simple name" };
  if (code === "reserved_identifier") {
    return { at, message: `reserved identifier: ${summary.split(": ")[1] ?? ""}` };
  }
  return { at, message: `Syntax error: ${summary}` };
}

function read(node: ASTNode, source: string): CelExpression {
  switch (node.op) {
    case "value":
      return { kind: "literal", at: node.start, value: literal(node, source) };
    case "id":
      return { kind: "name", at: node.start, name: node.args };
    case ".":
    case ".?":
      return readSelect(node, source);
    case "call":
      return readCall(node, source);
    case "rcall":
      return readMethod(node, source);
    case "list":
      return {
        kind: "list",
        at: node.start,
        items: node.args.map((each) => read(each, source)),
      };
    case "map":
      return {
        kind: "map",
        at: node.start,
        entries: node.args.map(([key, value]) => [read(key, source), read(value, source)] as const),
      };
    default:
      return readOperator(node, source);
  }
}

function literal({ args: value, start: at, end }: NodeOf<"value">, source: string): CelValue {
  if (value instanceof Uint8Array) return bytesOf(value, source.slice(at, end));
  if (typeof value === "bigint" && value >= 1n << 63n) {
    // Only `-9223372036854775808` may name that number, and reads it with the sign.
    if (value === 1n << 63n) return value;
    throw new Unreadable(at, "invalid int literal");
  }
  const isUint = typeof value === "object" && value !== null && !(value instanceof Uint8Array);
  return isUint ? new Uint(BigInt(String(value))) : (value as CelValue);
}

/** The library takes one byte for each character of the text; they are those of UTF-8. */
function bytesOf(bytes: Uint8Array, written: string): Uint8Array {
  if (/^[\0-\x7f]*$/.test(written)) return bytes;
  const { ast } = GRAMMAR.parse(written.replace(/[bB]/, ""));
  return typeof ast.args === "string" ? Buffer.from(ast.args) : bytes;
}

type NodeOf<Op extends ASTNode["op"]> = Extract<ASTNode, { op: Op }>;

function readSelect(node: NodeOf<"." | ".?">, source: string): CelSelect {
  const [of, field] = node.args;
  return {
    kind: "select",
    at: signAfter(source, of.end, "."),
    of: read(of, source),
    field,
    form: node.op === "." ? "plain" : "optional",
  };
}

function readCall(node: NodeOf<"call">, source: string): CelCall | CelSelect {
  const [name, args] = node.args;
  const at = signAfter(source, node.start + name.length, "(");
  const given = args.map((each) => read(each, source));
  const [first] = given;
  if (name !== "has" || given.length !== 1) return { kind: "call", at, name, args: given };
  if (first?.kind !== "select" || first.form !== "plain") {
    throw new Unreadable(first?.at ?? at, "invalid argument to has() macro");
  }
  return { ...first, at, form: "test" };
}

function readMethod(node: NodeOf<"rcall">, source: string): CelCall | CelLoop {
  const [name, receiver, args] = node.args;
  const dot = signAfter(source, receiver.end, ".");
  const at = signAfter(source, source.indexOf(name, dot) + name.length, "(");
  const target = read(receiver, source);
  const given = args.map((each) => read(each, source));
  const macro = loopMacro(name, args.length);
  if (!macro) return { kind: "call", at, name, target, args: given };
  const names = given.slice(0, macro.names).map((each) => {
    if (each.kind === "name") return each.name;
    throw new Unreadable(each.at, "argument must be a simple name");
  });
  return {
    kind: "loop",
    at,
    macro: macro.macro,
    of: target,
    names,
    steps: given.slice(names.length),
  };
}

type OperatorNode = Exclude<
  ASTNode,
  NodeOf<"value" | "id" | "." | ".?" | "call" | "rcall" | "list" | "map">
>;

function readOperator(node: OperatorNode, source: string): CelCall {
  if (node.op === "!_" || node.op === "-_") {
    return { kind: "call", at: node.start, name: node.op, args: [read(node.args, source)] };
  }
  const args = node.args.map((each) => read(each, source));
  const sign = node.op.startsWith("[") ? "[" : node.op === "?:" ? "?" : node.op;
  const at = signAfter(source, node.args[0].end, sign);
  return { kind: "call", at, name: OPERATOR_NAMES[node.op] ?? `_${node.op}_`, args };
}

const OPERATOR_NAMES: Readonly<Record<string, string>> = {
  in: "@in",
  "[]": "_[_]",
  "[?]": "_[?_]",
  "?:": "_?_:_",
};

/** Where a sign stands after that place, comments passed over. */
function signAfter(source: string, from: number, sign: string): number {
  let index = from;
  while (index < source.length && !source.startsWith(sign, index)) {
    const comment = source.startsWith("//", index);
    index = comment ? source.indexOf("\n", index) : index + 1;
    if (index < 0) break;
  }
  return index < 0 || index >= source.length ? from : index;
}
