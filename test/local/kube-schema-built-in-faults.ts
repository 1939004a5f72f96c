import type { BuiltInCase } from "./kube-schema-built-in-cases.ts";

type Fields = Readonly<Record<string, unknown>>;

const labels = { app: "a" };
const selector = { matchLabels: labels };
const container = { name: "main", image: "nginx" };
const podSpec = { containers: [container] };
const template = { metadata: { labels }, spec: podSpec };

const cases = new Map<string, BuiltInCase>();

function add(apiVersion: string, kind: string, fields: Fields): BuiltInCase {
  const metadata = { name: "x", ...(fields.metadata as Fields | undefined) };
  const object = { apiVersion, kind, ...fields, metadata };
  const made = { name: JSON.stringify({ kind, ...fields }), object };
  cases.set(made.name, made);
  return made;
}

const named = (kind: string, metadata: Fields) =>
  add("v1", kind, { metadata, ...(kind === "Service" && { spec: { ports: [{ port: 80 }] } }) });
const pod = (spec: Fields) => add("v1", "Pod", { spec });
const containers = (...list: readonly Fields[]) =>
  pod({ containers: list.map((each) => ({ ...container, ...each })) });
const deployment = (spec: Fields) =>
  add("apps/v1", "Deployment", { spec: { selector, template, ...spec } });
const service = (spec: Fields) => add("v1", "Service", { spec });
const job = (spec: Fields) =>
  add("batch/v1", "Job", {
    spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } }, ...spec },
  });
const cronJob = (spec: Fields) => {
  const jobTemplate = { spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } } } };
  add("batch/v1", "CronJob", { spec: { schedule: "* * * * *", jobTemplate, ...spec } });
};

for (const kind of ["ConfigMap", "Service", "Namespace"]) {
  for (const name of ["X_y", "a.b", "1a", "-a", "a".repeat(64), "a".repeat(254), ""]) {
    named(kind, { name });
  }
}
for (const value of ["-a", "a b", "a".repeat(64), "ok", ""])
  named("ConfigMap", { labels: { a: value } });
