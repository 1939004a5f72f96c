import type { ApiObject } from "./api-object.ts";
import { ageOf, humanDuration, timeMs } from "./table-age.ts";
import type { CellFunction } from "./table-cells.ts";
import { age, name } from "./table-cells-core.ts";
import {
  conditionTrue,
  labelSelectorText,
  labelsText,
  numberAt,
  partAt,
  partsAt,
  textAt,
} from "./table-fields.ts";

/** Kinds that run pods. */
export const WORKLOAD_CELLS: Readonly<Record<string, CellFunction>> = {
  "apps/Deployment": (object, { nowMs }) => [
    name(object),
    `${numberAt(object, "status.readyReplicas")}/${numberAt(object, "spec.replicas")}`,
    numberAt(object, "status.updatedReplicas"),
    numberAt(object, "status.availableReplicas"),
    age(object, nowMs),
    ...containers(object, "spec.template.spec"),
    labelSelectorText(partAt(object, "spec.selector")),
  ],
  "apps/ReplicaSet": (object, { nowMs }) => [
    name(object),
    numberAt(object, "spec.replicas"),
    numberAt(object, "status.replicas"),
    numberAt(object, "status.readyReplicas"),
    age(object, nowMs),
    ...containers(object, "spec.template.spec"),
    selector(object, "spec.selector"),
  ],
  "apps/StatefulSet": (object, { nowMs }) => [
    name(object),
    `${numberAt(object, "status.readyReplicas")}/${numberAt(object, "spec.replicas")}`,
    age(object, nowMs),
    ...containers(object, "spec.template.spec"),
  ],
  "apps/DaemonSet": (object, { nowMs }) => [
    name(object),
    numberAt(object, "status.desiredNumberScheduled"),
    numberAt(object, "status.currentNumberScheduled"),
    numberAt(object, "status.numberReady"),
    numberAt(object, "status.updatedNumberScheduled"),
    numberAt(object, "status.numberAvailable"),
    labelsText(partAt(object, "spec.template.spec.nodeSelector")),
    age(object, nowMs),
    ...containers(object, "spec.template.spec"),
    selector(object, "spec.selector"),
  ],
  "apps/ControllerRevision": (object, { nowMs }) => [
    name(object),
    controllerOf(object),
    numberAt(object, "revision"),
    age(object, nowMs),
  ],
  "batch/Job": (object, { nowMs }) => [
    name(object),
    jobStatus(object),
    completions(object),
    jobDuration(object, nowMs),
    age(object, nowMs),
    ...containers(object, "spec.template.spec"),
    selector(object, "spec.selector"),
  ],
  "batch/CronJob": (object, { nowMs }) => [
    name(object),
    textAt(object, "spec.schedule"),
    textAt(object, "spec.timeZone", "<none>"),
    SUSPENDED[textAt(object, "spec.suspend")] ?? "<unset>",
    partsAt(object, "status.active").length,
    lastSchedule(object, nowMs),
    age(object, nowMs),
    ...containers(object, "spec.jobTemplate.spec.template.spec"),
    selector(object, "spec.jobTemplate.spec.selector"),
  ],
};

const SUSPENDED: Readonly<Record<string, string>> = { true: "True", false: "False" };

function containers(object: ApiObject, path: string): [string, string] {
  const all = partsAt(object, `${path}.containers`);
  const texts = (field: string) => all.map((each) => textAt(each, field)).join(",");
  return [texts("name"), texts("image")];
}

function selector(object: ApiObject, path: string): string {
  return labelSelectorText(partAt(object, path)) || "<none>";
}

function controllerOf({ metadata }: ApiObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (!owner) return "<none>";
  const [group, version] = owner.apiVersion.split("/");
  const kind = version === undefined ? owner.kind : `${owner.kind}.${group}`;
  return `${kind.toLowerCase()}/${owner.name}`;
}

function jobStatus(job: ApiObject): string {
  if (conditionTrue(job, "Complete")) return "Complete";
  if (conditionTrue(job, "Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  const others = ["Suspended", "FailureTarget", "SuccessCriteriaMet"];
  return others.find((type) => conditionTrue(job, type)) ?? "Running";
}

function completions(job: ApiObject): string {
  const succeeded = numberAt(job, "status.succeeded");
  const wanted = textAt(job, "spec.completions");
  if (wanted !== "") return `${succeeded}/${wanted}`;
  const parallelism = numberAt(job, "spec.parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: ApiObject, nowMs: number): string {
  const startMs = timeMs(textAt(job, "status.startTime"));
  if (startMs === undefined) return "";
  return humanDuration((timeMs(textAt(job, "status.completionTime")) ?? nowMs) - startMs);
}

function lastSchedule(job: ApiObject, nowMs: number): string {
  const time = textAt(job, "status.lastScheduleTime");
  return time === "" ? "<none>" : ageOf(time, nowMs);
}
