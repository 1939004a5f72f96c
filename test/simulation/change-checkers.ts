import type { StoreEvent } from "../../local/kube/store.ts";
import { FINALIZER } from "./controllers.ts";
import type { Gadget } from "./kinds.ts";
import { GADGETS, type World } from "./world.ts";

/** Judges each change of a Gadget as it is made. */
export function checkChanges(world: World): void {
  world.cluster.api.store.subscribe(GADGETS, (event) => {
    const { object } = event;
    if (object.metadata.deletionTimestamp) world.history.marked(object as never);
    checkFinalizer(world, event);
    checkConditions(world, event);
  });
}

/** Our finalizer goes only after its work is done. */
function checkFinalizer({ history }: World, { before, object, type }: StoreEvent): void {
  const { namespace, name, uid } = object.metadata;
  const kept = type !== "DELETED" && object.metadata.finalizers?.includes(FINALIZER);
  if (!before?.metadata.finalizers?.includes(FINALIZER) || kept) return;
  const done = history
    .runsOf("builder", `${namespace}/${name}`)
    .some(
      (run) => run.call === "finalize" && run.object.metadata.uid === uid && run.ended === "well",
    );
  if (!done) history.violate("finalizer goes last", `${name} lost it before finalize succeeded`);
}

/** What the two controllers always say. "Ready" comes and goes with failures. */
const LASTING = new Set(["Built", "Even"]);

/** What was said stays, whoever else writes and whatever fails. */
function checkConditions({ history }: World, { before, object, type }: StoreEvent): void {
  if (type === "DELETED" || !before) return;
  const now = new Set(typesOf(object as unknown as Gadget));
  for (const was of typesOf(before as unknown as Gadget)) {
    if (now.has(was) || !LASTING.has(was)) continue;
    history.violate("conditions of two controllers", `${object.metadata.name} lost ${was}`);
  }
}

function typesOf({ status }: Gadget): readonly string[] {
  return status?.conditions?.map(({ type }) => type) ?? [];
}
