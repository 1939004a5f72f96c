import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  SERVICES,
  service,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${CONFIG_MAPS}/a`;
const UID = "00000000-0000-4000-8000-000000000001";

export const scenarios = [
  scenario("a PUT replaces the object", async (api) => {
    const made = await api.post(
      CONFIG_MAPS,
      configMap("a", { data: { one: "1" } }, { labels: { x: "1" } }),
    );
    await api.put(A, configMap("a", { data: { two: "2" } }));
    const resourceVersion = made.version;
    await api.put(A, configMap("a", {}, { resourceVersion }));
    await api.put(A, configMap("a", {}, { resourceVersion: "" }));
    await api.put(A, configMap("a", {}, { resourceVersion: "0" }));
    await api.put(A, configMap("a", {}, { resourceVersion: "abc" }));
    await api.put(A, configMap("a", {}, { resourceVersion: "999999999" }));
    await api.put(A, configMap("a", { data: { three: "3" } }, { uid: made.uid }));
  }),
  scenario("what a PUT cannot change", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a", { data: { one: "1" } }));
    await api.put(A, configMap("a", {}, { uid: UID }));
    await api.put(A, configMap("b"));
    await api.put(A, configMap("a", {}, { namespace: "default" }));
    await api.put(A, { apiVersion: "v1", kind: "ConfigMap", metadata: {} });
    await api.put(A, configMap("a", {}, { creationTimestamp: "2020-01-01T00:00:00Z" }));
    await api.put(A, configMap("a", {}, { deletionTimestamp: "2020-01-01T00:00:00Z" }));
    await api.put(A, configMap("a", {}, { deletionGracePeriodSeconds: 5 }));
    await api.put(A, configMap("a", {}, { generateName: "g-" }));
    await api.put(A, configMap("a", {}, { generation: 5, selfLink: "/x" }));
    await api.put(A, { ...configMap("a"), kind: "Secret" });
    await api.put(A, { ...configMap("a"), apiVersion: "v2" });
    await api.put(A, { ...configMap("a"), apiVersion: "apps/v1" });
    await api.put(A, { metadata: { name: "a" } });
  }),
  scenario("a PUT of a body that is none", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await api.put(A, "");
    await api.put(A, "{");
    await api.put(A, "[]");
    await api.put(A, "null");
  }),
  scenario("a PUT of what is not there", async (api) => {
    await api.put(A, configMap("a"));
    await api.put(A, configMap("a", {}, { uid: UID }));
    await api.put(A, configMap("a", {}, { resourceVersion: "1" }));
    await api.put(`${DEPLOYMENTS}/a`, deployment("a"));
    await api.put("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/a", {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "a" },
      spec: { holderIdentity: "me" },
    });
    await api.put("/api/v1/namespaces/{ns}-none/configmaps/a", configMap("a"));
    await defineWidgets(api);
    await api.put(`${WIDGETS}/a`, widget("a"));
    await api.put(`${WIDGETS}/a`, widget("a", {}, { resourceVersion: "1" }));
  }),
  scenario("a PUT of a custom resource needs the version", async (api) => {
    await defineWidgets(api);
    const path = `${WIDGETS}/a`;
    const made = await api.post(WIDGETS, widget("a", { spec: { size: 1 } }));
    await api.put(path, widget("a", { spec: { size: 2 } }));
    await api.put(path, widget("a", { spec: { size: 2 } }, { resourceVersion: made.version }));
    await api.put(path, widget("a", { spec: { size: 3 } }, { resourceVersion: made.version }));
    await api.put(path, widget("b", {}, { resourceVersion: made.version }));
    const now = await api.get(path);
    const metadata = { resourceVersion: now.version };
    await api.put(path, widget("a", { spec: { size: 3 } }, { ...metadata, uid: UID }));
    await api.put(path, { ...widget("a", {}, metadata), kind: "Gadget" });
    await api.put(path, { ...widget("a", {}, metadata), apiVersion: "{ns}.example.com/v2" });
    await api.put(`${path}/status`, widget("a", { status: { phase: "x" } }));
    await api.put(
      `${path}/status`,
      widget("a", { spec: { size: 9 }, status: { phase: "x" } }, metadata),
    );
  }),
  scenario("what a PUT of a Service keeps and what a PUT of a Deployment refuses", async (api) => {
    await api.quiet.post(SERVICES, service("a"));
    await api.put(`${SERVICES}/a`, service("a", { ports: [{ port: 81 }] }));
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    await api.put(`${DEPLOYMENTS}/a`, deployment("a", { replicas: 3 }));
    await api.put(`${DEPLOYMENTS}/a/status`, {
      ...deployment("a", { replicas: 9 }),
      status: { replicas: 2 },
    });
    await api.put(`${DEPLOYMENTS}/a`, { ...deployment("a"), status: { replicas: 5 } });
  }),
];
