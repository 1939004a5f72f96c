import type { ApiObject } from "./api-object.ts";
import type { StoreEvent } from "./store.ts";

/** What a watch tells of a write. */
export interface WatchChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: ApiObject;
}

/**
 * A write as it looks to a watch on some of the objects: one that begins to be selected is ADDED,
 * one that no longer is, is DELETED. Undefined where the watch is not concerned.
 */
export function watchChange(
  event: StoreEvent,
  selects: (object: ApiObject) => boolean,
): WatchChange | undefined {
  const { type, object, before } = event;
  const now = type !== "DELETED" && selects(object);
  const then = before !== undefined && selects(before);
  if (now) return { type: then ? "MODIFIED" : "ADDED", object };
  if (!then) return undefined;
  return { type: "DELETED", object: type === "DELETED" ? object : leaving(event, before) };
}

/** The same object for all watches, so that its JSON is made once. */
const left = new WeakMap<StoreEvent, ApiObject>();

/** The last state that was selected, with the version of the write that ended it. */
function leaving(event: StoreEvent, before: ApiObject): ApiObject {
  const known = left.get(event);
  if (known) return known;
  const metadata = { ...before.metadata, resourceVersion: String(event.version) };
  const object = { ...before, metadata };
  left.set(event, object);
  return object;
}
