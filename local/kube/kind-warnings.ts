import type { Warn } from "./admission.ts";
import type { ApiObject } from "./api-object.ts";
import { isMap, type Json } from "./fields-value.ts";
import { normalQuantity, parseQuantity } from "./quantity.ts";
import type { ServedResource } from "./served-resource.ts";

/** Where a kind has the spec of a Pod. */
const POD_SPECS: Readonly<Record<string, string>> = {
  Pod: "spec",
  Deployment: "spec.template.spec",
  ReplicaSet: "spec.template.spec",
  StatefulSet: "spec.template.spec",
  DaemonSet: "spec.template.spec",
  Job: "spec.template.spec",
  CronJob: "spec.jobTemplate.spec.template.spec",
};

/** Warns of what the API server warns of when an object is written. */
export function warnOfWrite(resource: ServedResource, object: ApiObject, warn: Warn): void {
  const path = resource.custom ? undefined : POD_SPECS[resource.kind];
  if (path === undefined) return;
  let spec: unknown = object;
  for (const part of path.split(".")) spec = isMap(spec) ? spec[part] : undefined;
  if (!isMap(spec)) return;
  warnOfBytes(spec, path, warn);
  const constraints = spec.topologySpreadConstraints;
  if (!Array.isArray(constraints)) return;
  for (const [index, constraint] of constraints.entries()) {
    if (isMap(constraint) && constraint.labelSelector) continue;
    const field = `${path}.topologySpreadConstraints[${index}].labelSelector`;
    warn(`${field}: a null labelSelector results in matching no pod`);
  }
}

const BYTES = ["memory", "ephemeral-storage"];
const NANO = 1_000_000_000n;

/** Parts of a byte are taken, with a warning. */
function warnOfBytes(spec: Json, path: string, warn: Warn): void {
  const containers = Array.isArray(spec.containers) ? spec.containers : [];
  for (const [index, container] of containers.entries()) {
    const resources = isMap(container) && isMap(container.resources) ? container.resources : {};
    for (const kind of ["requests", "limits"]) {
      const amounts = resources[kind];
      for (const name of isMap(amounts) ? BYTES : []) {
        const amount = isMap(amounts) ? amounts[name] : undefined;
        if (typeof amount !== "string" && typeof amount !== "number") continue;
        const nano = parseQuantity(amount)?.nano ?? 0n;
        if (nano % NANO === 0n) continue;
        const field = `${path}.containers[${index}].resources.${kind}[${name}]`;
        const shown = JSON.stringify(normalQuantity(amount) ?? amount);
        warn(`${field}: fractional byte value ${shown} is invalid, must be an integer`);
      }
    }
  }
}

/** What the API server says to whoever uses a kind that is on its way out. */
export function deprecationOf(resource: ServedResource): string | undefined {
  const { group, kind, custom, deprecation } = resource;
  if (custom) return deprecation;
  if (group !== "" || kind !== "Endpoints") return undefined;
  return "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
}
