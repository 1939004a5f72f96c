import type { ScannedField } from "./json-scan.ts";
import { unknownFields } from "./schema-prune.ts";
import type { ServedResource } from "./served-resource.ts";

/** What the text of a body tells that its value does not. */
export interface BodyText {
  /** All fields in the order of the text. Absent: the value was made, not read. */
  readonly fields?: readonly ScannedField[];
  /** What strict decoding has against the text: `duplicate field "data"` of a patch. */
  readonly faults?: readonly string[];
  /** Of patches: how a refusal shows the value. Default: the patched object. */
  readonly shown?: string;
  /** Of strategic merges: refusals are those of a conversion, not of a decoder. */
  readonly converted?: boolean;
}

/**
 * What strict decoding has against an object, as the API server words it: fields that its kind does
 * not know, and fields that stand twice.
 */
export function strictFaults(
  resource: ServedResource,
  object: object,
  { fields, faults = [] }: BodyText = {},
): readonly string[] {
  const unknown = unknownFields(resource.schema, object);
  if (!fields) return [...faults, ...unknown.map(unknownText)];
  if (resource.custom) {
    const twice = fields.filter(({ again }) => again).map(({ path }) => duplicateText(path));
    return unique([...faults, ...twice, ...unknown.map(unknownText)]);
  }
  return unique([...faults, ...inOrder(fields, unknown)]);
}

/** The fields of a text that stand twice. */
export function duplicateFaults(fields: readonly ScannedField[], before = ""): readonly string[] {
  const twice = fields.filter(({ again }) => again);
  return unique(twice.map(({ path }) => `${before}${duplicateText(path)}`));
}

/** Of built-in kinds, both sorts of faults in the order of the text; nothing is told of what is not known. */
function inOrder(fields: readonly ScannedField[], unknown: readonly string[]): string[] {
  const strange = new Set(unknown);
  const inside = (path: string) =>
    unknown.some((each) => path.startsWith(`${each}.`) || path.startsWith(`${each}[`));
  return fields.flatMap(({ path, again }) => {
    if (strange.has(path)) return [unknownText(path)];
    return again && !inside(path) ? [duplicateText(path)] : [];
  });
}

function unknownText(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

function duplicateText(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
