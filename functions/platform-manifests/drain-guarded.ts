import { ClusterRoleBinding, RoleBinding } from "../../shared/api/kinds.ts";
import type { Kind } from "../../shared/api/object.ts";
import { drained, inParallel, takeFinalizers } from "../../shared/platform/drain.ts";
import type { GuardedKind } from "../../shared/platform/guarded-kinds.ts";
import { countText, type ListedObject, objectText } from "../../shared/platform/object-list.ts";
import { PLATFORM_LABEL } from "../../shared/platform/platform-labels.ts";
import type { ClusterWork } from "./cluster-work.ts";
import { allHeld, heldObjects } from "./held-objects.ts";

const LOOK_MS = 1_000;
/** As many are named. */
const NAMED = 10;

/**
 * Deletes the objects that hold finalizers, and waits until watcher and functions have done what these are
 * for. Only of kinds that the platform brings: of others the objects are somebody's Deployments or Secrets.
 */
export async function finalizeHeld(
  work: ClusterWork,
  guarded: readonly GuardedKind[],
): Promise<void> {
  const { client, clock, log, signal } = work;
  const others = await allHeld(
    work,
    guarded.filter(({ own }) => own !== "true"),
  );
  if (others.length > 0) {
    throw new Error(
      `cannot drain by "finalize": expected objects of kinds that the platform brings, got ${namesOf(others)}; delete them yourself, or use "strip"`,
    );
  }
  let left: readonly ListedObject[] = [];
  const still = () => log.warn("nothing goes", { left: left.length, objects: namesOf(left) });
  const tell = (now: readonly ListedObject[]) => {
    left = now;
  };
  await drained({
    client,
    clock,
    signal,
    tell,
    still,
    left: () => allHeld(work, guarded),
    strip: () => [],
    stripped: () => {},
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new Error(
      `cannot drain in the function's time: ${countText(left.length)} left: ${namesOf(left)}; do watcher and functions run? Try again: what is deleted stays so`,
      { cause: error },
    );
  });
}

/**
 * Takes the finalizers off, deletes nothing, and resolves to what each object lost: what that would have
 * removed stays behind. First the controllers' functions lose their access, else they would put it back.
 */
export async function stripHeld(
  work: ClusterWork,
  guarded: readonly GuardedKind[],
  platform: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { client, clock, log, signal } = work;
  const taken = new Map<string, readonly string[]>();
  const stripped = (object: ListedObject, finalizers: readonly string[]) => {
    taken.set(objectText(object), finalizers);
    log.warn("stripped: what the finalizers would have removed stays behind", {
      object: objectText(object),
      finalizers,
    });
  };
  for (const { controller } of guarded)
    await lockOut(work, `${platform}:function:${controller}`, platform);
  // Twice none: what a function had begun to write may still have come.
  for (let none = 0; none < 2; ) {
    let found = 0;
    for (const each of guarded) {
      const objects = await heldObjects(work, each);
      found += objects.length;
      await inParallel(objects, (object) =>
        takeFinalizers({ client, signal, stripped }, object, each.finalizers),
      );
    }
    none = found === 0 ? none + 1 : 0;
    await clock.sleep(LOOK_MS, signal);
    signal.throwIfAborted();
  }
  return taken;
}

const BINDINGS: readonly Kind[] = [ClusterRoleBinding, RoleBinding];

/** Removes the bindings of a function's roles; with the next deploy that has the controller they are back. */
async function lockOut(work: ClusterWork, name: string, platform: string): Promise<void> {
  const { client, signal } = work;
  const labels = { [PLATFORM_LABEL]: platform };
  for (const kind of BINDINGS) {
    for (const { metadata } of await client.list(kind, { labels, signal })) {
      if (metadata.name !== name) continue;
      const { namespace = "", uid } = metadata;
      await client.delete(kind, { namespace, name }, { uid, signal });
    }
  }
}

/** "Website default/a, Website default/b, and 3 more". */
export function namesOf(objects: readonly ListedObject[]): string {
  const more = objects.length > NAMED ? [`and ${objects.length - NAMED} more`] : [];
  return [...objects.slice(0, NAMED).map(objectText), ...more].join(", ");
}
