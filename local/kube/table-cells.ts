import type { ApiObject } from "./api-object.ts";
import type { ServedResource } from "./served-resource.ts";
import type { TableCell } from "./table.ts";
import { autoscalerCells } from "./table-cells-autoscaler.ts";
import { CLUSTER_CELLS } from "./table-cells-cluster.ts";
import { CORE_CELLS, madeAt, name } from "./table-cells-core.ts";
import { customCells } from "./table-cells-custom.ts";
import { NETWORK_CELLS } from "./table-cells-network.ts";
import { podCells, podConditions } from "./table-cells-pod.ts";
import { WORKLOAD_CELLS } from "./table-cells-workload.ts";

/** What cells are made of beside the object. */
export interface CellContext {
  /** Ages are counted to it. */
  readonly nowMs: number;
  /** All objects of the table. */
  readonly items: readonly ApiObject[];
}

/** The cells of an object, in the order of its kind's columns. */
export type CellFunction = (object: ApiObject, context: CellContext) => readonly TableCell[];

export interface Cells {
  readonly cells: readonly TableCell[];
  /** That a pod has run to its end. */
  readonly conditions?: readonly object[];
}

/** The cells of an object's row, as `kubectl get -o wide` shows them. */
export function cellsOf(object: ApiObject, resource: ServedResource, context: CellContext): Cells {
  const { group, kind, columns } = resource;
  if (resource.custom) return { cells: customCells(object, columns, context.nowMs) };
  const conditions = group === "" && kind === "Pod" ? podConditions(object) : undefined;
  const cells = (BUILT_IN[`${group}/${kind}`] ?? plainCells)(object, context);
  return { cells, ...(conditions && { conditions }) };
}

const BUILT_IN: Readonly<Record<string, CellFunction>> = {
  ...CORE_CELLS,
  ...WORKLOAD_CELLS,
  ...NETWORK_CELLS,
  ...CLUSTER_CELLS,
  "/Pod": podCells,
  "autoscaling/HorizontalPodAutoscaler": autoscalerCells,
};

/** Kinds without columns of their own: their name, and when they were made. */
const plainCells: CellFunction = (object) => [name(object), madeAt(object)];
