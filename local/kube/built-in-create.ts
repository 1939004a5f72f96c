import { partOf, partsIn, setMissing } from "./built-in-default.ts";
import { isPart, type Part } from "./built-in-visit.ts";
import { sameJson } from "./fields-equal.ts";
import { parseQuantity } from "./quantity.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * Adds to a new built-in object, which has its defaults, what the API server's strategies and
 * admission add when it is created: a Pod's tolerations, priority and status, a Job's selector and
 * labels by its uid, the finalizers of Namespaces and claims, a Service's address families. `metadata.uid` and
 * `metadata.name` must be set. Changes the object, and answers it.
 *
 * Addresses and node ports of Services are not given here; nor is `metadata.generation`.
 */
export function completeBuiltIn<T extends object>(resource: ServedResource, object: T): T {
  const complete = CREATION[`${resource.group}/${resource.plural}`];
  if (resource.custom || !complete) return object;
  complete(object as Part);
  return object;
}

const CREATION: Readonly<Record<string, (part: Part) => void>> = {
  "/namespaces": (namespace) => {
    const spec = partOf(namespace, "spec");
    const finalizers = Array.isArray(spec.finalizers) ? spec.finalizers : [];
    if (!finalizers.includes("kubernetes")) spec.finalizers = [...finalizers, "kubernetes"];
  },
  "/nodes": (node) => {
    const spec = partOf(node, "spec");
    const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
    const taints = partsIn(spec, "taints");
    if (!taints.some(({ key, effect }) => key === taint.key && effect === taint.effect)) {
      spec.taints = [...taints, taint];
    }
  },
  "/persistentvolumeclaims": (claim) => {
    const metadata = partOf(claim, "metadata");
    const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers : [];
    const own = "kubernetes.io/pvc-protection";
    if (!finalizers.includes(own)) metadata.finalizers = [...finalizers, own];
  },
  "/pods": completePod,
  "/services": completeService,
  "batch/jobs": completeJob,
};

/** Values of the two classes that are always there. */
const PRIORITIES: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

function completePod(pod: Part): void {
  const spec = partOf(pod, "spec");
  const priority = PRIORITIES[String(spec.priorityClassName)] ?? 0;
  setMissing(spec, { priority, preemptionPolicy: "PreemptLowerPriority" });
  tolerate(spec);
  pod.status = { phase: "Pending", qosClass: qosClass(spec) };
}

/** Adds what every Pod tolerates for a while: nodes that are not ready, or not reached. */
export function tolerate(spec: Part): void {
  const tolerations = partsIn(spec, "tolerations");
  for (const key of ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]) {
    const tolerated = tolerations.some((each) => tolerates(each, key));
    const given = { key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
    if (!tolerated) tolerations.push(given);
  }
  spec.tolerations = tolerations;
}

function tolerates(toleration: Part, key: string): boolean {
  const { key: own = "", effect = "" } = toleration;
  return (own === key || own === "") && (effect === "NoExecute" || effect === "");
}

/**
 * Guaranteed where each container has limits of cpu and memory that its requests equal, BestEffort
 * where none has either.
 */
function qosClass(spec: Part): "BestEffort" | "Burstable" | "Guaranteed" {
  const containers = [...partsIn(spec, "containers"), ...partsIn(spec, "initContainers")];
  const resources = containers.flatMap(({ resources }) => {
    const { requests, limits } = isPart(resources) ? resources : {};
    return ["cpu", "memory"].map((name) => ({
      request: amountOf(requests, name),
      limit: amountOf(limits, name),
    }));
  });
  if (resources.every(({ request, limit }) => request === 0n && limit === 0n)) return "BestEffort";
  const guaranteed = resources.every(({ request, limit }) => {
    return limit !== 0n && (request === 0n || request === limit);
  });
  return guaranteed ? "Guaranteed" : "Burstable";
}

function amountOf(list: unknown, name: string): bigint {
  const text = isPart(list) ? list[name] : undefined;
  if (typeof text !== "string" && typeof text !== "number") return 0n;
  return parseQuantity(text)?.nano ?? 0n;
}

/** One family, IPv4, as in a cluster that has no other; both for a headless one without selector. */
function completeService(service: Part): void {
  const spec = partOf(service, "spec");
  if (spec.type === "ExternalName") return;
  if (spec.clusterIP && !spec.clusterIPs) spec.clusterIPs = [spec.clusterIP];
  const selector = isPart(spec.selector) ? Object.keys(spec.selector) : [];
  if (spec.clusterIP === "None" && selector.length === 0) {
    setMissing(spec, { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" });
  }
  setMissing(spec, { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" });
}

/** Pods are found by the Job's uid, unless the selector is the user's. */
function completeJob(job: Part): void {
  const spec = partOf(job, "spec");
  if (spec.manualSelector === true) return;
  const metadata = partOf(job, "metadata");
  const { name, uid } = metadata;
  const labels = partOf(partOf(partOf(spec, "template"), "metadata"), "labels");
  const own = isPart(metadata.labels) ? metadata.labels : {};
  const same = Object.keys(own).length === 0 || sameJson(own, labels);
  setMissing(labels, {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  });
  // A Job without labels of its own has those of its pods.
  if (same) metadata.labels = { ...labels };
  const selector = partOf(partOf(spec, "selector"), "matchLabels");
  setMissing(selector, { "batch.kubernetes.io/controller-uid": uid });
}
