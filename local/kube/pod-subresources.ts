import type { Clock } from "../../shared/clock.ts";
import type { ApiObject } from "./api-object.ts";
import { deleteOptionsOf } from "./delete-options.ts";
import { isMap } from "./fields-value.ts";
import { timeText } from "./metadata-rules.ts";
import { storeKey } from "./registry.ts";
import { deleteObject } from "./registry-delete.ts";
import { badRequest, conflict, notFound } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

/** A POST to a subresource of a Pod. */
export interface PodCall {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name: string;
  readonly body: string;
  readonly dryRun: boolean;
}

export interface PodCluster {
  readonly store: ObjectStore;
  readonly clock: Clock;
}

/** Puts a Pod on the node that a Binding names. Throws ApiError 400, 404 or 409. */
export function bindPod({ store, clock }: PodCluster, call: PodCall): void {
  const { resource, namespace, name, dryRun } = call;
  const binding = parsed(call.body);
  const node = isMap(binding.target) ? binding.target.name : undefined;
  if (typeof node !== "string" || node === "") {
    throw badRequest('Binding "" is invalid: target.name: Required value');
  }
  const key = storeKey(resource, namespace, name);
  const live = store.get(key);
  if (!live) throw notFound(resource, name);
  const { nodeName } = (live.spec ?? {}) as { readonly nodeName?: string };
  if (nodeName) {
    const why = `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`;
    throw conflict({ ...resource, plural: "pods/binding" }, name, why);
  }
  if (!dryRun) store.write(key, () => bound(live, node, timeText(clock.nowMs())));
}

/** Deletes a Pod for whoever drains its node; disruption budgets are not asked. Throws ApiError 400 or 404. */
export function evictPod(cluster: PodCluster, call: PodCall): void {
  const { deleteOptions } = parsed(call.body);
  const given = deleteOptionsOf(
    isMap(deleteOptions) ? JSON.stringify(deleteOptions) : "",
    new URLSearchParams(),
  );
  deleteObject(cluster, { ...call, options: { ...given, dryRun: given.dryRun || call.dryRun } });
}

function bound(pod: ApiObject, nodeName: string, lastTransitionTime: string): ApiObject {
  const status = isMap(pod.status) ? pod.status : {};
  const conditions = Array.isArray(status.conditions) ? status.conditions : [];
  const scheduled = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime,
  };
  return {
    ...pod,
    spec: { ...(isMap(pod.spec) ? pod.spec : {}), nodeName },
    status: { ...status, conditions: [...conditions, scheduled] },
  };
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body || "{}");
    if (isMap(value)) return value;
  } catch {
    // Refused below.
  }
  throw badRequest("the object provided is unrecognized: expected a JSON object");
}
