import { Job, Pod, ReplicaSet, StatefulSet } from "../../shared/api/kinds.ts";
import type { Key } from "../../shared/api/object.ts";
import { timeText } from "./metadata-rules.ts";
import {
  conditionOf,
  MANAGER,
  remove,
  type WorkloadContext,
  writeStatus,
} from "./workload-context.ts";
import { tellEvent, type WorkloadEvent } from "./workload-events.ts";
import { isActive, isReady, type PodTemplate, podOf } from "./workload-pods.ts";

/** Makes as many pods as a ReplicaSet asks for, and tells how many serve. */
export async function reconcileReplicaSet(context: WorkloadContext, key: Key): Promise<void> {
  const set = context.replicaSets.get(key);
  if (!set || set.metadata.deletionTimestamp !== undefined) return;
  const pods = context.pods.ownedBy(set).filter(isActive);
  const asked = set.spec?.replicas ?? 1;
  const wanted = Math.min(asked, context.maxPods);
  const template = (set.spec?.template ?? {}) as PodTemplate;
  for (let count = pods.length; count < wanted; count += 1) {
    const generateName = `${set.metadata.name}-`;
    const { name } = await create(context, key.namespace, podOf(set, template, { generateName }));
    await told(context, set, { reason: "SuccessfulCreate", message: `Created pod: ${name}` });
  }
  await tellLimit(context, set, { asked, before: pods.length, made: wanted - pods.length });
  // Those that do not serve yet go first.
  const surplus = [...pods].sort((a, b) => Number(isReady(a)) - Number(isReady(b)));
  for (const pod of surplus.slice(0, Math.max(0, pods.length - wanted))) {
    await remove(context, Pod, pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    await told(context, set, { reason: "SuccessfulDelete", message });
  }
  const ready = pods.filter(isReady).length;
  await writeStatus(context, ReplicaSet, set, {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    fullyLabeledReplicas: pods.length || null,
    readyReplicas: ready || null,
    availableReplicas: ready || null,
    terminatingReplicas: 0,
  });
}

/** Makes the pods of a StatefulSet one after the other, and removes them from the last on. */
export async function reconcileStatefulSet(context: WorkloadContext, key: Key): Promise<void> {
  const set = context.statefulSets.get(key);
  if (!set || set.metadata.deletionTimestamp !== undefined) return;
  const pods = new Map(context.pods.ownedBy(set).map((pod) => [pod.metadata.name, pod]));
  const asked = set.spec?.replicas ?? 1;
  const wanted = Math.min(asked, context.maxPods);
  let made = 0;
  const nameAt = (index: number) => `${set.metadata.name}-${index}`;
  for (let index = 0; index < wanted; index += 1) {
    const pod = pods.get(nameAt(index));
    if (!pod) {
      const template = (set.spec?.template ?? {}) as PodTemplate;
      const name = nameAt(index);
      await create(context, key.namespace, podOf(set, template, { name }));
      made += 1;
      const message = `create Pod ${name} in StatefulSet ${key.name} successful`;
      await told(context, set, { reason: "SuccessfulCreate", message });
    }
    const parallel = set.spec?.podManagementPolicy === "Parallel";
    if (!parallel && !(pod && isReady(pod))) break;
  }
  await tellLimit(context, set, { asked, before: pods.size, made });
  const kept = new Set(Array.from({ length: wanted }, (_, index) => nameAt(index)));
  for (const [name, pod] of pods) {
    if (kept.has(name)) continue;
    await remove(context, Pod, pod);
    const message = `delete Pod ${name} in StatefulSet ${key.name} successful`;
    await told(context, set, { reason: "SuccessfulDelete", message });
  }
  const ready = [...pods.values()].filter(isReady).length;
  await writeStatus(context, StatefulSet, set, {
    observedGeneration: set.metadata.generation,
    replicas: pods.size,
    readyReplicas: ready,
    availableReplicas: ready,
    currentReplicas: pods.size,
    updatedReplicas: pods.size,
  });
}

/** Runs the pods of a Job until as many have succeeded as it asks for. */
export async function reconcileJob(context: WorkloadContext, key: Key): Promise<void> {
  const job = context.jobs.get(key);
  if (!job || job.metadata.deletionTimestamp !== undefined || job.spec?.suspend) return;
  if (job.status?.completionTime !== undefined) return;
  const pods = context.pods.ownedBy(job);
  const succeeded = pods.filter(({ status }) => status?.phase === "Succeeded").length;
  const active = pods.filter(isActive).length;
  const wanted = job.spec?.completions ?? job.spec?.parallelism ?? 1;
  const before = pods.length;
  const asked = before + Math.min(job.spec?.parallelism ?? 1, wanted - succeeded) - active;
  const more = Math.min(asked, context.maxPods) - before;
  const template = (job.spec?.template ?? {}) as PodTemplate;
  for (let count = 0; count < more; count += 1) {
    const generateName = `${key.name}-`;
    const { name } = await create(context, key.namespace, podOf(job, template, { generateName }));
    await told(context, job, { reason: "SuccessfulCreate", message: `Created pod: ${name}` });
  }
  await tellLimit(context, job, { asked, before, made: more });
  const time = timeText(context.clock.nowMs());
  const complete = succeeded >= wanted;
  const conditions = [
    conditionOf(job.status?.conditions, {
      type: "Complete",
      status: "True",
      reason: "CompletionsReached",
      message: "Reached expected number of succeeded pods",
      time,
    }),
  ];
  await writeStatus(context, Job, job, {
    startTime: job.status?.startTime ?? time,
    active: active + Math.max(0, more),
    ready: pods.filter(isReady).length,
    succeeded,
    ...(complete && { completionTime: time, conditions }),
  });
  if (complete) await told(context, job, { reason: "Completed", message: "Job completed" });
}

/** Where a workload has its last pod, and asks for more, an Event says so: once. */
async function tellLimit(
  context: WorkloadContext,
  owner: Workload,
  { asked, before, made }: { asked: number; before: number; made: number },
): Promise<void> {
  const { maxPods } = context;
  if (asked <= maxPods || made <= 0 || before + made < maxPods) return;
  const message = `Error creating: expected at most ${maxPods} pods of one workload here, got ${asked}`;
  await told(context, owner, { type: "Warning", reason: "FailedCreate", message });
}

async function create({ client }: WorkloadContext, namespace: string, pod: object) {
  const made = await client.create(Pod, namespace, pod, {
    fieldManager: MANAGER,
    fieldValidation: "Ignore",
  });
  return made.metadata;
}

const CONTROLLERS: Readonly<Record<string, string>> = {
  ReplicaSet: "replicaset-controller",
  StatefulSet: "statefulset-controller",
  Job: "job-controller",
};

type Workload = ReplicaSet | StatefulSet | Job;

async function told(
  context: WorkloadContext,
  owner: Workload,
  event: Omit<WorkloadEvent, "component">,
): Promise<void> {
  await tellEvent(context, owner, { ...event, component: CONTROLLERS[owner.kind] ?? MANAGER });
}
