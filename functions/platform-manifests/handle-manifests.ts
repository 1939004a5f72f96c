import { Deployment } from "../../shared/api/kinds.ts";
import type { ManifestsProperties } from "../../shared/platform/custom-resources.ts";
import { type AppliedState, applyManifests } from "./apply-manifests.ts";
import { awaitRollout } from "./await-rollout.ts";
import { type ClusterWork, clusterGone, onCluster } from "./cluster-work.ts";
import type { CustomResourceEvent, Host, Outcome } from "./custom-resource.ts";
import { putRevisions } from "./handle-revisions.ts";
import {
  checkStack,
  type Inventory,
  joined,
  readInventory,
  removeInventory,
  writeInventory,
} from "./inventory.ts";
import { type ObjectRef, readManifests, refId } from "./manifest.ts";
import { physicalIdOf } from "./physical-id.ts";
import { readManifestsProperties } from "./read-properties.ts";
import { removeObjects } from "./remove-objects.ts";

/**
 * A part of a platform in a cluster (`Custom::TidegateManifests`). Two of them make a deploy, the one
 * before the functions, the other after them:
 *
 * 1. before: namespace, definitions, service account, roles and flow schema. Nothing is removed, and roles
 *    keep what they allowed, for the old code runs on.
 * 2. after: revisions, then all objects as they are to be, the watcher included; once that has rolled out,
 *    what the stack had applied formerly and its manifests no longer have is removed.
 *
 * A roll-back is the same with the old manifests: what the failed deploy had brought is removed by 2.
 */
export async function handleManifests(
  event: CustomResourceEvent,
  host: Host,
  signal: AbortSignal,
): Promise<Outcome> {
  const properties = readManifestsProperties(event.ResourceProperties);
  const { cluster, platform, step } = properties;
  const physicalId = event.PhysicalResourceId;
  const { StackId: stack } = event;
  if (event.RequestType !== "Delete") {
    const data = await onCluster(properties, host, signal, (work) =>
      deployed({ work, host, properties, stack }),
    );
    return { physicalId: physicalIdOf({ cluster, platform, part: step }), data };
  }
  const removed = await onCluster(properties, host, signal, (work) =>
    undeployed({ work, host, properties, stack }),
  ).catch((error: unknown) => {
    if (!clusterGone(error)) throw error;
    host.log.warn("the cluster is gone, and all that was in it", { cluster });
    return 0;
  });
  return { physicalId: physicalId ?? "", data: { removed: String(removed) } };
}

interface Deploying {
  readonly work: ClusterWork;
  readonly host: Host;
  readonly properties: ManifestsProperties;
  readonly stack: string;
}

async function deployed(deploying: Deploying): Promise<Readonly<Record<string, string>>> {
  const { work, host, properties, stack } = deploying;
  const { platform, step, values, key } = properties;
  const all = readManifests(await host.readAsset(properties, work.signal), values);
  const before = await readInventory(work, platform);
  checkStack(before, stack, platform);
  const rollingBack = before?.completed === key && before.attempted !== key;
  const begun: Inventory = {
    stack,
    refs: joined(before?.refs ?? [], all),
    completed: before?.completed ?? "",
    attempted: rollingBack ? before.attempted : key,
  };
  await writeInventory(work, platform, begun);
  const options = { platform, rollingBack, widening: step === "before-functions" };
  if (step === "before-functions") {
    const states = await applyManifests(work, all.filter(needsNoFunction), options);
    return counted(states, 0);
  }
  await putRevisions(host, properties);
  const states = await applyManifests(work, all, options);
  for (const { kind, key: of } of all) if (kind === Deployment) await awaitRollout(work, of);
  const kept = new Set(all.map(refId));
  const stale = begun.refs.filter((ref) => !kept.has(refId(ref)));
  const removed = await removeObjects(work, stale, platform);
  const left = joined(
    all,
    stale.filter(({ kind }) => kind.kind === "Namespace"),
  );
  await writeInventory(work, platform, { stack, refs: left, completed: key, attempted: key });
  return counted(states, removed);
}

/** Definitions and what access needs; the rest is the watcher. */
function needsNoFunction({ kind }: ObjectRef): boolean {
  return !WATCHER_KINDS.includes(kind.kind);
}

const WATCHER_KINDS = ["ConfigMap", "PodDisruptionBudget", "Deployment"];

/** In reverse: the watcher goes with the one resource, and all else with the other. */
async function undeployed({ work, properties, stack }: Deploying): Promise<number> {
  const { platform, step } = properties;
  const found = await readInventory(work, platform);
  if (!found || found.stack !== stack) {
    work.log.warn("nothing of this stack is in the cluster", { platform, stack: found?.stack });
    return 0;
  }
  const last = step === "before-functions";
  const refs = found.refs.filter((ref) => last || !needsNoFunction(ref));
  const removed = await removeObjects(work, refs, platform);
  if (last) await removeInventory(work, platform);
  return removed;
}

function counted(
  states: readonly AppliedState[],
  removed: number,
): Readonly<Record<string, string>> {
  const count = (state: AppliedState) => String(states.filter((each) => each === state).length);
  return {
    created: count("created"),
    changed: count("changed"),
    unchanged: count("unchanged"),
    left: count("left"),
    removed: String(removed),
  };
}
