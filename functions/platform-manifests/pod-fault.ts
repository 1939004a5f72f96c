import type { Deployment, Pod } from "../../shared/api/kinds.ts";

/** Why pods are not ready. */
export interface PodFault {
  readonly text: string;
  /** It is no matter of time alone. */
  readonly lasting: boolean;
}

/** What the newest of the pods that has a fault says; undefined where none has. */
export function podFault(pods: readonly Pod[]): PodFault | undefined {
  const newestFirst = pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .toSorted((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1));
  const faults = newestFirst.flatMap((pod) => faultOf(pod) ?? []);
  return faults.find(({ lasting }) => lasting) ?? faults[0];
}

/** Why there are no pods: a quota, or an admission that refuses them. */
export function replicaFault({ status }: Deployment): PodFault | undefined {
  const found = status?.conditions?.find(
    (each) => each.type === "ReplicaFailure" && each.status === "True",
  );
  return found && { text: `${found.reason}: ${found.message}`, lasting: true };
}

function faultOf(pod: Pod): PodFault | undefined {
  const { status, metadata } = pod;
  const named = (text: string, lasting: boolean) => ({
    text: `pod ${metadata.name}: ${text}`,
    lasting,
  });
  const unscheduled = status?.conditions?.find(
    (each) => each.type === "PodScheduled" && each.status === "False",
  );
  // A node may still be made for it.
  if (unscheduled) return named(`${unscheduled.reason}: ${unscheduled.message}`, false);
  const [container] = status?.containerStatuses ?? [];
  if (!container || container.ready) return undefined;
  const { waiting } = container.state ?? {};
  const ended = container.lastState?.terminated ?? container.state?.terminated;
  const last =
    ended && `ended with ${ended.exitCode} (${ended.reason}): ${lastLines(ended.message)}`;
  if (waiting?.reason && LASTING.test(waiting.reason)) {
    return named([waiting.reason, last ?? waiting.message].filter(Boolean).join(": "), true);
  }
  if (last) return named(last, false);
  if (waiting?.message) return named(`${waiting.reason}: ${waiting.message}`, false);
  return container.state?.running && named("runs, and is not ready", false);
}

/** https://kubernetes.io/docs/concepts/containers/images/#imagepullbackoff, and pkg/kubelet/images/types.go */
const LASTING =
  /^(ImagePullBackOff|ErrImagePull|InvalidImageName|ErrImageNeverPull|CrashLoopBackOff|CreateContainerConfigError|CreateContainerError|RunContainerError)$/;

const LAST_CHARACTERS = 600;

function lastLines(message: string | undefined): string {
  const text = message?.trim() ?? "";
  return text === "" ? "no message" : text.slice(-LAST_CHARACTERS);
}