for (const key of ["a/b/c", "-a", "A.B/c", "a/", "a".repeat(64), "x_y/z"]) {
  named("ConfigMap", { labels: { [key]: "v" } });
  named("ConfigMap", { annotations: { [key]: "v" } });
}
named("ConfigMap", { finalizers: ["a b", "plain", "a.example/b"] });
named("ConfigMap", { generateName: "X_" });
named("ConfigMap", { ownerReferences: [{ apiVersion: "v1", kind: "", name: "", uid: "" }] });
named("ConfigMap", { ownerReferences: [{ apiVersion: "", kind: "Pod", name: "a", uid: "u" }] });
named("ConfigMap", {
  ownerReferences: ["a", "b"].map((name) => ({
    apiVersion: "v1",
    kind: "Pod",
    name,
    uid: name,
    controller: true,
  })),
});
named("ConfigMap", { namespace: "other" });
// Pods
pod({});
pod({ containers: [] });
pod({ containers: [{}] });
containers({ name: "X" }, { name: "a".repeat(64) });
containers({}, {});
containers({ image: " a" }, { name: "b", image: "" });
containers({ imagePullPolicy: "Sometimes" });
containers({
  ports: [{ containerPort: 0 }, { containerPort: 70_000 }, { containerPort: 1, protocol: "X" }],
});
containers({
  ports: [
    { containerPort: 1, name: "Web_1" },
    { containerPort: 2, name: "a".repeat(16) },
    { containerPort: 3, name: "1" },
  ],
});
containers({
  ports: [
    { containerPort: 1, name: "a" },
    { containerPort: 2, name: "a" },
  ],
});
containers({
  ports: [
    { containerPort: 1, hostPort: 5 },
    { containerPort: 2, hostPort: 5 },
  ],
});
containers({
  env: [
    { name: "" },
    { name: "a=b" },
    { name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "B", valueFrom: {} },
  ],
});
containers({
  volumeMounts: [
    { name: "v", mountPath: "/a" },
    { name: "w", mountPath: "" },
  ],
});
containers({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } });
containers({ resources: { requests: { cpu: "-1" } } });
containers({ resources: { requests: { gpu: "1" } } });
containers({ livenessProbe: {} });
containers({
  livenessProbe: { httpGet: { port: 0 } },
  readinessProbe: { tcpSocket: { port: 1 }, periodSeconds: -1, successThreshold: 2 },
});
containers({ livenessProbe: { tcpSocket: { port: 1 }, successThreshold: 2 } });
containers({ livenessProbe: { tcpSocket: { port: 1 }, httpGet: { port: 1 } } });
containers({ terminationMessagePolicy: "x" });
pod({ ...podSpec, restartPolicy: "Sometimes" });
pod({ ...podSpec, dnsPolicy: "x" });
pod({ ...podSpec, terminationGracePeriodSeconds: -5 });
pod({ ...podSpec, activeDeadlineSeconds: 0 });
pod({ ...podSpec, volumes: [{ name: "a" }, { name: "a" }, { name: "B" }, { name: "" }] });
pod({
  ...podSpec,
  volumes: [
    { name: "a", secret: {} },
    { name: "b", emptyDir: {}, configMap: { name: "x" } },
  ],
});
pod({ ...podSpec, nodeSelector: { "a b": "c d" } });
pod({ ...podSpec, nodeName: "X" });
pod({ ...podSpec, serviceAccountName: "X" });
pod({
  ...podSpec,
  tolerations: [{ operator: "x" }, { key: "a", operator: "Exists", value: "b" }, { effect: "x" }],
});
pod({ ...podSpec, initContainers: [{ ...container, ports: [] }] });
pod({ ...podSpec, hostname: "X.y" });
// Workloads
add("apps/v1", "Deployment", { spec: {} });
add("apps/v1", "Deployment", { spec: { selector: {}, template } });
add("apps/v1", "Deployment", { spec: { selector, template: { spec: podSpec } } });
add("apps/v1", "Deployment", {});
deployment({ selector: { matchLabels: { app: "b" } } });
deployment({
  selector: {
    matchExpressions: [
      { key: "a", operator: "x" },
      { key: "b", operator: "In" },
      { key: "c", operator: "Exists", values: ["d"] },
    ],
  },
});
deployment({
  replicas: -1,
  minReadySeconds: -1,
  revisionHistoryLimit: -1,
  progressDeadlineSeconds: 0,
});
deployment({ minReadySeconds: 700 });
deployment({ template: { metadata: { labels }, spec: { ...podSpec, restartPolicy: "Never" } } });
deployment({ template: { metadata: { labels }, spec: { ...podSpec, activeDeadlineSeconds: 5 } } });
deployment({ strategy: { type: "x" } });
deployment({ strategy: { type: "Recreate", rollingUpdate: {} } });
deployment({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } });
deployment({ strategy: { rollingUpdate: { maxSurge: "x%", maxUnavailable: -1 } } });
deployment({ strategy: { rollingUpdate: { maxUnavailable: "101%" } } });
for (const kind of ["ReplicaSet", "DaemonSet", "StatefulSet"]) {
  add("apps/v1", kind, { spec: {} });
  add("apps/v1", kind, { spec: { selector: { matchLabels: { app: "b" } }, template } });
  add("apps/v1", kind, {
    spec: { selector, template, replicas: kind === "DaemonSet" ? undefined : -1 },
  });
  add("apps/v1", kind, {
    spec: {
      selector,
      template: {
        metadata: { labels },
        spec: { containers: [{ ...container, name: "X" }], restartPolicy: "Never" },
      },
    },
  });
}
add("apps/v1", "StatefulSet", {
  spec: { selector, template, podManagementPolicy: "x", updateStrategy: { type: "x" } },
});
job({ template: { spec: podSpec } });
job({ template: { spec: { ...podSpec, restartPolicy: "Always" } } });
job({
  parallelism: -1,
  completions: -1,
  backoffLimit: -1,
  activeDeadlineSeconds: -1,
  ttlSecondsAfterFinished: -1,
});
job({ completionMode: "Indexed" });
job({ completionMode: "x" });
add("batch/v1", "Job", { spec: {} });
for (const schedule of [
  "",
  "x",
  "* * * *",
  "60 * * * *",
  "@hourly",
  "@never",
  "*/5 * * * *",
  "TZ=UTC * * * * *",
  "1-70 * * * *",
])
  cronJob({ schedule });
