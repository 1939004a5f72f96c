import { ownPartsIn, partOf, partsIn, setMissing, setZero } from "./built-in-default.ts";
import type { PartDefaults } from "./built-in-defaults.ts";
import { isPart, type Part } from "./built-in-visit.ts";
import { isFrozen } from "./frozen.ts";

/** Defaults of the core group, as in pkg/apis/core/v1/defaults.go of Kubernetes 1.37. */
export const coreDefaults: PartDefaults = {
  "core.v1.Container": containerDefaults,
  "core.v1.EphemeralContainer": containerDefaults,
  "core.v1.ContainerPort": (port) => setMissing(port, { protocol: "TCP" }),
  "core.v1.Probe": (probe) => {
    setZero(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1 });
    setZero(probe, { failureThreshold: 3 });
  },
  "core.v1.HTTPGetAction": (action) => setMissing(action, { path: "/", scheme: "HTTP" }),
  "core.v1.GRPCAction": (action) => setMissing(action, { service: "" }),
  "core.v1.ObjectFieldSelector": (selector) => setMissing(selector, { apiVersion: "v1" }),
  "core.v1.Pod": podDefaults,
  "core.v1.PodSpec": podSpecDefaults,
  "core.v1.Volume": (volume) => {
    const sources = Object.keys(volume).filter((key) => key !== "name");
    if (sources.length === 0) volume.emptyDir = {};
  },
  "core.v1.SecretVolumeSource": mode,
  "core.v1.ConfigMapVolumeSource": mode,
  "core.v1.DownwardAPIVolumeSource": mode,
  "core.v1.ProjectedVolumeSource": mode,
  "core.v1.ServiceAccountTokenProjection": (token) => {
    setMissing(token, { expirationSeconds: 3600 });
  },
  "core.v1.HostPathVolumeSource": (source) => setMissing(source, { type: "" }),
  "core.v1.ISCSIVolumeSource": (source) => setMissing(source, { iscsiInterface: "default" }),
  "core.v1.Service": serviceDefaults,
  "core.v1.ServicePort": (port) => {
    setMissing(port, { protocol: "TCP" });
    if (!port.targetPort) port.targetPort = port.port;
  },
  "core.v1.Secret": secretDefaults,
  "core.v1.Namespace": (namespace) => {
    const { name } = partOf(namespace, "metadata");
    if (!name) return;
    partOf(partOf(namespace, "metadata"), "labels")["kubernetes.io/metadata.name"] = name;
    setMissing(partOf(namespace, "status"), { phase: "Active" });
  },
  "core.v1.PersistentVolumeClaim": (claim) => {
    setMissing(partOf(claim, "status"), { phase: "Pending" });
  },
  "core.v1.PersistentVolumeClaimSpec": (spec) => setMissing(spec, { volumeMode: "Filesystem" }),
  "core.v1.EndpointPort": (port) => setMissing(port, { protocol: "TCP" }),
  "core.v1.NodeStatus": (status) => {
    if (isPart(status.capacity)) setMissing(status, { allocatable: status.capacity });
  },
  "core.v1.PodStatus": (status) => {
    const [first] = partsIn(status, "podIPs");
    if (status.podIP) {
      if (first?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
    } else if (first) status.podIP = first.ip;
  },
};

/** "latest", named or not, is pulled each time. */
function pullPolicy(image: unknown): string {
  const name = (typeof image === "string" ? image : "").replace(/^.*\//, "");
  const [, tag = name.includes("@") ? "" : "latest"] = /:([^:@]*)(?:@|$)/.exec(name) ?? [];
  return tag === "latest" ? "Always" : "IfNotPresent";
}

function containerDefaults(container: Part): void {
  setMissing(container, {
    imagePullPolicy: pullPolicy(container.image),
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  });
}

function podDefaults(pod: Part): void {
  if (isFrozen(pod.spec)) return;
  const spec = partOf(pod, "spec");
  setMissing(spec, { enableServiceLinks: true });
  const containers = [...ownPartsIn(spec, "containers"), ...ownPartsIn(spec, "initContainers")];
  for (const container of containers) {
    const { limits } = isPart(container.resources) ? container.resources : {};
    if (isPart(limits)) setMissing(partOf(partOf(container, "resources"), "requests"), limits);
    if (spec.hostNetwork !== true) continue;
    for (const port of ownPartsIn(container, "ports")) {
      if (!port.hostPort) port.hostPort = port.containerPort;
    }
  }
}

function podSpecDefaults(spec: Part): void {
  if (!spec.serviceAccountName && spec.serviceAccount) {
    spec.serviceAccountName = spec.serviceAccount;
  }
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  setMissing(spec, {
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: "default-scheduler",
  });
}

/** 0644 as a decimal. */
function mode(source: Part): void {
  setMissing(source, { defaultMode: 420 });
}

function secretDefaults(secret: Part): void {
  setMissing(secret, { type: "Opaque" });
  const { stringData } = secret;
  if (!isPart(stringData)) return;
  const data = partOf(secret, "data");
  for (const [key, text] of Object.entries(stringData)) {
    data[key] = Buffer.from(String(text)).toString("base64");
  }
  Reflect.deleteProperty(secret, "stringData");
}

/** Three hours. */
const AFFINITY_SECONDS = 10_800;

function serviceDefaults(service: Part): void {
  if (isFrozen(service.spec)) return;
  const spec = partOf(service, "spec");
  setMissing(spec, { sessionAffinity: "None", type: "ClusterIP" });
  if (spec.sessionAffinity === "None") Reflect.deleteProperty(spec, "sessionAffinityConfig");
  if (spec.sessionAffinity === "ClientIP") {
    const client = partOf(partOf(spec, "sessionAffinityConfig"), "clientIP");
    setMissing(client, { timeoutSeconds: AFFINITY_SECONDS });
  }
  const outside = spec.type === "NodePort" || spec.type === "LoadBalancer";
  const external = Array.isArray(spec.externalIPs) && spec.externalIPs.length > 0;
  if (outside || (spec.type === "ClusterIP" && external)) {
    setMissing(spec, { externalTrafficPolicy: "Cluster" });
  }
  if (spec.type !== "ExternalName") setMissing(spec, { internalTrafficPolicy: "Cluster" });
  if (spec.type === "LoadBalancer") setMissing(spec, { allocateLoadBalancerNodePorts: true });
}
