import type { ApiObject } from "./api-object.ts";
import { timeText } from "./metadata-rules.ts";

export interface DefinitionNames {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface DefinitionSpec {
  readonly group: string;
  readonly names: DefinitionNames;
  readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
}

export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

export interface DefinitionStatus {
  readonly acceptedNames: DefinitionNames;
  readonly conditions: readonly DefinitionCondition[];
  readonly storedVersions: readonly string[];
}

/** The spec of a stored CustomResourceDefinition, which is valid. */
export function specOf({ spec }: ApiObject): DefinitionSpec {
  return spec as DefinitionSpec;
}

/** The status of a CustomResourceDefinition; what is missing is empty. */
export function statusOf({ status }: ApiObject): DefinitionStatus {
  const { acceptedNames, conditions, storedVersions } = (status ?? {}) as Partial<DefinitionStatus>;
  return {
    acceptedNames: acceptedNames ?? { plural: "", kind: "" },
    conditions: conditions ?? [],
    storedVersions: storedVersions ?? [],
  };
}

/** Whether a condition of the type is there, and true. */
export function isTrue(conditions: readonly DefinitionCondition[], type: string): boolean {
  return conditions.some((each) => each.type === type && each.status === "True");
}

/** Whether the definition is being deleted, so that no more objects can be made of it. */
export function isTerminating(definition: ApiObject): boolean {
  return isTrue(statusOf(definition).conditions, "Terminating");
}

/** A definition with a condition, whose time is kept where its status is what it was. */
export function withCondition(
  definition: ApiObject,
  condition: Omit<DefinitionCondition, "lastTransitionTime">,
  nowMs: number,
): ApiObject {
  const { conditions } = statusOf(definition);
  const { type, status } = condition;
  const before = conditions.find((each) => each.type === type);
  const same = before?.status === status ? before.lastTransitionTime : undefined;
  const made = { ...condition, lastTransitionTime: same ?? timeText(nowMs) };
  const after = before
    ? conditions.map((each) => (each === before ? made : each))
    : [...conditions, made];
  return { ...definition, status: { ...statusOf(definition), conditions: after } };
}

/** A definition whose storage version is among those in which objects may be stored. */
export function withStoredVersion(definition: ApiObject): ApiObject {
  const { storedVersions } = statusOf(definition);
  const stored = specOf(definition).versions?.find(({ storage }) => storage);
  if (!stored || storedVersions.includes(stored.name)) return definition;
  const status = { ...(definition.status as object) };
  return { ...definition, status: { ...status, storedVersions: [...storedVersions, stored.name] } };
}

/** Holds a definition until no objects of it are left. */
export const CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

/** A definition as its first deletion leaves it. */
export function markedDefinition(definition: ApiObject, nowMs: number): ApiObject {
  const { metadata } = definition;
  const { finalizers = [] } = metadata;
  const marked = {
    ...definition,
    metadata: {
      ...metadata,
      deletionTimestamp: timeText(nowMs),
      finalizers: finalizers.includes(CLEANUP) ? finalizers : [...finalizers, CLEANUP],
    },
  };
  return terminating(
    marked,
    "InstanceDeletionPending",
    "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    nowMs,
  );
}

/** A definition whose objects are being deleted. */
export function terminating(
  definition: ApiObject,
  reason: string,
  message: string,
  nowMs: number,
): ApiObject {
  return withCondition(definition, { type: "Terminating", status: "True", reason, message }, nowMs);
}
