import type { Pod } from "../../shared/api/kinds.ts";
import type { KubernetesObject } from "../../shared/api/object.ts";
import { timeText } from "./metadata-rules.ts";

/** The template of pods in a workload. */
export interface PodTemplate {
  readonly metadata?: { readonly labels?: object; readonly annotations?: object };
  readonly spec?: object;
}

/** A pod by a template, owned by its workload. */
export function podOf(
  owner: KubernetesObject,
  template: PodTemplate,
  name: { name: string } | { generateName: string },
): object {
  const { labels, annotations } = template.metadata ?? {};
  const { apiVersion, kind, metadata } = owner;
  return {
    metadata: {
      ...name,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ownerReferences: [ownerReference({ apiVersion, kind, metadata })],
    },
    spec: template.spec,
  };
}

export function ownerReference({ apiVersion, kind, metadata }: KubernetesObject): object {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Whether a pod serves. */
export function isReady({ status, metadata }: Pod): boolean {
  const ready = status?.conditions?.some((each) => each.type === "Ready" && each.status === "True");
  return ready === true && metadata.deletionTimestamp === undefined;
}

/** Whether a pod counts: it has not ended, and is not about to. */
export function isActive({ status, metadata }: Pod): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    !["Succeeded", "Failed"].includes(status?.phase ?? "")
  );
}

const IP_BASE = "10.244.0.";

/** The status of a pod that runs, or of one that has done its work. */
export function podStatus(pod: Pod, phase: "Running" | "Succeeded", nowMs: number): object {
  const time = timeText(nowMs);
  const running = phase === "Running";
  const condition = (type: string, status: boolean) => ({
    type,
    status: status ? "True" : "False",
    lastTransitionTime: time,
    ...(!running &&
      type !== "PodScheduled" &&
      type !== "Initialized" && { reason: "PodCompleted" }),
  });
  const ended = {
    terminated: {
      exitCode: 0,
      reason: "Completed",
      startedAt: pod.status?.startTime ?? time,
      finishedAt: time,
    },
  };
  return {
    phase,
    conditions: [
      condition("Initialized", true),
      condition("Ready", running),
      condition("ContainersReady", running),
      condition("PodScheduled", true),
    ],
    hostIP: "127.0.0.1",
    podIP: `${IP_BASE}${(Number.parseInt(pod.metadata.uid.slice(0, 6), 16) % 250) + 2}`,
    startTime: pod.status?.startTime ?? time,
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image = "" }) => ({
      name,
      image,
      imageID: "",
      ready: running,
      started: running,
      restartCount: 0,
      state: running ? { running: { startedAt: time } } : ended,
    })),
  };
}
