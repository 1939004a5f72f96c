import type { FieldError } from "./api-error.ts";
import { partsIn } from "./built-in-default.ts";
import {
  isMissing,
  notNegative,
  oneOf,
  optionalText,
  percent,
  requiredText,
} from "./built-in-names.ts";
import { scheduleFault } from "./built-in-schedule.ts";
import type { PartRules } from "./built-in-validation.ts";
import { INVALID_SELECTOR, labelFaults } from "./built-in-validation-metadata.ts";
import { isPart, type Part } from "./built-in-visit.ts";
import { forbidden, invalid, notSupported, required } from "./schema-errors.ts";

export const appsRules: PartRules = {
  "apps.v1.DeploymentSpec": (spec, path) => [
    ...numberFaults(spec, path, ["replicas"]),
    ...selectorFaults(spec, path, "deployment"),
    ...templateFaults(spec, path),
    ...strategyFaults(spec.strategy, `${path}.strategy`),
    ...numberFaults(spec, path, ["minReadySeconds", "revisionHistoryLimit"]),
    ...deadlineFaults(spec, path),
  ],
  "apps.v1.ReplicaSetSpec": (spec, path) => [
    ...numberFaults(spec, path, ["replicas", "minReadySeconds"]),
    ...selectorFaults(spec, path, "deployment"),
    ...templateFaults(spec, path),
  ],
  "apps.v1.DaemonSetSpec": (spec, path) => [
    ...(spec.selector === undefined
      ? mismatch(spec, path)
      : selectorFaults(spec, path, "daemonset")),
    ...templateFaults(spec, path),
    ...numberFaults(spec, path, ["minReadySeconds", "revisionHistoryLimit"]),
  ],
  "apps.v1.StatefulSetSpec": statefulSetFaults,
  "batch.v1.JobSpec": (spec, path) => [
    ...numberFaults(spec, path, JOB_NUMBERS),
    ...oneOf(`${path}.completionMode`, spec.completionMode, ["NonIndexed", "Indexed"]),
    ...jobPolicyFaults(spec, path),
  ],
  "batch.v1.CronJobSpec": (spec, path) => [
    ...requiredText(`${path}.schedule`, spec.schedule, (text) => scheduleFault(text)),
    ...optionalText(`${path}.timeZone`, spec.timeZone, timeZone),
    ...numberFaults(spec, path, ["startingDeadlineSeconds"]),
    ...oneOf(`${path}.concurrencyPolicy`, spec.concurrencyPolicy, ["Allow", "Forbid", "Replace"]),
    ...numberFaults(spec, path, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"]),
  ],
};

const JOB_NUMBERS = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
];
/** Zones are those that this Node knows. */
function timeZone(name: string): readonly string[] {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return [];
  } catch {
    return [`unknown time zone ${name}`];
  }
}

function numberFaults(spec: Part, path: string, keys: readonly string[]): FieldError[] {
  return keys.flatMap((key) => notNegative(`${path}.${key}`, spec[key]));
}

/** The selector is there, selects something, and selects the template. */
function selectorFaults(spec: Part, path: string, kind: string): FieldError[] {
  const { selector } = spec;
  const field = `${path}.selector`;
  if (!isPart(selector)) return [required(field), ...mismatch(spec, path)];
  const labels = isPart(selector.matchLabels) ? Object.keys(selector.matchLabels) : [];
  const rules = partsIn(selector, "matchExpressions");
  if (labels.length === 0 && rules.length === 0) {
    return [invalid(field, selector, `empty selector is invalid for ${kind}`)];
  }
  const wrong = labelFaults(selector.matchLabels, field).length > 0 || !rules.every(isReadable);
  if (wrong) return [invalid(field, selector, INVALID_SELECTOR)];
  return matches(selector, labelsOf(spec)) ? [] : mismatch(spec, path);
}

function mismatch(spec: Part, path: string): FieldError[] {
  const labels = labelsOf(spec);
  const shown = Object.keys(labels).length === 0 ? null : labels;
  const detail = "`selector` does not match template `labels`";
  return [invalid(`${path}.template.metadata.labels`, shown, detail)];
}

function labelsOf({ template }: Part): Part {
  const metadata = isPart(template) ? template.metadata : undefined;
  return isPart(metadata) && isPart(metadata.labels) ? metadata.labels : {};
}

function isReadable({ operator, values }: Part): boolean {
  const count = Array.isArray(values) ? values.length : 0;
  if (operator === "In" || operator === "NotIn") return count > 0;
  return (operator === "Exists" || operator === "DoesNotExist") && count === 0;
}

function matches(selector: Part, labels: Part): boolean {
  const wanted = isPart(selector.matchLabels) ? Object.entries(selector.matchLabels) : [];
  const rules = partsIn(selector, "matchExpressions");
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    rules.every(({ key, operator, values }) => {
      const value = labels[String(key)];
      const listed = Array.isArray(values) && values.includes(value);
      if (operator === "In") return listed;
      if (operator === "NotIn") return !listed;
      return (operator === "Exists") === (value !== undefined);
    })
  );
}

