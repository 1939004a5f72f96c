import type { PrinterColumn } from "./custom-resource-definition.ts";

/** A column of `kubectl get`: `column({ name: "Host", jsonPath: ".spec.host" })`. Default type: string. */
export function column(
  given: Omit<PrinterColumn, "type"> & { readonly type?: PrinterColumn["type"] },
): PrinterColumn {
  const { name, type = "string", ...more } = given;
  return { name, type, ...more };
}

/** The status of the condition `Ready`. */
export const readyColumn: PrinterColumn = {
  name: "Ready",
  type: "string",
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
};

/** How old the object is. kubectl shows it by itself only where there are no columns. */
export const ageColumn: PrinterColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
};
