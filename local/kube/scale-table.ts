import type { ApiObject } from "./api-object.ts";
import { isMap } from "./fields-value.ts";
import { negotiate } from "./list-format.ts";
import type { RequestTarget } from "./router-target.ts";
import type { Table } from "./table.ts";
import { ageOf } from "./table-age.ts";

/** A Scale as the client asked for it: itself, or as `kubectl get --subresource=scale` shows it. */
export function scaleAnswer(
  { request, resource, query }: RequestTarget,
  scale: ApiObject,
  nowMs: number,
): object {
  const { accept } = request.headers;
  const format = negotiate({ accept, query, custom: resource.custom, list: false });
  if (format.as !== "Table") return scale;
  const { name, resourceVersion, creationTimestamp } = scale.metadata;
  const age = ageOf(creationTimestamp, nowMs);
  const cells = [name, replicasIn(scale.spec), replicasIn(scale.status), age];
  const row = { cells, object: format.includeObject === "None" ? null : scale };
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${format.version}`,
    metadata: { resourceVersion },
    columnDefinitions: COLUMNS,
    rows: [row],
  } satisfies Table;
}

const COLUMNS = [
  column("Name", "string", "name"),
  column("Desired", "integer"),
  column("Available", "integer"),
  column("Age", "string"),
];

function column(name: string, type: string, format = "") {
  return { name, type, format, description: "", priority: 0 };
}

function replicasIn(part: unknown): number {
  const replicas = isMap(part) ? part.replicas : undefined;
  return typeof replicas === "number" ? replicas : 0;
}
