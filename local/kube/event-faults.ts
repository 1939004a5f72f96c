import type { FieldError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { isMissing, qualifiedName } from "./built-in-names.ts";
import { isPart, type Part, textOf } from "./built-in-visit.ts";
import { eventInForm } from "./event-forms.ts";
import { sameJson } from "./fields-equal.ts";
import { goJson, invalid, required } from "./schema-errors.ts";

const NEW_GROUP = "events.k8s.io/v1";
const SHORT_CHARACTERS = 128;
const NOTE_CHARACTERS = 1024;

/** The faults of an Event of either group; the API server names fields as in the core group. */
export function eventFaults(event: Part): FieldError[] {
  const isNew = event.apiVersion === NEW_GROUP;
  const core = eventInForm(event as unknown as ApiObject, "v1") as unknown as Part;
  const faults = isMissing(core.eventTime)
    ? namespaceFaults(core, ["default"])
    : [...namespaceFaults(core, ["default", "kube-system"]), ...reportFaults(core, isNew)];
  if (!isNew) return faults;
  const { resourceVersion } = isPart(core.metadata) ? core.metadata : {};
  return [...faults, ...seriesFaults(core), ...(resourceVersion ? [] : createFaults(core))];
}

/** Fields that an update of an Event by its newer group may not change, as the core group names them. */
const FIXED = [
  "involvedObject",
  "reason",
  "message",
  "source",
  "firstTimestamp",
  "lastTimestamp",
  "count",
  "type",
  "eventTime",
  "action",
  "related",
  "reportingComponent",
  "reportingInstance",
];

/** What an update by the newer group may not change: all but the series. */
export function eventUpdateFaults(event: ApiObject, before: ApiObject): FieldError[] {
  if (event.apiVersion !== NEW_GROUP) return [];
  const [is, was] = [eventInForm(event, "v1"), eventInForm(before, "v1")];
  return FIXED.filter((key) => !sameJson(is[key] ?? null, was[key] ?? null)).map((key) => ({
    field: key === "reportingComponent" ? "reportingController" : key,
    reason: "FieldValueInvalid",
    message: `Invalid value: ${goJson(is[key] ?? null)}: field is immutable`,
  }));
}

function namespaceFaults(
  { involvedObject, metadata }: Part,
  withoutOwn: readonly string[],
): FieldError[] {
  const { namespace: involved = "" } = isPart(involvedObject) ? involvedObject : {};
  const { namespace: own = "" } = isPart(metadata) ? metadata : {};
  const free = involved === "" && (own === "" || withoutOwn.includes(String(own)));
  if (free || involved === own) return [];
  return [invalid("involvedObject.namespace", involved, "does not match event.namespace")];
}

function reportFaults(core: Part, isNew: boolean): FieldError[] {
  const controller = isNew ? "reportingController" : "reportingComponent";
  const name = textOf(core.reportingComponent);
  return [
    ...(name === "" ? [required(controller)] : []),
    ...qualifiedName(name).map((why) => invalid(controller, name, why)),
    ...textFaults(core, "reportingInstance"),
    ...textFaults(core, "action"),
    ...textFaults(core, "reason"),
    ...longFaults(core, "message", NOTE_CHARACTERS),
  ];
}

function textFaults(core: Part, key: string): FieldError[] {
  return isMissing(core[key]) ? [required(key)] : longFaults(core, key, SHORT_CHARACTERS);
}

function longFaults(core: Part, key: string, most: number): FieldError[] {
  if (Buffer.byteLength(textOf(core[key])) <= most) return [];
  return [invalid(key, "", `can have at most ${most} characters`)];
}

function seriesFaults({ series }: Part): FieldError[] {
  if (!isPart(series)) return [];
  return [
    ...(Number(series.count ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(isMissing(series.lastObservedTime) ? [required("series.lastObservedTime")] : []),
  ];
}

function createFaults(core: Part): FieldError[] {
  const { eventTime, type = "" } = core;
  const { component, host } = isPart(core.source) ? core.source : {};
  const set = ["firstTimestamp", "lastTimestamp", "count"].filter((key) => core[key]);
  const known = type === "Normal" || type === "Warning";
  return [
    ...(isMissing(eventTime) ? [required("eventTime")] : []),
    ...(known ? [] : [invalid("type", "", `has invalid value: ${String(type)}`)]),
    ...[...set, ...(component || host ? ["source"] : [])].map((key) =>
      invalid(key, "", "needs to be unset"),
    ),
  ];
}
