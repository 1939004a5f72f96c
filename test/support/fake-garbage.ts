import type { OwnerReference } from "../../shared/api/object.ts";
import type { Stored } from "./fake-object.ts";

/** What the garbage collector does next: one thing at a time, until there is nothing left. */
export type Garbage =
  | { readonly action: "delete"; readonly object: Stored; readonly foreground: boolean }
  | { readonly action: "finalize"; readonly object: Stored; readonly finalizers: readonly string[] }
  | {
      readonly action: "disown";
      readonly object: Stored;
      readonly owners: readonly OwnerReference[];
    };

/** Finds objects whose owners are all gone, and owners that wait for their dependents. */
export function garbageOf(objects: readonly Stored[]): readonly Garbage[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid, object]));
  const owning = new Set(
    objects.flatMap(({ metadata }) => metadata.ownerReferences?.map(({ uid }) => uid) ?? []),
  );
  const blocked = new Set<string>();
  const found: Garbage[] = [];
  for (const object of objects) {
    const { ownerReferences: owners = [], deletionTimestamp, namespace = "" } = object.metadata;
    const ownerOf = ({ uid }: OwnerReference) => {
      const owner = byUid.get(uid);
      return owner && [undefined, namespace].includes(owner.metadata.namespace) ? owner : undefined;
    };
    const live = owners.filter((owner) => ownerOf(owner) !== undefined);
    const staying = live.filter((owner) => !foreground(ownerOf(owner)));
    for (const owner of live) {
      if (owner.blockOwnerDeletion) blocked.add(owner.uid);
    }
    if (owners.length === 0 || deletionTimestamp) continue;
    if (staying.length === 0) {
      const waits = live.length > 0 && owning.has(object.metadata.uid);
      found.push({ action: "delete", object, foreground: waits });
    } else if (staying.length < owners.length) {
      found.push({ action: "disown", object, owners: staying });
    }
  }
  for (const object of objects) {
    if (!foreground(object) || blocked.has(object.metadata.uid)) continue;
    const { finalizers = [] } = object.metadata;
    const rest = finalizers.filter((finalizer) => finalizer !== "foregroundDeletion");
    found.push({ action: "finalize", object, finalizers: rest });
  }
  return found;
}

function foreground(object: Stored | undefined): boolean {
  const { deletionTimestamp, finalizers } = object?.metadata ?? {};
  return deletionTimestamp !== undefined && (finalizers?.includes("foregroundDeletion") ?? false);
}
