import { partOf, partsIn, setMissing, setZero } from "./built-in-default.ts";
import type { PartDefaults } from "./built-in-defaults.ts";
import { isPart, type Part } from "./built-in-visit.ts";

const RBAC = "rbac.authorization.k8s.io";

/** Defaults of the other groups, as in their defaults.go of Kubernetes 1.37. */
export const otherDefaults: PartDefaults = {
  "networking.v1.NetworkPolicyPort": (port) => setMissing(port, { protocol: "TCP" }),
  "networking.v1.NetworkPolicySpec": (spec) => {
    if (Array.isArray(spec.policyTypes) && spec.policyTypes.length > 0) return;
    const egress = Array.isArray(spec.egress) && spec.egress.length > 0;
    spec.policyTypes = egress ? ["Ingress", "Egress"] : ["Ingress"];
  },
  "networking.v1.IngressClassSpec": (spec) => {
    if (isPart(spec.parameters)) setMissing(spec.parameters, { scope: "Cluster" });
  },
  "autoscaling.v1.HorizontalPodAutoscalerSpec": (spec) => {
    setMissing(spec, { minReplicas: 1, targetCPUUtilizationPercentage: 80 });
  },
  "autoscaling.v2.HorizontalPodAutoscalerSpec": autoscalerDefaults,
  "discovery.v1.EndpointPort": (port) => {
    if (port.name === undefined) port.name = "";
    setMissing(port, { protocol: "TCP" });
  },
  "rbac.v1.RoleRef": (ref) => setMissing(ref, { apiGroup: RBAC }),
  "rbac.v1.Subject": (subject) => {
    if (subject.kind === "User" || subject.kind === "Group")
      setMissing(subject, { apiGroup: RBAC });
  },
  "storage.v1.StorageClass": (storage) => {
    setMissing(storage, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
  },
  "scheduling.v1.PriorityClass": (priority) => {
    setMissing(priority, { preemptionPolicy: "PreemptLowerPriority" });
  },
  "flowcontrol.v1.FlowSchemaSpec": (spec) => setZero(spec, { matchingPrecedence: 1000 }),
  "flowcontrol.v1.ExemptPriorityLevelConfiguration": (level) => {
    setMissing(level, { nominalConcurrencyShares: 0, lendablePercent: 0 });
  },
  "flowcontrol.v1.LimitedPriorityLevelConfiguration": (level) => {
    setMissing(level, { nominalConcurrencyShares: 30, lendablePercent: 0 });
  },
  "flowcontrol.v1.QueuingConfiguration": (queuing) => {
    setZero(queuing, { handSize: 8, queues: 64, queueLengthLimit: 50 });
  },
  "apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition": (crd) => {
    const names = partOf(partOf(crd, "spec"), "names");
    const { kind } = names;
    if (typeof kind === "string") {
      setMissing(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
    }
    setMissing(partOf(crd, "spec"), { conversion: { strategy: "None" } });
    const stored = partsIn(partOf(crd, "spec"), "versions").find(({ storage }) => storage === true);
    const status = partOf(crd, "status");
    const versions = Array.isArray(status.storedVersions) ? status.storedVersions : [];
    if (versions.length === 0 && stored) status.storedVersions = [stored.name];
  },
};

/** Scale up by 4 pods or twice as many in 15 s, down by all of them. */
const RULES: Readonly<Record<"scaleUp" | "scaleDown", Part>> = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ],
  },
  scaleDown: {
    selectPolicy: "Max",
    policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
  },
};

function autoscalerDefaults(spec: Part): void {
  setMissing(spec, { minReplicas: 1 });
  if (partsIn(spec, "metrics").length === 0) {
    const target = { type: "Utilization", averageUtilization: 80 };
    spec.metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
  }
  if (!isPart(spec.behavior)) return;
  const behavior = partOf(spec, "behavior");
  setMissing(partOf(behavior, "scaleUp"), RULES.scaleUp);
  setMissing(partOf(behavior, "scaleDown"), RULES.scaleDown);
}
