import type { Kind } from "../../shared/api/object.ts";
import type { GuardedKind } from "../../shared/platform/guarded-kinds.ts";
import { type ListedObject, listObjects } from "../../shared/platform/object-list.ts";
import type { ClusterWork } from "./cluster-work.ts";

/** All objects of the kind that have one of its finalizers. None where the kind is not served. */
export async function heldObjects(
  { transport, signal }: ClusterWork,
  guarded: GuardedKind,
): Promise<readonly ListedObject[]> {
  const { apiVersion, kind, plural, scope, finalizers } = guarded;
  const of: Kind = { apiVersion, kind, plural, scope };
  const all = await listObjects(transport, of, signal).catch((error: unknown) => {
    if ((error as { readonly status?: number }).status === 404) return [];
    throw error;
  });
  return all.filter(({ metadata }) =>
    metadata.finalizers?.some((each) => finalizers.includes(each)),
  );
}

/** Of several. */
export async function allHeld(
  work: ClusterWork,
  guarded: readonly GuardedKind[],
): Promise<readonly ListedObject[]> {
  const lists: (readonly ListedObject[])[] = [];
  for (const each of guarded) lists.push(await heldObjects(work, each));
  return lists.flat();
}
