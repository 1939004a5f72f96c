import type { ApiObject } from "./api-object.ts";
import type { CellFunction } from "./table-cells.ts";
import { age, name } from "./table-cells-core.ts";
import { numberAt, type Part, partAt, partsAt, textAt, valueAt } from "./table-fields.ts";

/** Of both versions: autoscaling/v1 knows only the processor. */
export const autoscalerCells: CellFunction = (object, { nowMs }) => [
  name(object),
  `${textAt(object, "spec.scaleTargetRef.kind")}/${textAt(object, "spec.scaleTargetRef.name")}`,
  targets(object),
  textAt(object, "spec.minReplicas", "<unset>"),
  numberAt(object, "spec.maxReplicas"),
  numberAt(object, "status.currentReplicas"),
  age(object, nowMs),
];

function targets(object: ApiObject): string {
  const texts = [...cpuTarget(object), ...metricTargets(object)];
  if (texts.length === 0) return "<none>";
  const shown = texts.slice(0, 2).join(", ");
  return texts.length > 2 ? `${shown} + ${texts.length - 2} more...` : shown;
}

function cpuTarget(object: ApiObject): string[] {
  const target = textAt(object, "spec.targetCPUUtilizationPercentage");
  if (target === "") return [];
  const current = textAt(object, "status.currentCPUUtilizationPercentage");
  return [`cpu: ${current === "" ? UNKNOWN : `${current}%`}/${target}%`];
}

const UNKNOWN = "<unknown>";

function metricTargets(object: ApiObject): string[] {
  const current = partsAt(object, "status.currentMetrics");
  return partsAt(object, "spec.metrics").map((metric, at) => metricText(metric, current[at] ?? {}));
}

const FIELDS: Readonly<Record<string, string>> = {
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
  ContainerResource: "containerResource",
};

function metricText(metric: Part, status: Part): string {
  const type = textAt(metric, "type");
  const field = FIELDS[type];
  if (field === undefined) return "<unknown type>";
  const target = partAt(metric, `${field}.target`) ?? {};
  const current = partAt(status, `${field}.current`) ?? {};
  const average = `${textAt(current, "averageValue", UNKNOWN)}/${textAt(target, "averageValue")}`;
  const averages = valueAt(target, "averageValue") !== undefined;
  if (type === "Pods") return average;
  if (type === "Resource" || type === "ContainerResource") {
    const text = averages ? average : utilization(target, current);
    return `${textAt(metric, `${field}.name`)}: ${text}`;
  }
  if (averages) return `${average} (avg)`;
  return `${textAt(current, "value", UNKNOWN)}/${textAt(target, "value")}`;
}

function utilization(target: Part, current: Part): string {
  const text = (part: Part, absent: string) => {
    const value = textAt(part, "averageUtilization");
    return value === "" ? absent : `${value}%`;
  };
  return `${text(current, UNKNOWN)}/${text(target, "<auto>")}`;
}
