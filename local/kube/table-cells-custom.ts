import type { ApiObject } from "./api-object.ts";
import { findAll } from "./json-path.ts";
import type { PrinterColumn } from "./served-resource.ts";
import type { TableCell } from "./table.ts";
import { ageOf } from "./table-age.ts";
import { scalarText } from "./table-fields.ts";

/** The cells of a custom resource: its name, and what its definition's columns point at. */
export function customCells(
  object: ApiObject,
  columns: readonly PrinterColumn[],
  nowMs: number,
): readonly TableCell[] {
  const [, ...others] = columns;
  return [object.metadata.name ?? "", ...others.map((column) => cellOf(object, column, nowMs))];
}

function cellOf(object: ApiObject, column: PrinterColumn, nowMs: number): TableCell {
  const value = pointedAt(object, column.jsonPath);
  if (value === null && column.type === "string") return "<no value>";
  if (value === undefined || value === null) return null;
  switch (column.type) {
    case "string":
      return typeof value === "object" ? sortedJson(value) : scalarText(value);
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, nowMs) : null;
    default:
      return null;
  }
}

/** The first one; a path that fails on this object is an empty cell, as in the API server. */
function pointedAt(object: ApiObject, jsonPath: string): unknown {
  try {
    return findAll(jsonPath, object)[0];
  } catch {
    return undefined;
  }
}

/** As Go writes JSON: with sorted keys, and escaped for HTML. */
function sortedJson(value: unknown): string {
  const json = JSON.stringify(sorted(value));
  return json.replaceAll(/[<>&\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
