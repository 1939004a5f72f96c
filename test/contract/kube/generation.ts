import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  JOBS,
  PODS,
  pod,
  SERVICES,
  service,
  template,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const label = { metadata: { labels: { x: "1" } } };
const annotation = { metadata: { annotations: { x: "1" } } };
const finalizer = { metadata: { finalizers: ["example.com/x"] } };

export const scenarios = [
  scenario("a Deployment's generation follows its spec and its annotations", async (api) => {
    const path = `${DEPLOYMENTS}/a`;
    await api.quiet.post(DEPLOYMENTS, deployment("a", {}, { generation: 7 }));
    await api.merge(path, label);
    await api.merge(path, annotation);
    await api.merge(path, { spec: { replicas: 3 } });
    await api.merge(`${path}/status`, { status: { replicas: 3 } });
    await api.merge(path, { metadata: { generation: 9 } });
    await api.merge(path, finalizer);
    await api.delete(path);
    await api.delete(path);
  }),
  scenario("a Job's generation follows its spec", async (api) => {
    const path = `${JOBS}/a`;
    const spec = { template: template("a", { restartPolicy: "Never" }) };
    await api.post(JOBS, { apiVersion: "batch/v1", kind: "Job", metadata: { name: "a" }, spec });
    await api.merge(path, annotation);
    await api.merge(path, { spec: { suspend: true } });
    await api.merge(path, { spec: { suspend: true } });
  }),
  scenario("a Service and a ConfigMap have no generation", async (api) => {
    await api.quiet.post(SERVICES, service("a", {}, { finalizers: ["example.com/x"] }));
    await api.merge(`${SERVICES}/a`, { spec: { selector: { a: "b" } } });
    await api.delete(`${SERVICES}/a`);
    await api.post(CONFIG_MAPS, configMap("a", {}, { generation: 7 }));
    await api.merge(`${CONFIG_MAPS}/a`, { data: { x: "1" }, ...finalizer });
    await api.delete(`${CONFIG_MAPS}/a`);
  }),
  scenario("a Pod's generation", async (api) => {
    await api.quiet.post(PODS, pod("a"));
    await api.merge(`${PODS}/a`, label);
    await api.merge(`${PODS}/a`, { spec: { activeDeadlineSeconds: 100 } });
    await api.merge(`${PODS}/a/status`, { status: { phase: "Running" } });
  }),
  scenario("a custom resource's with a status subresource", async (api) => {
    await defineWidgets(api);
    const path = `${WIDGETS}/a`;
    await api.post(WIDGETS, widget("a", { spec: { size: 1 } }, { generation: 7 }));
    await api.merge(path, label);
    await api.merge(path, annotation);
    await api.merge(path, { spec: { size: 2 } });
    await api.merge(path, { status: { phase: "x" } });
    await api.merge(`${path}/status`, { status: { phase: "x" } });
    await api.merge(path, { metadata: { generation: 9 } });
    await api.merge(path, finalizer);
    await api.delete(path);
    await api.delete(path);
    await api.merge(path, { spec: { size: 3 } });
  }),
  scenario("a custom resource's without subresources", async (api) => {
    await defineWidgets(api, { subresources: null });
    const path = `${WIDGETS}/a`;
    await api.post(WIDGETS, widget("a", { spec: { size: 1 }, status: { phase: "x" } }));
    await api.merge(path, { status: { phase: "y" } });
    await api.merge(path, label);
    await api.merge(path, { spec: { size: 2 } });
    await api.merge(`${path}/status`, { status: { phase: "z" } });
  }),
  scenario("a StatefulSet's, an Ingress's and a NetworkPolicy's", async (api) => {
    const apps = "/apis/apps/v1/namespaces/{ns}/statefulsets";
    await api.quiet.post(apps, {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "a" },
      spec: { selector: { matchLabels: { app: "a" } }, serviceName: "a", template: template("a") },
    });
    await api.merge(`${apps}/a`, annotation);
    await api.merge(`${apps}/a`, { spec: { replicas: 2 } });
    const ingresses = "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses";
    const backend = { service: { name: "a", port: { number: 80 } } };
    await api.quiet.post(ingresses, {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "a" },
      spec: { defaultBackend: backend },
    });
    await api.merge(`${ingresses}/a`, annotation);
    await api.merge(`${ingresses}/a`, { spec: { ingressClassName: "c" } });
    const policies = "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies";
    await api.quiet.post(policies, {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "a" },
      spec: { podSelector: {} },
    });
    await api.merge(`${policies}/a`, { spec: { policyTypes: ["Egress"] } });
  }),
];
