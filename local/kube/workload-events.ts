import type { Key, Kind, KubernetesObject } from "../../shared/api/object.ts";
import { timeText } from "./metadata-rules.ts";
import type { WorkloadContext } from "./workload-context.ts";

export interface WorkloadEvent {
  /** Default "Normal". */
  readonly type?: "Normal" | "Warning";
  /** "ScalingReplicaSet" */
  readonly reason: string;
  readonly message: string;
  /** The controller that tells it, such as "deployment-controller". */
  readonly component: string;
}

interface EventObject extends KubernetesObject {
  readonly apiVersion: "v1";
  readonly kind: "Event";
}

const EVENT: Kind<EventObject> = {
  apiVersion: "v1",
  kind: "Event",
  plural: "events",
  scope: "Namespaced",
};

/** So many stay; the API server would drop them after an hour. */
const KEPT = 500;
const WRITTEN = new WeakMap<WorkloadContext, { count: number; readonly kept: Key[] }>();

/** Tells of an object what `kubectl describe` and `kubectl events` show. A failure is no one's fault. */
export async function tellEvent(
  context: WorkloadContext,
  { apiVersion, kind, metadata }: KubernetesObject,
  { type = "Normal", reason, message, component }: WorkloadEvent,
): Promise<void> {
  const { client, clock, log } = context;
  const { name, namespace = "", uid, resourceVersion } = metadata;
  const time = timeText(clock.nowMs());
  const written = WRITTEN.get(context) ?? { count: 0, kept: [] };
  WRITTEN.set(context, written);
  written.count += 1;
  // As client-go names them, by nanoseconds.
  const id = BigInt(clock.nowMs()) * 1_000_000n + BigInt(written.count % 1_000_000);
  const eventName = `${name}.${id.toString(16)}`;
  const body = {
    metadata: { name: eventName },
    involvedObject: { apiVersion, kind, namespace, name, uid, resourceVersion },
    type,
    reason,
    message,
    source: { component },
    reportingComponent: component,
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
  try {
    await client.create(EVENT, namespace, body, { fieldManager: component });
    written.kept.push({ namespace, name: eventName });
    const oldest = written.kept.length > KEPT ? written.kept.shift() : undefined;
    if (oldest) await client.delete(EVENT, oldest);
  } catch (error) {
    // As when its namespace is about to go.
    log.debug("an event of a workload is lost", { namespace, name, reason, error });
  }
}
