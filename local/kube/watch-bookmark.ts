import type { ApiObject } from "./api-object.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * The object of a bookmark: nothing but the version, and what an empty object of its kind has in
 * the API server's Go code.
 *
 * @param options.initial It ends what a watch begins with.
 */
export function bookmarkOf(
  { group, version, kind, custom }: ServedResource,
  options: { readonly resourceVersion: number; readonly initial: boolean },
): ApiObject {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const metadata = {
    resourceVersion: String(options.resourceVersion),
    ...(options.initial && { annotations: { "k8s.io/initial-events-end": "true" } }),
  };
  const empty = custom ? undefined : EMPTY[`${apiVersion}/${kind}`];
  const bookmark: object = { kind, apiVersion, metadata, ...empty };
  return bookmark as ApiObject; // Without a name and a uid, which readers of bookmarks do not expect.
}

const TEMPLATE = { metadata: {}, spec: { containers: null } };
const WORKLOAD = { selector: null, template: TEMPLATE };
const BINDING = { roleRef: { apiGroup: "", kind: "", name: "" } };
const TARGET = { scaleTargetRef: { kind: "", name: "" }, maxReplicas: 0 };
const NODE_INFO = {
  machineID: "",
  systemUUID: "",
  bootID: "",
  kernelVersion: "",
  osImage: "",
  containerRuntimeVersion: "",
  kubeletVersion: "",
  kubeProxyVersion: "",
  operatingSystem: "",
  architecture: "",
};

/** As kube-apiserver 1.37.2 sends them; kinds that are not here have nothing. */
const EMPTY: Readonly<Record<string, object>> = {
  "v1/Namespace": { spec: {}, status: {} },
  "v1/Service": { spec: {}, status: { loadBalancer: {} } },
  "v1/Pod": { spec: { containers: null }, status: {} },
  "v1/Node": {
    spec: {},
    status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: NODE_INFO },
  },
  "v1/Event": {
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: "",
    reportingInstance: "",
  },
  "v1/PersistentVolumeClaim": { spec: { resources: {} }, status: {} },
  "apps/v1/Deployment": { spec: { replicas: 0, ...WORKLOAD, strategy: {} }, status: {} },
  "apps/v1/ReplicaSet": { spec: { replicas: 0, ...WORKLOAD }, status: { replicas: 0 } },
  "apps/v1/StatefulSet": {
    spec: { replicas: 0, ...WORKLOAD, serviceName: "", updateStrategy: {} },
    status: { replicas: 0, availableReplicas: 0 },
  },
  "apps/v1/DaemonSet": {
    spec: { ...WORKLOAD, updateStrategy: {} },
    status: {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    },
  },
  "apps/v1/ControllerRevision": { data: null, revision: 0 },
  "batch/v1/Job": { spec: { template: TEMPLATE }, status: {} },
  "batch/v1/CronJob": {
    spec: { schedule: "", jobTemplate: { metadata: {}, spec: { template: TEMPLATE } } },
    status: {},
  },
  "networking.k8s.io/v1/Ingress": { spec: {}, status: { loadBalancer: {} } },
  "networking.k8s.io/v1/IngressClass": { spec: {} },
  "networking.k8s.io/v1/NetworkPolicy": { spec: { podSelector: {} } },
  "rbac.authorization.k8s.io/v1/Role": { rules: null },
  "rbac.authorization.k8s.io/v1/RoleBinding": BINDING,
  "rbac.authorization.k8s.io/v1/ClusterRole": { rules: null },
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": BINDING,
  "policy/v1/PodDisruptionBudget": {
    spec: {},
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  },
  "autoscaling/v2/HorizontalPodAutoscaler": {
    spec: TARGET,
    status: { desiredReplicas: 0, currentMetrics: null },
  },
  "autoscaling/v1/HorizontalPodAutoscaler": {
    spec: TARGET,
    status: { currentReplicas: 0, desiredReplicas: 0 },
  },
  "coordination.k8s.io/v1/Lease": { spec: {} },
  "discovery.k8s.io/v1/EndpointSlice": { addressType: "", endpoints: null, ports: null },
  "events.k8s.io/v1/Event": {
    eventTime: null,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  },
  "scheduling.k8s.io/v1/PriorityClass": { value: 0 },
  "storage.k8s.io/v1/StorageClass": { provisioner: "" },
  "apiextensions.k8s.io/v1/CustomResourceDefinition": {
    spec: { group: "", names: { plural: "", kind: "" }, scope: "", versions: null },
    status: { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null },
  },
  "flowcontrol.apiserver.k8s.io/v1/FlowSchema": {
    spec: { priorityLevelConfiguration: { name: "" }, matchingPrecedence: 0 },
    status: {},
  },
  "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": { spec: { type: "" }, status: {} },
};