/** Pods of workloads are always restarted, and never end by themselves. */
function templateFaults({ template }: Part, path: string): FieldError[] {
  const spec = isPart(template) && isPart(template.spec) ? template.spec : {};
  const at = `${path}.template.spec`;
  const faults: FieldError[] = [];
  const { restartPolicy, activeDeadlineSeconds } = spec;
  if (restartPolicy === "OnFailure" || restartPolicy === "Never") {
    faults.push(notSupported(`${at}.restartPolicy`, restartPolicy, ["Always"]));
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = "activeDeadlineSeconds in ReplicaSet is not Supported";
    faults.push(forbidden(`${at}.activeDeadlineSeconds`, detail));
  }
  return faults;
}

function strategyFaults(strategy: unknown, path: string): FieldError[] {
  if (!isPart(strategy)) return [];
  const { type, rollingUpdate } = strategy;
  if (type === "Recreate") {
    if (rollingUpdate === undefined) return [];
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return [forbidden(`${path}.rollingUpdate`, detail)];
  }
  if (type !== "RollingUpdate") {
    // Go's names of the fields, in its order.
    const shown = JSON.stringify({ Type: type, RollingUpdate: null });
    const supported = 'supported values: "Recreate", "RollingUpdate"';
    const message = `Unsupported value: ${shown}: ${supported}`;
    return [{ reason: "FieldValueNotSupported", message, field: path }];
  }
  return isPart(rollingUpdate) ? rollingFaults(rollingUpdate, `${path}.rollingUpdate`) : [];
}

function rollingFaults({ maxUnavailable, maxSurge }: Part, path: string): FieldError[] {
  const faults = [
    ...amountFaults(`${path}.maxUnavailable`, maxUnavailable),
    ...amountFaults(`${path}.maxSurge`, maxSurge),
  ];
  if (isNothing(maxUnavailable) && isNothing(maxSurge)) {
    const detail = "may not be 0 when `maxSurge` is 0";
    faults.push(invalid(`${path}.maxUnavailable`, maxUnavailable, detail));
  }
  const over = typeof maxUnavailable === "string" && Number.parseInt(maxUnavailable, 10) > 100;
  if (over) {
    faults.push(invalid(`${path}.maxUnavailable`, maxUnavailable, "must not be greater than 100%"));
  }
  return faults;
}

function isNothing(value: unknown): boolean {
  return value === 0 || (typeof value === "string" && /^0+%$/.test(value));
}

/** A number that is not negative, or a percentage. */
export function amountFaults(field: string, value: unknown): FieldError[] {
  if (typeof value !== "string") return notNegative(field, value);
  return percent(value).map((why) => invalid(field, value, why));
}

function deadlineFaults(spec: Part, path: string): FieldError[] {
  const { progressDeadlineSeconds: deadline, minReadySeconds: ready = 0 } = spec;
  const field = `${path}.progressDeadlineSeconds`;
  if (typeof deadline !== "number" || deadline > Number(ready)) return notNegative(field, deadline);
  return [
    ...notNegative(field, deadline),
    invalid(field, deadline, "must be greater than minReadySeconds"),
  ];
}

function statefulSetFaults(spec: Part, path: string): FieldError[] {
  const faults: FieldError[] = [];
  const { podManagementPolicy: policy, updateStrategy: strategy } = spec;
  if (!isMissing(policy) && policy !== "OrderedReady" && policy !== "Parallel") {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    faults.push(invalid(`${path}.podManagementPolicy`, policy, detail));
  }
  const { type } = isPart(strategy) ? strategy : {};
  if (!isMissing(type) && type !== "RollingUpdate" && type !== "OnDelete") {
    const shown = JSON.stringify({ Type: type, RollingUpdate: null });
    const message = `Invalid value: ${shown}: must be 'RollingUpdate' or 'OnDelete'`;
    faults.push({ reason: "FieldValueInvalid", message, field: `${path}.updateStrategy` });
  }
  return [
    ...faults,
    ...numberFaults(spec, path, ["replicas", "minReadySeconds"]),
    ...selectorFaults(spec, path, "statefulset"),
    ...templateFaults(spec, path),
  ];
}

function jobPolicyFaults({ template }: Part, path: string): FieldError[] {
  const spec = isPart(template) && isPart(template.spec) ? template.spec : {};
  if (spec.restartPolicy === "OnFailure" || spec.restartPolicy === "Never") return [];
  const field = `${path}.template.spec.restartPolicy`;
  if (spec.restartPolicy !== "Always" && !isMissing(spec.restartPolicy)) return [];
  return [required(field, 'valid values: "OnFailure", "Never"')];
}
