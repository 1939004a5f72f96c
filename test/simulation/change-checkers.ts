import type { ApiObject } from "../../local/kube/api-object.ts";
import type { StoreEvent } from "../../local/kube/store.ts";
import { appliedBy, type ManagedFields } from "../../shared/worker/owned-fields.ts";
import { FINALIZER } from "./controllers.ts";
import type { Gadget } from "./kinds.ts";
import { GADGETS, type World } from "./world.ts";

/** Judges each change of a Gadget as it is made. */
export function checkChanges(world: World): void {
  world.cluster.api.store.subscribe(GADGETS, (event) => {
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

/** What each controller always says, and no other one. "Ready" comes and goes with failures. */
const LASTING = new Map([
  ["Built", "builder"],
  ["Even", "inspector"],
]);

/** What one controller says stays while the other one writes. */
function checkConditions({ history }: World, { before, object, type }: StoreEvent): void {
  if (type === "DELETED" || !before) return;
  const now = new Set(typesOf(object as unknown as Gadget));
  for (const was of typesOf(before as unknown as Gadget)) {
    const owner = LASTING.get(was);
    // Its own controller may have something else to say.
    if (now.has(was) || owner === undefined || saysSomething(object, owner)) continue;
    history.violate("conditions of two controllers", `${object.metadata.name} lost ${was}`);
  }
}

function typesOf({ status }: Gadget): readonly string[] {
  return status?.conditions?.map(({ type }) => type) ?? [];
}

function saysSomething({ metadata }: ApiObject, controller: string): boolean {
  const entries = (metadata as { readonly managedFields?: readonly ManagedFields[] }).managedFields;
  const status = appliedBy(entries ?? [], controller, "status")?.fieldsV1?.["f:status"];
  return status?.["f:conditions"] !== undefined;
}
