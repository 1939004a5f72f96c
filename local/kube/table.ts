import type { ApiObject } from "./api-object.ts";
import type { IncludeObject } from "./list-format.ts";
import type { ListedObjects } from "./list-objects.ts";
import { partialMetadata } from "./partial-metadata.ts";
import type { PrinterColumn, ServedResource } from "./served-resource.ts";
import { cellsOf } from "./table-cells.ts";
import { numberAt } from "./table-fields.ts";

export type TableCell = string | number | boolean | null;

export interface TableRow {
  readonly cells: readonly TableCell[];
  readonly conditions?: readonly object[];
  readonly object: object | null;
}

export interface Table {
  readonly kind: "Table";
  readonly apiVersion: string;
  readonly metadata: ListedObjects["metadata"];
  /** Null in all events of a watch but the first. */
  readonly columnDefinitions: readonly object[] | null;
  readonly rows: readonly TableRow[];
}

export interface TableOptions {
  readonly resource: ServedResource;
  /** Of meta.k8s.io: "v1" or "v1beta1". */
  readonly version: string;
  readonly includeObject: IncludeObject;
  /** Ages are counted to it. */
  readonly nowMs: number;
  /** Default true. */
  readonly columns?: boolean;
}

/** Objects as `kubectl get` shows them. */
export function tableOf({ metadata, items }: ListedObjects, options: TableOptions): Table {
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.columns === false ? null : columnsOf(options.resource),
    rows: inOrder(items, options.resource).map((object) => rowOf(object, options, items)),
  };
}

/** One object as a Table of one row. */
export function tableOfObject(object: ApiObject, options: TableOptions): Table {
  const { resourceVersion } = object.metadata;
  return tableOf({ metadata: { resourceVersion }, items: [object] }, options);
}

/** As listed; flow schemas in the order in which they are tried. */
function inOrder(items: readonly ApiObject[], { kind, custom }: ServedResource) {
  if (custom || kind !== "FlowSchema") return items;
  const precedence = (object: ApiObject) => numberAt(object, "spec.matchingPrecedence");
  return items.toSorted((one, other) => precedence(one) - precedence(other));
}

function rowOf(object: ApiObject, options: TableOptions, items: readonly ApiObject[]): TableRow {
  const { nowMs, resource } = options;
  return { ...cellsOf(object, resource, { nowMs, items }), object: shown(object, options) };
}

function shown(object: ApiObject, { includeObject, version }: TableOptions): object | null {
  if (includeObject === "Object") return object;
  const ends = object.metadata.annotations?.["k8s.io/initial-events-end"] !== undefined;
  if (includeObject === "None" && !ends) return null;
  return partialMetadata(object, version);
}

function columnsOf({ columns, custom }: ServedResource): object[] {
  return columns.map((column) => definitionOf(column, custom));
}

function definitionOf(column: PrinterColumn, custom: boolean): object {
  const { name, type, format, description, priority, jsonPath } = column;
  const pointing = `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return {
    name,
    type,
    format: format ?? "",
    description: description ?? (custom ? pointing : ""),
    priority: priority ?? 0,
  };
}
