import type { Change, Cluster, ModelObject, ModelState, Name, Objects } from "./state.ts";

/** The state after an object was written or removed, with the changes that watches will tell. */
export function withObject(
  state: ModelState,
  name: Name,
  write: { content?: string; status?: string; gone?: boolean },
): ModelState {
  const { cluster } = state;
  const before = cluster.objects[name];
  if (before && !write.gone && unchanged(before, write)) return state;
  const version = cluster.version + 1;
  const { [name]: _, ...others } = cluster.objects;
  if (write.gone) {
    if (!before) return state;
    const deleted = { name, object: { ...before, version }, deleted: true };
    return changed(state, { ...cluster, version, objects: ordered(others) }, deleted);
  }
  const { content = before?.content ?? "a", status = before?.status ?? "" } = write;
  const object: ModelObject = { uid: before?.uid ?? version, version, content, status };
  const objects = ordered({ ...others, [name]: object });
  return changed(state, { ...cluster, version, objects }, { name, object, deleted: false });
}

/** What a run decides to make of what it saw. */
export function wanted(acts: "observes" | "applies" | "patches", seen: Objects): string {
  if (!seen.primary) return "gone";
  if (acts !== "observes") return seen.primary.content;
  return `${seen.primary.content}/${seen.secondary?.content ?? "-"}`;
}

/** The other of the two contents. */
export function flipped(content: string): string {
  return content === "a" ? "b" : "a";
}

function unchanged(before: ModelObject, write: { content?: string; status?: string }): boolean {
  const { content = before.content, status = before.status } = write;
  return before.content === content && before.status === status;
}

function changed(state: ModelState, cluster: Cluster, change: Change): ModelState {
  const watchers = state.watchers.map((watcher) =>
    watcher.up ? { ...watcher, feed: [...watcher.feed, change] } : watcher,
  );
  return { ...state, cluster, watchers };
}

function ordered({ primary, secondary }: Objects): Objects {
  return { ...(primary && { primary }), ...(secondary && { secondary }) };
}
