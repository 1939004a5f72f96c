import type { Condition } from "../api/condition.ts";
import { canonicalJson } from "../api/predicate.ts";

/** What the framework fills in. */
export interface Fill {
  /** Conditions of ours that stay as they are, beside those returned. */
  readonly kept: readonly Partial<Condition>[];
  /** Of the object that the run decided on; undefined where the kind has none. */
  readonly generation: number | undefined;
  readonly nowMs: number;
  /** Where the schema has `observedGeneration`, as far as is known. */
  readonly observedGeneration: { readonly status: boolean; readonly conditions: boolean };
}

/**
 * The status to write: what the reconciler returned, with `observedGeneration` and the times of its
 * conditions filled in. A condition that stands there with the same `status` keeps its time, so
 * that saying the same again changes nothing.
 */
export function fillStatus(returned: object, live: object | undefined, fill: Fill): object {
  const { conditions, ...rest } = returned as { conditions?: readonly Partial<Condition>[] };
  const { generation, observedGeneration } = fill;
  return {
    ...rest,
    ...(generation !== undefined &&
      observedGeneration.status && { observedGeneration: generation }),
    ...((Array.isArray(conditions) || fill.kept.length > 0) && {
      conditions: [
        ...fill.kept,
        ...(conditions ?? []).map((condition) =>
          fillCondition(condition, conditionsOf(live), fill),
        ),
      ],
    }),
  };
}

/** The conditions of a status, whatever it looks like. */
export function conditionsOf(status: object | undefined): readonly Partial<Condition>[] {
  const { conditions } = (status ?? {}) as { conditions?: unknown };
  return Array.isArray(conditions) ? conditions : [];
}

/**
 * Whether the live status holds every value of the wanted one. Lists compare as a whole, but
 * conditions by their type: other managers' conditions may stand beside ours.
 */
export function holds(live: object | undefined, wanted: object): boolean {
  const values = (live ?? {}) as Record<string, unknown>;
  return Object.entries(wanted).every(([field, value]) =>
    field === "conditions"
      ? (value as Partial<Condition>[]).every((condition) => holdsCondition(live, condition))
      : canonicalJson(values[field]) === canonicalJson(value),
  );
}

function holdsCondition(live: object | undefined, wanted: Partial<Condition>): boolean {
  const found = conditionsOf(live).find(({ type }) => type === wanted.type);
  return found !== undefined && canonicalJson(found) === canonicalJson(wanted);
}

function fillCondition(
  returned: Partial<Condition>,
  live: readonly Partial<Condition>[],
  { generation, nowMs, observedGeneration }: Fill,
): object {
  const { type, status, reason, message = "", ...rest } = returned;
  const before = live.find((condition) => condition.type === type);
  const kept = before?.status === status ? before?.lastTransitionTime : undefined;
  return {
    ...rest,
    type,
    status,
    reason,
    message,
    // metav1.Time has whole seconds.
    lastTransitionTime: kept ?? `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    ...(generation !== undefined &&
      observedGeneration.conditions && { observedGeneration: generation }),
  };
}
