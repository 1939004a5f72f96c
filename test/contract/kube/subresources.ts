import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  NAMESPACES,
  PODS,
  pod,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const D = `${DEPLOYMENTS}/a`;
const W = `${WIDGETS}/a`;
const SCALED = {
  status: {},
  scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
};
const scale = (replicas: number, metadata: object = {}) => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name: "a", ...metadata },
  spec: { replicas },
});

export const scenarios = [
  scenario("the status of a Deployment is written apart", async (api) => {
    await api.post(DEPLOYMENTS, { ...deployment("a"), status: { replicas: 5 } });
    await api.get(`${D}/status`);
    await api.merge(D, { status: { replicas: 6 } });
    await api.merge(`${D}/status`, { spec: { replicas: 7 }, status: { replicas: 1 } });
    await api.merge(`${D}/status`, {
      metadata: { labels: { x: "1" }, finalizers: ["example.com/x"] },
    });
    await api.merge(`${D}/status`, { status: { replicas: -1 } });
    await api.merge(`${DEPLOYMENTS}/none/status`, { status: {} });
    await api.delete(`${D}/status`);
    await api.post(`${D}/status`, deployment("a"));
  }),
  scenario("the status of a custom resource is written apart", async (api) => {
    await defineWidgets(api);
    await api.post(WIDGETS, widget("a", { spec: { size: 1 }, status: { phase: "x" } }));
    await api.get(`${W}/status`);
    await api.merge(W, { status: { phase: "y" } });
    const now = await api.merge(`${W}/status`, { spec: { size: 7 }, status: { phase: "z" } });
    await api.merge(`${W}/status`, {
      metadata: { labels: { x: "1" }, finalizers: ["example.com/x"] },
    });
    await api.merge(`${W}/status`, { status: { phase: 5 } });
    await api.merge(`${W}/status`, { status: { unknown: 5 } });
    await api.put(W, widget("a", { spec: { size: 2 } }, { resourceVersion: now.version }));
    const read = await api.quiet.get(W);
    await api.put(W, widget("a", { spec: { size: 2 } }, { resourceVersion: read.version }));
    await api.merge(`${W}/status`, { status: null });
    await api.merge(`${WIDGETS}/none/status`, { status: {} });
    await api.delete(`${W}/status`);
  }),
  scenario("a Deployment's scale", async (api) => {
    const made = await api.quiet.post(DEPLOYMENTS, deployment("a"));
    await api.quiet.merge(`${D}/status`, { status: { replicas: 1 } });
    await api.get(`${D}/scale`);
    await api.put(`${D}/scale`, scale(3));
    await api.get(D);
    await api.merge(`${D}/scale`, { spec: { replicas: 4 } });
    await api.strategic(`${D}/scale`, { spec: { replicas: 5 } });
    await api.json(`${D}/scale`, [{ op: "replace", path: "/spec/replicas", value: 6 }]);
    await api.apply(`${D}/scale?fieldManager=ann`, scale(6));
    await api.put(`${D}/scale`, scale(-1));
    await api.put(`${D}/scale`, scale(8, { resourceVersion: made.version }));
    await api.put(`${D}/scale`, { ...scale(8), metadata: { name: "b" } });
    await api.merge(`${D}/scale?dryRun=All`, { spec: { replicas: 9 } });
    await api.merge(`${DEPLOYMENTS}/none/scale`, { spec: { replicas: 1 } });
    await api.get(`${DEPLOYMENTS}/none/scale`);
    await api.merge(`${D}/scale`, { spec: { replicas: 6 } });
  }),
  scenario("a custom resource's scale", async (api) => {
    await defineWidgets(api, { subresources: SCALED });
    await api.quiet.post(WIDGETS, widget("a", { spec: { replicas: 2 } }));
    await api.quiet.merge(`${W}/status`, { status: { replicas: 1 } });
    await api.get(`${W}/scale`);
    const read = await api.put(`${W}/scale`, scale(3));
    await api.put(`${W}/scale`, scale(3, { resourceVersion: read.version }));
    await api.merge(`${W}/scale`, { spec: { replicas: 4 } });
    await api.get(W);
    await api.merge(`${W}/scale`, { spec: { replicas: -1 } });
    await api.json(`${W}/scale`, [{ op: "replace", path: "/spec/replicas", value: 6 }]);
    await api.merge(`${WIDGETS}/none/scale`, { spec: { replicas: 1 } });
    await api.quiet.post(WIDGETS, widget("b"));
    await api.get(`${WIDGETS}/b/scale`);
    await api.merge(`${WIDGETS}/b/scale`, { spec: { replicas: 4 } });
  }),
  scenario("subresources that are not served", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await api.get(`${CONFIG_MAPS}/a/status`);
    await api.get(`${CONFIG_MAPS}/a/scale`);
    await defineWidgets(api, { subresources: null });
    await api.quiet.post(WIDGETS, widget("a"));
    await api.get(`${W}/status`);
    await api.get(`${W}/scale`);
    await api.merge(`${W}/scale`, { spec: { replicas: 1 } });
    await api.get(`${W}/nothing`);
  }),
  scenario("a Pod's status, and a Pod bound to a node", async (api) => {
    await api.quiet.post(PODS, pod("a"));
    await api.strategic(`${PODS}/a/status`, {
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
    });
    await api.post(`${PODS}/a/binding`, {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "a" },
      target: { kind: "Node", name: "n" },
    });
    await api.get(`${PODS}/a`);
    await api.post(`${PODS}/a/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "a", namespace: "{ns}" },
    });
  }),
  scenario("a Namespace's finalizers are written apart", async (api) => {
    await api.get(`${NAMESPACES}/{ns}/status`);
    await api.merge(`${NAMESPACES}/{ns}`, {
      spec: { finalizers: ["example.com/x", "kubernetes"] },
    });
  }),
];
