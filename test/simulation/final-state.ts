import type { ApiObject } from "../../local/kube/api-object.ts";
import { childData, childOf, FINALIZER, settingText } from "./controllers.ts";
import type { Gadget, Setting } from "./kinds.ts";
import { CHILDREN, GADGETS, SETTINGS, type World } from "./world.ts";

/** One thing that is not as it has to be once all is healed and at rest. */
export interface Fault {
  readonly checker: string;
  readonly text: string;
}

/** What of the present state is not as users want it, by the cluster's store and the runs so far. */
export function* faultsOf(world: World): Generator<Fault> {
  const settings = new Map(
    named<Setting>(world, SETTINGS).map((each) => [each.metadata.name, each]),
  );
  const children = new Map(world.objects(CHILDREN).map((each) => [each.metadata.name, each]));
  for (const gadget of named<Gadget>(world, GADGETS)) {
    const setting = settings.get(gadget.spec.setting);
    yield* gadgetFaults(world, gadget, {
      setting,
      child: children.get(childOf(gadget.metadata.name)),
    });
  }
  yield* orphans(world);
  yield* restlessness(world);
  yield* excess(world);
  for (const text of world.serverFaults) yield { checker: "no mistake in the code", text };
}

/** Runs that each deploy, kill or duplicate may cost beside what changed. */
const RUNS_PER_FAULT = 15;

/** Far more runs than there was reason for: something keeps waking itself. */
function* excess({ history, log, platform }: World): Generator<Fault> {
  const runs = history.runs.filter((run) => run.controller !== "ticking" && run.ended !== "failed");
  const count = (kind: string) => log.counts.get(kind) ?? 0;
  const objects = platform.store.records().length;
  const most = 2 * count("change") + RUNS_PER_FAULT * count("act") + 2 * objects;
  if (runs.length <= most) return;
  yield { checker: "superfluous runs", text: `${runs.length} in all, expected at most ${most}` };
}

function named<T>(world: World, resource: string): readonly T[] {
  return world.objects(resource) as unknown as readonly T[];
}

interface Parts {
  readonly setting: Setting | undefined;
  readonly child: ApiObject | undefined;
}

function* gadgetFaults(world: World, gadget: Gadget, { setting, child }: Parts): Generator<Fault> {
  const { metadata, spec, status } = gadget;
  const { name, generation, deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined) {
    yield { checker: "deletions end", text: `${name} is still there` };
    return;
  }
  yield* lastRuns(world, gadget);
  const even = status?.conditions?.find(({ type }) => type === "Even");
  if (even?.status !== (spec.size % 2 === 0 ? "True" : "False")) {
    yield { checker: "conditions of two controllers", text: `${name}: Even ${even?.status}` };
  }
  if (even && even.message !== settingText(setting)) {
    const text = `${name}: setting ${even.message} instead of ${settingText(setting)}`;
    yield { checker: "as desired", text };
  }
  const built = status?.conditions?.find(({ type }) => type === "Built");
  if (built?.status !== (spec.broken ? "False" : "True")) {
    yield { checker: "conditions of two controllers", text: `${name}: Built ${built?.status}` };
  }
  if (spec.broken) return;
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (ready) yield { checker: "as desired", text: `${name}: still ${ready.message}` };
  if (status?.size !== spec.size || status.observedGeneration !== generation) {
    yield { checker: "as desired", text: `${name}: status of another spec` };
  }
  const wanted = childData(gadget, setting, world.platform.revisions.get("builder") ?? "");
  const got = (child as { data?: object } | undefined)?.data;
  if (JSON.stringify(got) !== JSON.stringify(wanted)) {
    const text = `${name}: child ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`;
    yield { checker: "as desired", text };
  }
  const thing = world.things.get(metadata.uid);
  if (thing !== settingText(setting)) {
    const text = `${name}: the thing outside says ${thing} instead of ${settingText(setting)}`;
    yield { checker: "as desired", text };
  }
  if (!metadata.finalizers?.includes(FINALIZER)) {
    yield { checker: "as desired", text: `${name} has no finalizer` };
  }
}

/** The last run of each controller saw the last version, and was of the newest code. */
function* lastRuns(world: World, gadget: Gadget): Generator<Fault> {
  const { namespace, name, generation } = gadget.metadata;
  for (const controller of ["builder", "inspector"]) {
    const last = world.history.runsOf(controller, `${namespace}/${name}`).at(-1);
    if (last?.object.metadata.generation !== generation) {
      const seen = last?.object.metadata.generation;
      const text = `${controller} ${name}: generation ${seen} instead of ${generation}`;
      yield { checker: "last run saw the last version", text };
    }
    const revision = world.platform.revisions.get(controller);
    if (last?.revision !== revision) {
      const text = `${controller} ${name}: ran last by ${last?.revision} instead of ${revision}`;
      yield { checker: "new code runs everything", text };
    }
  }
}

/** Children and things outside of what is gone. */
function* orphans(world: World): Generator<Fault> {
  const uids = new Set(world.objects(GADGETS).map(({ metadata }) => metadata.uid));
  for (const { metadata } of world.objects(CHILDREN)) {
    const [owner] = metadata.ownerReferences ?? [];
    if (owner && !uids.has(owner.uid)) {
      yield { checker: "deletions end", text: `${metadata.name} is still there` };
    }
  }
  for (const uid of world.things.keys()) {
    if (!uids.has(uid))
      yield { checker: "deletions end", text: `the thing of ${uid} is still there` };
  }
}

/** A ticker's request is on its way for a moment. */
const QUEUED_MS = 60_000;

/** Nothing is queued, given up or locked. */
function* restlessness({ platform, clock }: World): Generator<Fault> {
  for (const queue of platform.sqs.queues.values()) {
    const { name, size } = queue;
    if (name.startsWith("dead-") && size > 0)
      yield { checker: "queue empty", text: `${name}: ${size}` };
    for (const { body, sentAtMs } of queue.messages()) {
      if (sentAtMs > clock.nowMs() - QUEUED_MS) continue;
      yield { checker: "queue empty", text: `${name}: ${body}` };
    }
  }
  for (const record of platform.store.records()) {
    // One that is over died with a message that was delivered twice: nobody waits for it.
    if (record.runId !== undefined && (record.runUntil ?? 0) > clock.nowMs())
      yield { checker: "queue empty", text: `run ${record.runId} goes on` };
  }
}
