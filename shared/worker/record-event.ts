import { createHash } from "node:crypto";
import type { Kind, KubernetesObject } from "../api/object.ts";
import { EVENTS } from "../api/permissions.ts";
import type { RecordedEvent } from "../api/reconciler.ts";
import { ConflictError } from "../kube/kube-error.ts";
import type { RunScope } from "./run-scope.ts";

/** Limits of events.k8s.io/v1. https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/ */
const MAX_NOTE_CHARACTERS = 1_024;
const MAX_WORD_CHARACTERS = 128;
/** A name has at most 253 characters; a dot and 16 of hash follow it. */
const MAX_PREFIX_CHARACTERS = 230;

/** More Events than this in one run are not recorded: it would be a loop, and each costs two calls. */
const MAX_EVENTS_PER_RUN = 25;

interface Event extends KubernetesObject<"events.k8s.io/v1", "Event"> {
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

const Event = EVENTS as Kind<Event>;

/**
 * The `recordEvent` of a run's context. One Event an hour for the same object, reason and message:
 * its name is their hash, so that the second create meets the first and is counted in its series.
 * No memory is needed between runs. It never rejects.
 */
export function createEventRecorder(scope: RunScope, regarding: KubernetesObject) {
  let recorded = 0;
  return async (event: RecordedEvent): Promise<void> => {
    recorded += 1;
    if (recorded > MAX_EVENTS_PER_RUN) {
      if (recorded === MAX_EVENTS_PER_RUN + 1) scope.log.warn("more events are not recorded");
      return;
    }
    try {
      await record(scope, regarding, event);
    } catch (error) {
      scope.metrics.count("EventFailures", { controller: scope.controller.name });
      // Safe: an Event informs people and decides nothing.
      scope.log.warn("event not recorded", { reason: event.reason, error });
    }
  };
}

async function record(scope: RunScope, regarding: KubernetesObject, event: RecordedEvent) {
  const { kube, clock } = scope;
  // Events about cluster-scoped objects live in the namespace "default", where kubectl looks.
  const namespace = regarding.metadata.namespace || "default";
  const name = eventName(regarding, event, clock.nowMs());
  try {
    await kube.create(Event, namespace, eventOf(scope, regarding, event, { namespace, name }));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    // The role allows create and patch. An empty patch answers the object and writes nothing.
    const key = { namespace, name };
    const { series } = await kube.patch(Event, key, { type: "merge", patch: {} });
    const next = { count: (series?.count ?? 1) + 1, lastObservedTime: microTime(clock.nowMs()) };
    await kube.patch(Event, key, { type: "merge", patch: { series: next } });
  }
}

function eventOf(
  { controller, clock }: RunScope,
  { apiVersion, kind, metadata }: KubernetesObject,
  { type, reason, action = "Reconcile", message }: RecordedEvent,
  meta: { namespace: string; name: string },
): object {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion: Event.apiVersion,
    kind: Event.kind,
    metadata: meta,
    eventTime: microTime(clock.nowMs()),
    reportingController: `tidegate.dev/${controller.name}`,
    reportingInstance: controller.name,
    action: action.slice(0, MAX_WORD_CHARACTERS),
    reason: reason.slice(0, MAX_WORD_CHARACTERS),
    regarding: { apiVersion, kind, name, namespace, uid, resourceVersion },
    note: message.slice(0, MAX_NOTE_CHARACTERS),
    type,
  };
}

function eventName({ metadata }: KubernetesObject, event: RecordedEvent, nowMs: number): string {
  const hour = Math.floor(nowMs / 3_600_000);
  const hash = createHash("sha256")
    .update(JSON.stringify([metadata.uid, event.type, event.reason, event.message, hour]))
    .digest("hex");
  const prefix = metadata.name.slice(0, MAX_PREFIX_CHARACTERS).replace(/[-.]+$/, "");
  return `${prefix}.${hash.slice(0, 16)}`;
}

/** A MicroTime has six digits; servers refuse three. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.(\d{3})Z$/, ".$1000Z");
}
