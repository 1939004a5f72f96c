import type { ApiObject } from "./api-object.ts";
import type { ServedResource } from "./served-resource.ts";
import type { TableCell } from "./table.ts";

export interface Cells {
  readonly cells: readonly TableCell[];
  readonly conditions?: readonly object[];
}

/** The cells of an object's row, in the order of the resource's columns. */
export function cellsOf(object: ApiObject, resource: ServedResource, _nowMs: number): Cells {
  return { cells: resource.columns.map(() => object.metadata.name) };
}
