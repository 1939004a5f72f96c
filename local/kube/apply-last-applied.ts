import { compareValues } from "./fields-compare.ts";
import { compareText } from "./fields-element.ts";
import { difference, type FieldSet } from "./fields-set.ts";
import type { FieldType } from "./fields-type.ts";
import { fieldsOf, isMap, type Json, mapIn } from "./fields-value.ts";

/** Written by `kubectl apply` without --server-side. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** Of all annotations together. https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/ */
const MAX_ANNOTATION_BYTES = 256 * 1024;

/**
 * The fields that kubectl set by client-side apply and nobody changed since: kubectl may take them
 * over without conflicts. Undefined without such a configuration of the same version.
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/util/managedfields/internal/lastappliedmanager.go
 */
export function lastAppliedFields(live: Json, type: FieldType): FieldSet | undefined {
  const text = lastAppliedOf(live);
  const config = text === undefined ? undefined : parsed(text);
  if (!isMap(config) || config.apiVersion !== live.apiVersion) return undefined;
  const { added, modified, removed } = compareValues(config, live, type);
  const set = fieldsOf(config, type);
  return difference(difference(difference(set, modified), added), removed);
}

/** The object with the configuration of client-side apply brought up to date, if it has one. */
export function withLastApplied(object: Json, patch: Json): Json {
  if (!lastAppliedOf(object)) return object;
  const metadata = mapIn(object.metadata) ?? {};
  const { [LAST_APPLIED]: _, ...others } = mapIn(metadata.annotations) ?? {};
  const annotations = { ...others, [LAST_APPLIED]: configText(patch) };
  const bytes = Object.entries(annotations).flat().map(String).join("");
  const fits = Buffer.byteLength(bytes) <= MAX_ANNOTATION_BYTES;
  return { ...object, metadata: { ...metadata, annotations: fits ? annotations : others } };
}

function lastAppliedOf(object: Json): string | undefined {
  const annotations = mapIn(mapIn(object.metadata)?.annotations);
  const text = annotations?.[LAST_APPLIED];
  return typeof text === "string" && text !== "" ? text : undefined;
}

function configText(patch: Json): string {
  const metadata = mapIn(patch.metadata) ?? {};
  const annotations = mapIn(metadata.annotations);
  if (!annotations) return `${sortedJson(patch)}\n`;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  return `${sortedJson({ ...patch, metadata: { ...metadata, annotations: others } })}\n`;
}

/** With sorted keys and HTML escapes, as Go writes maps. */
function sortedJson(value: Json): string {
  const text = JSON.stringify(value, (_, field: unknown) => {
    if (!isMap(field)) return field;
    return Object.fromEntries(Object.entries(field).sort(([a], [b]) => compareText(a, b)));
  });
  return text.replace(
    /[<>&\u2028\u2029]/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // As if there were none.
  }
}
