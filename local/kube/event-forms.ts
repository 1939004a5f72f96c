import type { ApiObject } from "./api-object.ts";

/** Fields of Events that the two groups name differently: of the core group, and of events.k8s.io. */
const NAMES = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
] as const;

const NEW_GROUP = "events.k8s.io/";

/**
 * An Event in the form of a group and version, from that of its own: both groups serve one store.
 * https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/
 */
export function eventInForm(event: ApiObject, apiVersion: string): ApiObject {
  const isNew = event.apiVersion.startsWith(NEW_GROUP);
  const becomesNew = apiVersion.startsWith(NEW_GROUP);
  if (isNew === becomesNew) return { ...event, apiVersion };
  const names = new Map<string, string>(
    NAMES.map(([old, fresh]) => (becomesNew ? [old, fresh] : [fresh, old])),
  );
  const entries = Object.entries(event)
    .map(([key, value]) => [names.get(key) ?? key, value] as const)
    // The newer form leaves out what nobody reported; the older one has empty texts.
    .filter(([key, value]) => !becomesNew || value !== "" || !REPORTED.has(key));
  const texts = becomesNew ? {} : { reportingComponent: "", reportingInstance: "" };
  return { ...texts, ...Object.fromEntries(entries), apiVersion } as ApiObject;
}

const REPORTED = new Set(["reportingController", "reportingInstance"]);