cronJob({
  concurrencyPolicy: "x",
  startingDeadlineSeconds: -1,
  successfulJobsHistoryLimit: -1,
  failedJobsHistoryLimit: -1,
});
cronJob({ timeZone: "Mars/Base" });
// Services
service({});
service({ ports: [{ port: 0 }, { port: 70_000 }] });
service({ ports: [{ port: 1 }, { port: 2 }] });
service({
  ports: [
    { port: 1, name: "a" },
    { port: 1, name: "b" },
  ],
});
service({
  ports: [
    { port: 1, name: "a" },
    { port: 2, name: "a" },
  ],
});
service({ ports: [{ port: 1, name: "A_b" }] });
service({
  ports: [
    { port: 1, targetPort: "A_b" },
    { port: 2, targetPort: 70_000, name: "b" },
  ],
});
service({ ports: [{ port: 1, protocol: "X" }] });
service({ ports: [{ port: 1 }], type: "x" });
service({ ports: [{ port: 1 }], selector: { "a b": "c d" } });
service({ type: "ExternalName" });
service({ type: "ExternalName", externalName: "a_b" });
service({ ports: [{ port: 1 }], clusterIP: "x" });
service({ ports: [{ port: 1 }], sessionAffinity: "x" });
service({ ports: [{ port: 1, nodePort: 5 }], type: "NodePort" });
service({ ports: [{ port: 1, nodePort: 30_000 }] });
service({ ports: [{ port: 1 }], type: "NodePort", clusterIP: "None" });
service({ ports: [{ port: 1 }], externalTrafficPolicy: "Local" });
// Others
add("v1", "ConfigMap", { data: { "a b": "x", "": "y" }, binaryData: { "a/b": "aGk=" } });
add("v1", "ConfigMap", { data: { a: "x" }, binaryData: { a: "aGk=" } });
add("v1", "Secret", { data: { "a b": "eA==" } });
add("v1", "Secret", { type: "kubernetes.io/tls" });
add("v1", "Secret", { type: "kubernetes.io/basic-auth" });
add("v1", "Secret", { type: "kubernetes.io/service-account-token" });
add("v1", "PersistentVolumeClaim", {});
add("v1", "PersistentVolumeClaim", {
  spec: { accessModes: ["x"], resources: { requests: { storage: "0" } } },
});
add("v1", "PersistentVolumeClaim", {
  spec: {
    accessModes: ["ReadWriteOnce"],
    volumeMode: "x",
    storageClassName: "X",
    resources: { requests: { storage: "1Gi" } },
  },
});
add("v1", "Event", { involvedObject: { kind: "Pod", namespace: "other" } });
add("v1", "Event", {});
add("events.k8s.io/v1", "Event", {});
add("networking.k8s.io/v1", "Ingress", {});
add("networking.k8s.io/v1", "Ingress", { spec: { rules: [{ host: "A_b" }] } });
add("networking.k8s.io/v1", "Ingress", { spec: { rules: [{ http: { paths: [] } }] } });
add("networking.k8s.io/v1", "Ingress", {
  spec: { rules: [{ http: { paths: [{ path: "x", backend: {} }] } }] },
});
add("networking.k8s.io/v1", "Ingress", {
  spec: {
    rules: [
      {
        http: {
          paths: [{ path: "x", pathType: "Prefix", backend: { service: { name: "S", port: {} } } }],
        },
      },
    ],
  },
});
add("networking.k8s.io/v1", "Ingress", {
  spec: {
    rules: [
      {
        http: {
          paths: [{ pathType: "x", backend: { service: { name: "s", port: { name: "A" } } } }],
        },
      },
    ],
  },
});
add("networking.k8s.io/v1", "Ingress", {
  spec: { ingressClassName: "X", defaultBackend: { service: { name: "", port: { number: 0 } } } },
});
add("networking.k8s.io/v1", "IngressClass", { spec: { controller: "x" } });
add("networking.k8s.io/v1", "NetworkPolicy", {
  spec: { podSelector: { matchLabels: { a: "b c" } }, policyTypes: ["x"] },
});
add("networking.k8s.io/v1", "NetworkPolicy", {
  spec: { podSelector: {}, ingress: [{ from: [{}], ports: [{ port: 0, protocol: "X" }] }] },
});
add("rbac.authorization.k8s.io/v1", "Role", { rules: [{ apiGroups: [""], resources: ["pods"] }] });
add("rbac.authorization.k8s.io/v1", "Role", { rules: [{ verbs: ["get"] }] });
add("rbac.authorization.k8s.io/v1", "Role", {
  rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }],
});
add("rbac.authorization.k8s.io/v1", "ClusterRole", {
  rules: [{ apiGroups: [""], verbs: ["get"] }],
});
add("rbac.authorization.k8s.io/v1", "RoleBinding", {});
add("rbac.authorization.k8s.io/v1", "RoleBinding", {
  roleRef: { kind: "x", name: "" },
  subjects: [
    { kind: "x", name: "" },
    { kind: "ServiceAccount", name: "s" },
  ],
});
add("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", { roleRef: { kind: "Role", name: "r" } });
add("policy/v1", "PodDisruptionBudget", { spec: { selector, minAvailable: 1, maxUnavailable: 1 } });
add("policy/v1", "PodDisruptionBudget", { spec: { selector, minAvailable: "x" } });
add("policy/v1", "PodDisruptionBudget", { spec: { selector, maxUnavailable: -1 } });
add("autoscaling/v2", "HorizontalPodAutoscaler", {});
add("autoscaling/v2", "HorizontalPodAutoscaler", {
  spec: {
    minReplicas: 5,
    maxReplicas: 3,
    scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
  },
});
add("autoscaling/v2", "HorizontalPodAutoscaler", {
  spec: {
    minReplicas: 0,
    maxReplicas: 0,
    scaleTargetRef: { kind: "", name: "", apiVersion: "apps/v1" },
  },
});
add("coordination.k8s.io/v1", "Lease", { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } });
add("coordination.k8s.io/v1", "Lease", { spec: { holderIdentity: "" } });
add("discovery.k8s.io/v1", "EndpointSlice", { endpoints: [{ addresses: ["x"] }] });
add("discovery.k8s.io/v1", "EndpointSlice", {
  addressType: "IPv4",
  endpoints: [{ addresses: ["x"] }, { addresses: [] }],
});
add("discovery.k8s.io/v1", "EndpointSlice", { addressType: "x", endpoints: [] });
add("storage.k8s.io/v1", "StorageClass", {});
add("storage.k8s.io/v1", "StorageClass", {
  provisioner: "a b",
  reclaimPolicy: "x",
  volumeBindingMode: "x",
});
add("scheduling.k8s.io/v1", "PriorityClass", { value: 2_000_000_000, preemptionPolicy: "x" });
add("v1", "ServiceAccount", { metadata: { name: "X" } });
add("v1", "Node", { metadata: { name: "X" } });
// What cannot be decoded
deployment({ replicas: "3" });
deployment({ replicas: 1.5 });
deployment({ replicas: 3_000_000_000 });
deployment({ paused: "true" });
deployment({ template: [] });
deployment({ template: "x" });
pod({ containers: {} });
pod({ containers: ["x"] });
containers({ image: 5 });
containers({ image: true });
containers({ command: "x" });
containers({ command: [1] });
containers({ resources: { limits: { cpu: "x" } } });
containers({ resources: { limits: { cpu: true } } });
containers({ ports: [{ containerPort: "80" }] });
containers({ livenessProbe: { httpGet: { port: true } } });
pod({ ...podSpec, nodeSelector: { a: 1 } });
pod({ ...podSpec, nodeSelector: "a" });
named("ConfigMap", { labels: { a: 1 } });
named("ConfigMap", { labels: ["a"] });
named("ConfigMap", { annotations: { a: true } });
named("ConfigMap", { creationTimestamp: "x" });
add("v1", "ConfigMap", { data: { a: 1 } });
add("v1", "ConfigMap", { data: { a: {} } });
add("v1", "Secret", { data: { a: "not base64!" } });
add("v1", "Secret", { data: { a: 5 } });
add("coordination.k8s.io/v1", "Lease", { spec: { renewTime: "2026-11-30T18:12:19.123Z" } });
add("coordination.k8s.io/v1", "Lease", { spec: { leaseDurationSeconds: "15" } });
service({ ports: [{ port: "80" }] });
service({ ports: { port: 80 } });
service("x" as never);

/** Objects with faults that controllers' authors make. */
export const invalidBuiltIns: readonly BuiltInCase[] = [...cases.values()];
