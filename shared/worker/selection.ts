import type { Controller } from "../api/controller.ts";
import type { KubernetesObject, ObjectMeta } from "../api/object.ts";
import type { Selector } from "../api/source.ts";

/**
 * Whether the controller reconciles this object: its namespace is among `namespaces`, and the
 * selectors of `for` match. Of fields it can judge `metadata.name` and `metadata.namespace`, which
 * every kind has; others are the server's, and pass.
 */
export function selects(controller: Controller, { metadata }: KubernetesObject): boolean {
  const { namespaces, labels, fields } = controller;
  return (
    (namespaces === undefined || namespaces.includes(metadata.namespace ?? "")) &&
    matchesLabels(labels, metadata.labels ?? {}) &&
    matchesFields(fields, metadata)
  );
}

/**
 * Evaluates a label selector as the API server does. Throws on text that it would refuse.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export function matchesLabels(
  selector: Selector | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (selector === undefined) return true;
  if (typeof selector !== "string") {
    return Object.entries(selector).every(([name, value]) => labels[name] === value);
  }
  return requirementsOf(selector).every((requirement) => meets(requirement, labels));
}

/** Splits at commas that are not inside parentheses. */
function requirementsOf(selector: string): string[] {
  const parts = selector.split(/,(?![^(]*\))/).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

const SET = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/;
const EQUALITY = /^([^\s=!]+)\s*(==|=|!=)\s*([^\s=!]*)$/;
const EXISTENCE = /^(!?)\s*([^\s=!()]+)$/;

function meets(requirement: string, labels: Readonly<Record<string, string>>): boolean {
  const set = SET.exec(requirement);
  if (set) {
    const [, name = "", operator, list = ""] = set;
    const value = labels[name];
    const among = value !== undefined && list.split(",").some((item) => item.trim() === value);
    return operator === "in" ? among : !among;
  }
  const equality = EQUALITY.exec(requirement);
  if (equality) {
    const [, name = "", operator, value] = equality;
    return operator === "!=" ? labels[name] !== value : labels[name] === value;
  }
  const existence = EXISTENCE.exec(requirement);
  if (!existence) {
    throw new Error(
      `cannot evaluate label selector "${requirement}": expected name=value, name in (a,b) or name`,
    );
  }
  const [, not, name = ""] = existence;
  return (labels[name] !== undefined) === (not === "");
}

function matchesFields(selector: Selector | undefined, metadata: ObjectMeta): boolean {
  if (selector === undefined) return true;
  const entries =
    typeof selector === "string"
      ? requirementsOf(selector).map((part) => EQUALITY.exec(part)?.slice(1) ?? [])
      : Object.entries(selector).map(([field, value]) => [field, "=", value]);
  return entries.every(([field, operator, value]) => {
    const known: Record<string, string> = {
      "metadata.name": metadata.name,
      "metadata.namespace": metadata.namespace ?? "",
    };
    const actual = field === undefined ? undefined : known[field];
    return actual === undefined || (actual === value) === (operator !== "!=");
  });
}
