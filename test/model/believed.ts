import type { ObjectRecord } from "../../shared/queue/record.ts";
import type { Rules } from "./rules.ts";
import type { ModelState, ModelWatcher, Revision } from "./state.ts";
import { lockHolderLives, without } from "./steps.ts";

/** The record as a covered test takes it. Only rules that are wrong change it. */
export function believedRecord(
  { dont }: Rules,
  state: ModelState,
  record: ObjectRecord,
): ObjectRecord {
  if (dont !== "expired lock taken for a free one in the covered test") return record;
  const { runId } = record;
  const expired = runId !== undefined && !lockHolderLives(state, runId);
  return expired ? free(record) : record;
}

/** The record as if no run held it. */
export function free(record: ObjectRecord): ObjectRecord {
  return without(record, "runId");
}

/** The revision that a covered test asks for. Rules that are wrong take any. */
export function revisionFor(
  { dont }: Rules,
  { knows }: ModelWatcher,
  record: ObjectRecord,
): Revision {
  const any = dont === "revision left out of the covered test";
  return any && record.revision !== undefined ? (record.revision as Revision) : knows;
}
