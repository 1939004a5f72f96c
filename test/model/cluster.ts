import type { Rules } from "./rules.ts";
import type { Change, Cluster, ModelObject, ModelState, Name, Objects, Revision } from "./state.ts";

/** What a write sets; the rest stays. */
type Write = Partial<Omit<ModelObject, "uid" | "version">>;

/** The state after an object was written, with the change that watches will tell. */
export function withObject(state: ModelState, name: Name, write: Write): ModelState {
  const { cluster } = state;
  const before = cluster.objects[name];
  const version = cluster.version + 1;
  const base = before ?? { uid: version, version, content: "a", status: "" };
  const object: ModelObject = { ...base, ...write, version };
  if (before && unchanged(before, write)) return state;
  const objects = ordered({ ...cluster.objects, [name]: object });
  return changed(state, { ...cluster, version, objects }, { name, object, deleted: false });
}

/** The state after an object was removed. */
export function withoutObject(state: ModelState, name: Name): ModelState {
  const { cluster } = state;
  const { [name]: before, ...others } = cluster.objects;
  if (!before) return state;
  const version = cluster.version + 1;
  const deleted = { name, object: { ...before, version }, deleted: true };
  return changed(state, { ...cluster, version, objects: ordered(others) }, deleted);
}

/** Takes the finalizer off on condition of the version; a terminating object is gone then. */
export function withoutFinalizer(state: ModelState, before: ModelObject): ModelState | undefined {
  const now = state.cluster.objects.primary;
  if (now?.uid !== before.uid || now.version !== before.version) return undefined;
  return now.deleting
    ? withoutObject(state, "primary")
    : withObject(state, "primary", { finalizer: false });
}

/** What a run of a revision's code decides to make of what it saw. */
export function wanted(
  { acts, usedBy }: Pick<Rules, "acts" | "usedBy">,
  { primary, secondary }: Objects,
  revision: Revision,
): string {
  if (!primary) return "gone";
  const by = revision === "r1" ? "" : ` by ${revision}`;
  if (acts !== "observes") return primary.content + by;
  const other = usedBy && !primary.uses ? undefined : secondary;
  return `${primary.content}/${other?.content ?? "-"}${by}`;
}

/** The other of the two contents. */
export function flipped(content: string): string {
  return content === "a" ? "b" : "a";
}

function unchanged(before: ModelObject, write: Write): boolean {
  return (Object.keys(write) as (keyof Write)[]).every((field) => before[field] === write[field]);
}

function changed(state: ModelState, cluster: Cluster, change: Change): ModelState {
  const watchers = state.watchers.map((watcher) =>
    watcher.up ? { ...watcher, feed: [...watcher.feed, change] } : watcher,
  );
  return { ...state, cluster, watchers };
}

/** Always in one order, so that equal objects have one text. */
export function ordered({ primary, secondary }: Objects): Objects {
  return { ...(primary && { primary }), ...(secondary && { secondary }) };
}
