import type { CelExpression } from "./cel-expression.ts";

/** Names of types that an expression can use as values, and the types. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  bool: "bool",
  bytes: "bytes",
  double: "double",
  "google.protobuf.Duration": "duration",
  "google.protobuf.Timestamp": "timestamp",
  int: "int",
  "kubernetes.NamedFormat": "kubernetes.NamedFormat",
  "kubernetes.Quantity": "kubernetes.Quantity",
  "kubernetes.Semver": "kubernetes.Semver",
  "kubernetes.URL": "kubernetes.URL",
  list: "list(dyn)",
  map: "map(dyn, dyn)",
  "net.CIDR": "net.CIDR",
  "net.IP": "net.IP",
  null_type: "null",
  optional_type: "optional_type(dyn)",
  string: "string",
  type: "type",
  uint: "uint",
};

/** "a.b.c" of names joined by dots; undefined of anything else. */
export function qualifiedName(expression: CelExpression): string | undefined {
  if (expression.kind === "name") return expression.name;
  if (expression.kind !== "select" || expression.form !== "plain") return undefined;
  const prefix = qualifiedName(expression.of);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}
