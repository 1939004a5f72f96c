import { groupKindOf } from "../../shared/api/object.ts";
import type { DrainWay, GuardProperties } from "../../shared/platform/custom-resources.ts";
import type { GuardedKind } from "../../shared/platform/guarded-kinds.ts";
import { countText } from "../../shared/platform/object-list.ts";
import { type ClusterWork, clusterGone, onCluster } from "./cluster-work.ts";
import type { CustomResourceEvent, Host, Outcome } from "./custom-resource.ts";
import { finalizeHeld, namesOf, stripHeld } from "./drain-guarded.ts";
import { allHeld } from "./held-objects.ts";
import { physicalIdOf } from "./physical-id.ts";
import { readGuardProperties } from "./read-guard.ts";

/**
 * Stands before the removal of controllers (`Custom::TidegateGuard`): as long as objects have finalizers
 * of a controller that goes, by an Update or with the stack, it refuses, or ends them in the way that
 * `drain` says. Nobody would take them off afterwards. It depends on all that a drain needs, functions
 * and watcher, so that it is deleted first.
 */
export async function handleGuard(
  event: CustomResourceEvent,
  host: Host,
  signal: AbortSignal,
): Promise<Outcome> {
  const now = readGuardProperties(event.ResourceProperties);
  const { cluster, platform } = now;
  const physicalId = physicalIdOf({ cluster, platform, part: "guard" });
  if (event.RequestType === "Create") return { physicalId };
  if (event.RequestType === "Delete") {
    const data = await ended(now, now.guarded, { host, signal, drain: now.drain });
    return { physicalId: event.PhysicalResourceId ?? physicalId, data };
  }
  const old = readGuardProperties(event.OldResourceProperties ?? {});
  const same = old.cluster === cluster && old.platform === platform;
  const gone = same ? lost(old.guarded, now.guarded) : old.guarded;
  const data = await ended(old, gone, { host, signal, drain: now.drain });
  return { physicalId, data };
}

/** What of the old the new does not have. */
function lost(old: readonly GuardedKind[], now: readonly GuardedKind[]): readonly GuardedKind[] {
  const kept = new Set(
    now.flatMap(({ apiVersion, kind, finalizers }) =>
      finalizers.map((each) => idOf(apiVersion, kind, each)),
    ),
  );
  return old
    .map((each) => ({
      ...each,
      finalizers: each.finalizers.filter((one) => !kept.has(idOf(each.apiVersion, each.kind, one))),
    }))
    .filter(({ finalizers }) => finalizers.length > 0);
}

/** Whatever the version: the objects are the same ones. */
function idOf(apiVersion: string, kind: string, finalizer: string): string {
  return `${groupKindOf({ apiVersion, kind })} ${finalizer}`;
}

interface Ending {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly drain: DrainWay;
}

async function ended(
  properties: GuardProperties,
  gone: readonly GuardedKind[],
  { host, signal, drain }: Ending,
): Promise<Readonly<Record<string, string>>> {
  if (gone.length === 0) return {};
  const { cluster, platform } = properties;
  try {
    return await onCluster(properties, host, signal, async (work) => {
      if (drain === "strip") return strippedData(await stripHeld(work, gone, platform));
      if (drain === "finalize") await finalizeHeld(work, gone);
      else await refuseHeld(work, gone);
      return {};
    });
  } catch (error) {
    if (!clusterGone(error)) throw error;
    host.log.warn("the cluster is gone, and all that was in it", { cluster });
    return {};
  }
}

async function refuseHeld(work: ClusterWork, gone: readonly GuardedKind[]): Promise<void> {
  const held = await allHeld(work, gone);
  if (held.length === 0) return;
  const names = gone.map(({ controller }) => controller).join(", ");
  throw new Error(
    `cannot remove ${names}: expected no object with finalizers of it, got ${countText(held.length)}: ${namesOf(held)}; ` +
      'delete them first, or deploy with drain "finalize" (deletes them, and waits), or "strip" (takes the finalizers off: what they would have removed stays behind)',
  );
}

const NAMED = 10;

function strippedData(
  taken: ReadonlyMap<string, readonly string[]>,
): Readonly<Record<string, string>> {
  const first = [...taken.keys()].sort().slice(0, NAMED).join(", ");
  return { stripped: String(taken.size), ...(first && { first }) };
}
