import type { ApiObject } from "./api-object.ts";
import { ageOf } from "./table-age.ts";
import type { CellFunction } from "./table-cells.ts";
import { numberAt, type Part, partAt, partsAt, textAt, textsAt } from "./table-fields.ts";

/** Kinds of the core group, without pods and services. */
export const CORE_CELLS: Readonly<Record<string, CellFunction>> = {
  "/Namespace": (object, { nowMs }) => [
    name(object),
    textAt(object, "status.phase"),
    age(object, nowMs),
  ],
  "/ConfigMap": (object, { nowMs }) => [
    name(object),
    size(partAt(object, "data")) + size(partAt(object, "binaryData")),
    age(object, nowMs),
  ],
  "/Secret": (object, { nowMs }) => [
    name(object),
    textAt(object, "type"),
    size(partAt(object, "data")),
    age(object, nowMs),
  ],
  "/ServiceAccount": (object, { nowMs }) => [name(object), age(object, nowMs)],
  "/Node": nodeCells,
  "/PersistentVolumeClaim": claimCells,
  "/Event": eventCells,
  "events.k8s.io/Event": eventCells,
};

/** "" in a bookmark, which has none. */
export function name({ metadata }: ApiObject): string {
  return metadata.name ?? "";
}

export function age({ metadata }: ApiObject, nowMs: number): string {
  return ageOf(metadata.creationTimestamp, nowMs);
}

export function madeAt({ metadata }: ApiObject): string {
  return metadata.creationTimestamp ?? "0001-01-01T00:00:00Z";
}

function size(part: Part | undefined): number {
  return part ? Object.keys(part).length : 0;
}

function nodeCells(...[object, { nowMs }]: Parameters<CellFunction>): ReturnType<CellFunction> {
  const info = partAt(object, "status.nodeInfo") ?? {};
  const architecture = textAt(info, "architecture");
  return [
    name(object),
    nodeStatus(object),
    nodeRoles(object) || "<none>",
    age(object, nowMs),
    textAt(info, "kubeletVersion"),
    nodeAddress(object, "InternalIP"),
    nodeAddress(object, "ExternalIP"),
    textAt(info, "osImage", "<unknown>"),
    textAt(info, "kernelVersion", "<unknown>") + (architecture && ` (${architecture})`),
    textAt(info, "containerRuntimeVersion", "<unknown>"),
  ];
}

function nodeStatus(node: ApiObject): string {
  const ready = partsAt(node, "status.conditions").findLast((each) => each.type === "Ready");
  const status = ready ? (ready.status === "True" ? "Ready" : "NotReady") : "Unknown";
  return textAt(node, "spec.unschedulable") === "true" ? `${status},SchedulingDisabled` : status;
}

function nodeRoles({ metadata }: ApiObject): string {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key === "kubernetes.io/role") return value === "" ? [] : [value];
    const role = /^node-role\.kubernetes\.io\/(.+)$/.exec(key)?.[1];
    return role === undefined ? [] : [role];
  });
  return [...new Set(roles)].sort().join(",");
}

function nodeAddress(node: ApiObject, type: string): string {
  const found = partsAt(node, "status.addresses").find((each) => each.type === type);
  return found ? textAt(found, "address") : "<none>";
}

function claimCells(...[object, { nowMs }]: Parameters<CellFunction>): ReturnType<CellFunction> {
  const volume = textAt(object, "spec.volumeName");
  const deleted = object.metadata.deletionTimestamp !== undefined;
  const beta = object.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"];
  return [
    name(object),
    deleted ? "Terminating" : textAt(object, "status.phase"),
    volume,
    volume && textAt(object, "status.capacity.storage", "0"),
    volume && accessModes(textsAt(object, "status.accessModes")),
    beta ?? textAt(object, "spec.storageClassName"),
    textAt(object, "spec.volumeAttributesClassName", "<unset>"),
    age(object, nowMs),
    textAt(object, "spec.volumeMode", "<unset>"),
  ];
}

const ACCESS_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

function accessModes(modes: readonly string[]): string {
  const shown = Object.entries(ACCESS_MODES).filter(([mode]) => modes.includes(mode));
  return shown.map(([, short]) => short).join(",");
}

/** Of both groups: they name the same fields differently. */
function eventCells(...[object, { nowMs }]: Parameters<CellFunction>): ReturnType<CellFunction> {
  const { first, last, count } = eventTimes(object, nowMs);
  const regards = partAt(object, "involvedObject") ?? partAt(object, "regarding") ?? {};
  const kind = textAt(regards, "kind").toLowerCase();
  const named = textAt(regards, "name");
  return [
    last,
    textAt(object, "type"),
    textAt(object, "reason"),
    named === "" ? kind : `${kind}/${named}`,
    textAt(regards, "fieldPath"),
    eventSource(object),
    (textAt(object, "message") || textAt(object, "note")).trim(),
    first,
    count,
    name(object),
  ];
}

function eventTimes(event: ApiObject, nowMs: number) {
  const since = (...paths: readonly string[]) =>
    ageOf(
      paths.map((path) => textAt(event, path)).find((text) => text !== ""),
      nowMs,
    );
  const first = since("firstTimestamp", "deprecatedFirstTimestamp", "eventTime");
  const last = since("lastTimestamp", "deprecatedLastTimestamp");
  if (partAt(event, "series")) {
    return {
      first,
      last: since("series.lastObservedTime"),
      count: numberAt(event, "series.count"),
    };
  }
  const count = numberAt(event, "count") || numberAt(event, "deprecatedCount") || 1;
  return { first, last: last === "<unknown>" ? first : last, count };
}

function eventSource(event: ApiObject): string {
  const source = partAt(event, "source") ?? partAt(event, "deprecatedSource") ?? {};
  const component =
    textAt(source, "component") ||
    textAt(event, "reportingComponent") ||
    textAt(event, "reportingController");
  const instance = textAt(source, "host") || textAt(event, "reportingInstance");
  return instance === "" ? component : `${component}, ${instance}`;
}
