import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  deployment,
  JOBS,
  PODS,
  pod,
  SECRETS,
  SERVICES,
  service,
  template,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const APPS = "/apis/apps/v1/namespaces/{ns}";
const workload = (kind: string, spec: object = {}) => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "a" },
  spec: { selector: { matchLabels: { app: "a" } }, template: template("a"), ...spec },
});

export const scenarios = [
  scenario("a Deployment's selector", async (api) => {
    const path = `${DEPLOYMENTS}/a`;
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    const labels = { app: "b" };
    await api.merge(path, {
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
    });
    await api.merge(path, { spec: { selector: { matchLabels: labels } } });
    await api.merge(path, { spec: { template: { metadata: { labels } } } });
  }),
  scenario("a ReplicaSet's, a DaemonSet's and a StatefulSet's spec", async (api) => {
    const labels = { app: "b" };
    const other = {
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
    };
    await api.quiet.post(`${APPS}/replicasets`, workload("ReplicaSet"));
    await api.merge(`${APPS}/replicasets/a`, other);
    await api.quiet.post(`${APPS}/daemonsets`, workload("DaemonSet"));
    await api.merge(`${APPS}/daemonsets/a`, other);
    await api.quiet.post(`${APPS}/statefulsets`, workload("StatefulSet", { serviceName: "a" }));
    await api.merge(`${APPS}/statefulsets/a`, other);
    await api.merge(`${APPS}/statefulsets/a`, { spec: { serviceName: "b" } });
    await api.merge(`${APPS}/statefulsets/a`, { spec: { podManagementPolicy: "Parallel" } });
  }),
  scenario("a Job's template, selector and completions", async (api) => {
    const path = `${JOBS}/a`;
    const spec = { template: template("a", { restartPolicy: "Never" }) };
    await api.quiet.post(JOBS, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "a" },
      spec,
    });
    await api.strategic(path, {
      spec: { template: { spec: { containers: [{ name: "main", image: "app:2" }] } } },
    });
    await api.merge(path, { spec: { completions: 5 } });
    await api.merge(path, { spec: { completionMode: "Indexed" } });
    await api.merge(path, { spec: { parallelism: 2 } });
    await api.merge(path, { spec: { selector: { matchLabels: { a: "b" } } } });
  }),
  scenario("a Service's cluster IP", async (api) => {
    const path = `${SERVICES}/a`;
    await api.quiet.post(SERVICES, service("a"));
    await api.merge(path, { spec: { clusterIP: "10.0.0.250" } });
    await api.merge(path, { spec: { clusterIP: null, clusterIPs: null } });
    await api.merge(path, { spec: { clusterIP: "None" } });
    await api.merge(path, { spec: { type: "NodePort" } });
    await api.merge(path, { spec: { type: "ExternalName", externalName: "x.example.com" } });
    await api.post(SERVICES, service("b", { clusterIP: "None" }));
    await api.merge(`${SERVICES}/b`, { spec: { clusterIP: "" } });
  }),
  scenario("what is marked immutable", async (api) => {
    const path = `${CONFIG_MAPS}/a`;
    await api.post(CONFIG_MAPS, configMap("a", { immutable: true, data: { one: "1" } }));
    await api.merge(path, { data: { one: "2" } });
    await api.merge(path, { binaryData: { bin: "AAEC" } });
    await api.merge(path, { immutable: false });
    await api.merge(path, { immutable: null });
    await api.merge(path, { metadata: { labels: { x: "1" } } });
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } };
    await api.quiet.post(SECRETS, { ...secret, immutable: true, data: { one: "AAEC" } });
    await api.merge(`${SECRETS}/a`, { data: { one: "AAAA" } });
    await api.merge(`${SECRETS}/a`, { stringData: { one: "x" } });
    await api.merge(`${SECRETS}/a`, { immutable: false });
    await api.merge(`${SECRETS}/a`, { type: "other" });
  }),
  scenario("a Secret's type", async (api) => {
    await api.quiet.post(SECRETS, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } });
    await api.merge(`${SECRETS}/a`, { type: "example.com/other" });
  }),
  scenario("a PersistentVolumeClaim's spec", async (api) => {
    const path = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
    await api.quiet.post(path, {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "a" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
    await api.merge(`${path}/a`, { spec: { accessModes: ["ReadWriteMany"] } });
    await api.merge(`${path}/a`, { spec: { resources: { requests: { storage: "2Gi" } } } });
  }),
  scenario("a Pod's spec", async (api) => {
    const path = `${PODS}/a`;
    await api.quiet.post(PODS, pod("a"));
    await api.strategic(path, { spec: { containers: [{ name: "main", image: "app:2" }] } });
    await api.strategic(path, { spec: { containers: [{ name: "more", image: "app:2" }] } });
    await api.strategic(path, { spec: { restartPolicy: "Never" } });
    await api.strategic(path, { spec: { terminationGracePeriodSeconds: 5 } });
  }),
  scenario("a role binding's role, and a priority class's value", async (api) => {
    const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings";
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
    const metadata = { name: "a" };
    await api.quiet.post(rbac, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata,
      roleRef,
    });
    await api.merge(`${rbac}/a`, { roleRef: { name: "other" } });
    const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
    const priority = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", value: 5 };
    await api.quiet.post(classes, { ...priority, metadata: { name: "{ns}" } });
    await api.merge(`${classes}/{ns}`, { value: 6 });
    await api.quiet.delete(`${classes}/{ns}`);
  }),
];
