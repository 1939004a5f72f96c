import type { ManagedFieldsEntry } from "./api-object.ts";
import { compareText } from "./fields-element.ts";
import { decodeSet, encodeSet } from "./fields-json.ts";
import { type FieldSet, isEmptySet, union } from "./fields-set.ts";
import { isFrozen } from "./frozen.ts";

/** What one manager owns. Apply entries of a manager are one, whatever their version. */
export interface ManagedSet {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly subresource: string;
  readonly apiVersion: string;
  readonly set: FieldSet;
  readonly time?: string | undefined;
}

/** By `managerId`. */
export type Managers = ReadonlyMap<string, ManagedSet>;

/** More managers of updates than this are merged, the oldest first. */
const MAX_UPDATE_MANAGERS = 10;

/** Text that tells managers apart; lists of managers in messages are in its order. */
export function managerId(
  entry: Pick<ManagedSet, "manager" | "operation" | "subresource" | "apiVersion">,
): string {
  const { manager, operation, apiVersion, subresource } = entry;
  return JSON.stringify({
    manager: manager || undefined,
    operation,
    apiVersion: operation === "Apply" ? undefined : apiVersion,
    subresource: subresource || undefined,
  });
}

/** Reads metadata.managedFields. Throws on entries that cannot be read. */
export function decodeManagers(entries: unknown): Map<string, ManagedSet> {
  const managers = new Map<string, ManagedSet>();
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const decoded = decodeEntry(entry ?? {}, index);
    if (entry && isFrozen(entry)) stored.set(decoded, entry);
    managers.set(managerId(decoded), decoded);
  }
  return managers;
}

/** As metadata.managedFields: Apply before Update, then by time, name, version and subresource. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()].sort(compareEntries).map(encodeEntry);
}

/** Whether the list tells the server to forget all managers: [] and [{}] do. */
export function isReset(entries: unknown): boolean {
  if (!Array.isArray(entries)) return false;
  if (entries.length !== 1) return entries.length === 0;
  return Object.keys(entries[0] ?? {}).length === 0;
}

/** Without the managers that own nothing. */
export function withoutEmpty(managers: Managers): Map<string, ManagedSet> {
  return new Map([...managers].filter(([, { set }]) => !isEmptySet(set)));
}

/**
 * At most 10 managers of updates: the oldest ones of a version become "ancient-changes".
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/util/managedfields/internal/capmanagers.go
 */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  let excess = updaters.length - MAX_UPDATE_MANAGERS;
  if (excess <= 0) return managers;
  updaters.sort(([idOfA, a], [idOfB, b]) => compareTimes(a, b) || compareText(idOfA, idOfB));
  const capped = new Map(managers);
  const first = new Map<string, string>();
  for (const [id, entry] of updaters) {
    if (excess <= 0) break;
    const firstId = first.get(entry.apiVersion);
    if (firstId === undefined) {
      first.set(entry.apiVersion, id);
      continue;
    }
    intoBucket(capped, { firstId, id, entry });
    excess--;
  }
  return capped;
}

function intoBucket(
  managers: Map<string, ManagedSet>,
  { firstId, id, entry }: { firstId: string; id: string; entry: ManagedSet },
): void {
  const bucket = { ...entry, manager: "ancient-changes", subresource: "" };
  const bucketId = managerId(bucket);
  const known = managers.get(bucketId) ?? managers.get(firstId);
  managers.delete(managers.has(bucketId) ? id : firstId);
  managers.delete(id);
  managers.set(bucketId, { ...bucket, set: known ? union(entry.set, known.set) : entry.set });
}

function decodeEntry(entry: Record<string, unknown>, index: number): ManagedSet {
  const { operation, apiVersion, fieldsType, manager, subresource, time } = entry;
  if (operation !== "Apply" && operation !== "Update") {
    throw new Error("operation must be `Apply` or `Update`");
  }
  if (typeof apiVersion !== "string" || apiVersion === "") {
    throw new Error("apiVersion must not be empty");
  }
  if (!fieldsType) throw new Error(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1") {
    throw new Error(
      `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`,
    );
  }
  return {
    manager: typeof manager === "string" ? manager : "",
    operation,
    subresource: typeof subresource === "string" ? subresource : "",
    apiVersion,
    set: decodeSet(entry.fieldsV1 ?? {}),
    time: typeof time === "string" ? time : undefined,
  };
}

/** What was read from a stored object, and its text there; safe to lose. */
const stored = new WeakMap<ManagedSet, ManagedFieldsEntry>();

function encodeEntry(entry: ManagedSet): ManagedFieldsEntry {
  const known = stored.get(entry);
  if (known) return known;
  const { manager, operation, apiVersion, time, subresource } = entry;
  return {
    ...(manager && { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: encodeSet(entry.set),
    ...(subresource ? { subresource } : {}),
  };
}

function compareEntries(a: ManagedSet, b: ManagedSet): number {
  return (
    compareText(a.operation, b.operation) ||
    compareTimes(a, b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

function compareTimes(a: ManagedSet, b: ManagedSet): number {
  return seconds(a.time) - seconds(b.time);
}

function seconds(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000) || 0;
}
