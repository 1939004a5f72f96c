import { compareElements, type FieldElement, parseElement } from "./fields-element.ts";
import { emptySet, type FieldSet } from "./fields-set.ts";

/** The set as FieldsV1 JSON: `{"f:spec":{".":{},"f:replicas":{}}}`, in order. */
export function encodeSet(set: FieldSet): Record<string, object> {
  const elements = [...new Set([...set.members, ...set.children.keys()])].sort(compareElements);
  return Object.fromEntries(elements.map((element) => [element, encodeElement(set, element)]));
}

/** Reads FieldsV1 JSON. Throws on keys that are no steps of a path. */
export function decodeSet(json: unknown): FieldSet {
  return decodeNode(json).below ?? emptySet();
}

function encodeElement(set: FieldSet, element: FieldElement): object {
  const child = set.children.get(element);
  if (!child) return {};
  return set.members.has(element) ? { ".": {}, ...encodeSet(child) } : encodeSet(child);
}

/** A node is a member if it says so by ".", or if there is nothing below it. */
function decodeNode(json: unknown): { below?: FieldSet; member: boolean } {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return { member: true };
  const set = emptySet();
  let member = false;
  for (const [key, value] of Object.entries(json)) {
    if (key === ".") {
      member = true;
      continue;
    }
    const element = parseElement(key);
    if (element === undefined) continue;
    const node = decodeNode(value);
    if (node.member) set.members.add(element);
    if (node.below) set.children.set(element, node.below);
  }
  const empty = set.members.size === 0 && set.children.size === 0;
  return empty ? { member: true } : { below: set, member };
}
