import type { ObjectRecord } from "../../shared/queue/record.ts";
import type { Rules } from "./rules.ts";
import type { Budget, ModelState } from "./state.ts";

/** What happens, in words, and the state after it. */
export type Step = readonly [label: string, next: ModelState];

/** The budget after one more of these; undefined when there were enough. */
export function spent({ budget }: ModelState, what: keyof Budget): Budget | undefined {
  return budget[what] > 0 ? { ...budget, [what]: budget[what] - 1 } : undefined;
}

/** Whether the run that took a lock has an invocation that still lives. */
export function lockHolderLives({ workers }: ModelState, runId: string): boolean {
  return workers.some((worker) => worker.phase !== "idle" && runIdOf(worker) === runId);
}

export function runIdOf({ runId }: { readonly runId: number }): string {
  return `run ${runId}`;
}

/** A copy without some fields. */
export function without<T extends object, K extends keyof T>(
  value: T,
  ...keys: K[]
): Omit<T, K> & T {
  const copy = { ...value };
  for (const key of keys) delete copy[key];
  return copy;
}

/** The state after a write of the record. What it was before is kept where anything may still read that. */
export function withRecord({ dont }: Rules, state: ModelState, record: ObjectRecord): ModelState {
  const { record: before, ...rest } = without(state, "before");
  const lagging = before?.dueAt !== undefined && before.dueAt !== record.dueAt;
  const stale =
    dont === "epoch read that is not strongly consistent" ||
    dont === "epoch read before the change was seen";
  return { ...rest, record, ...(before && (lagging || stale) && { before }) };
}

/** The ids that a send may still meet: nobody sends one of an epoch that has passed. */
export function relevantWindow({ window, record, watchers }: ModelState): readonly string[] {
  const epochs = watchers.flatMap(({ forwarding, cachedRecord }) =>
    [forwarding?.record, cachedRecord].map((read) =>
      read ? read.epoch : read === null ? 0 : Infinity,
    ),
  );
  const least = Math.min(record?.epoch ?? 0, ...epochs);
  return window.filter((cause) => !(Number(cause.split("epoch ")[1]) < least));
}
