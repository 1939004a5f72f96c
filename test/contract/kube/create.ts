import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  NAMESPACES,
  PODS,
  pod,
  SERVICES,
  service,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const namespace = (name: string, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, ...metadata },
});

export const scenarios = [
  scenario("a name is taken", async (api) => {
    await api.post(CONFIG_MAPS, configMap("a", { data: { key: "1" } }));
    await api.post(CONFIG_MAPS, configMap("a"));
    await api.post(NAMESPACES, namespace("{ns}"));
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    await api.post(DEPLOYMENTS, deployment("a"));
  }),
  scenario("a watch tells of a creation", async (api) => {
    const list = await api.get(CONFIG_MAPS);
    const watch = await api.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${list.version}`);
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await watch.take(1);
    watch.close();
  }),
  scenario("fields of metadata that a create sets or ignores", async (api) => {
    const metadata = {
      uid: "00000000-0000-4000-8000-000000000001",
      creationTimestamp: "2020-01-01T00:00:00Z",
      deletionTimestamp: "2020-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 5,
      generation: 7,
      selfLink: "/x",
    };
    await api.post(CONFIG_MAPS, configMap("a", {}, metadata));
    await api.post(CONFIG_MAPS, configMap("b", {}, { resourceVersion: "1" }));
    await api.post(CONFIG_MAPS, configMap("b", {}, { resourceVersion: "0" }));
    await api.post(CONFIG_MAPS, configMap("c", {}, { resourceVersion: "" }));
    await api.post(
      CONFIG_MAPS,
      configMap("d", {}, { labels: null, annotations: {}, finalizers: [] }),
    );
    await defineWidgets(api);
    await api.post(WIDGETS, widget("a", {}, metadata));
    await api.post(WIDGETS, widget("b", {}, { resourceVersion: "1" }));
  }),
  scenario("names that the server makes", async (api) => {
    const meta = (metadata: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata });
    const made = await api.post(CONFIG_MAPS, meta({ generateName: "made-" }));
    await api.get(`${CONFIG_MAPS}/${made.object.metadata.name}`);
    await api.post(CONFIG_MAPS, meta({ name: "named", generateName: "made-" }));
    await api.post(CONFIG_MAPS, meta({}));
    await api.post(CONFIG_MAPS, meta({ name: "" }));
    await api.post(CONFIG_MAPS, { apiVersion: "v1", kind: "ConfigMap" });
    await api.post(CONFIG_MAPS, meta({ generateName: `${"x".repeat(70)}-` }));
  }),
  scenario("names that are none", async (api) => {
    await api.post(CONFIG_MAPS, configMap("Upper"));
    await api.post(CONFIG_MAPS, configMap("under_score"));
    await api.post(CONFIG_MAPS, configMap("with.dots"));
    await api.post(CONFIG_MAPS, configMap("x".repeat(254)));
    await api.post(CONFIG_MAPS, configMap("-a"));
    await api.post(SERVICES, service("1a"));
    await api.post(SERVICES, service("with.dots"));
    await api.post(SERVICES, service("x".repeat(64)));
    await api.post(NAMESPACES, namespace("with.dots"));
    await api.post(PODS, pod("Upper"));
    await api.post(DEPLOYMENTS, deployment("Upper"));
    await api.post("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "Any:thing goes" },
      rules: [],
    });
    await api.post("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "a/b" },
      rules: [],
    });
    await defineWidgets(api);
    await api.post(WIDGETS, widget("Upper"));
  }),
  scenario("namespaces that are not there, or another", async (api) => {
    await api.post("/api/v1/namespaces/{ns}-none/configmaps", configMap("a"));
    await api.post(CONFIG_MAPS, configMap("a", {}, { namespace: "default" }));
    await api.post(CONFIG_MAPS, configMap("a", {}, { namespace: "{ns}" }));
    await api.post("/api/v1/configmaps", configMap("a", {}, { namespace: "{ns}" }));
    await api.post(NAMESPACES, namespace("{ns}-x", { namespace: "default" }));
    await defineWidgets(api);
    await api.post("/apis/{ns}.example.com/v1/namespaces/{ns}-none/widgets", widget("a"));
    await api.post(WIDGETS, widget("a", {}, { namespace: "default" }));
  }),
  scenario("bodies of another kind", async (api) => {
    await api.post(CONFIG_MAPS, pod("a"));
    await api.post(CONFIG_MAPS, { ...configMap("a"), apiVersion: "v2" });
    await api.post(CONFIG_MAPS, { ...configMap("a"), apiVersion: undefined });
    await api.post(CONFIG_MAPS, { ...configMap("b"), kind: undefined });
    await api.post(CONFIG_MAPS, { metadata: { name: "c" } });
    await api.post(CONFIG_MAPS, { ...configMap("a"), kind: "Unknown" });
    await api.post(DEPLOYMENTS, { ...deployment("a"), apiVersion: "apps/v1beta1" });
    await api.post(DEPLOYMENTS, { ...deployment("a"), apiVersion: "extensions/v1beta1" });
    await api.post(CONFIG_MAPS, { kind: "List", apiVersion: "v1", items: [configMap("a")] });
    await defineWidgets(api);
    await api.post(WIDGETS, configMap("a"));
    await api.post(WIDGETS, { ...widget("a"), kind: "Gadget" });
    await api.post(WIDGETS, { ...widget("a"), apiVersion: "{ns}.example.com/v2" });
    await api.post(WIDGETS, { metadata: { name: "a" } });
  }),
  scenario("bodies that are none", async (api) => {
    await api.post(CONFIG_MAPS, "");
    await api.post(CONFIG_MAPS, "{");
    await api.post(CONFIG_MAPS, "text");
    await api.post(CONFIG_MAPS, "null");
    await api.post(CONFIG_MAPS, "[]");
    await api.post(CONFIG_MAPS, "{}");
    await api.post(CONFIG_MAPS, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},}');
    await defineWidgets(api);
    await api.post(WIDGETS, "");
    await api.post(WIDGETS, "{");
    await api.post(WIDGETS, "[]");
    await api.post(WIDGETS, "{}");
  }),
  scenario("bodies with values of the wrong type", async (api) => {
    await api.post(CONFIG_MAPS, configMap("a", { data: { one: 1 } }));
    await api.post(CONFIG_MAPS, configMap("a", { data: [] }));
    await api.post(CONFIG_MAPS, configMap("a", { immutable: "true" }));
    await api.post(CONFIG_MAPS, configMap("a", { binaryData: { one: "not base64!" } }));
    await api.post(CONFIG_MAPS, configMap("a", {}, { labels: { a: 1 } }));
    await api.post(DEPLOYMENTS, deployment("a", { replicas: "3" }));
    await api.post(DEPLOYMENTS, deployment("a", { replicas: 1.5 }));
    await api.post(DEPLOYMENTS, deployment("a", { replicas: 3_000_000_000 }));
    await api.post(DEPLOYMENTS, deployment("a", {}, { creationTimestamp: "yesterday" }));
    await api.post(SERVICES, service("a", { ports: "80" }));
  }),
  scenario("what is too large", async (api) => {
    const data = (bytes: number) => ({ data: { key: "x".repeat(bytes) } });
    await api.post(CONFIG_MAPS, configMap("a", data(1024 * 1024 + 1)));
    await api.post(CONFIG_MAPS, configMap("a", data(3 * 1024 * 1024)));
    await api.post(
      CONFIG_MAPS,
      configMap("a", {}, { annotations: { big: "x".repeat(256 * 1024) } }),
    );
  }),
  scenario("methods and paths that are none", async (api) => {
    await api.post(`${CONFIG_MAPS}/a`, configMap("a"));
    await api.put(CONFIG_MAPS, configMap("a"));
    await api.merge(CONFIG_MAPS, {});
    await api.post("/api/v1/namespaces/{ns}/nothings", configMap("a"));
    await api.post("/apis/none.example.com/v1/namespaces/{ns}/nothings", configMap("a"));
    await api.get(`${CONFIG_MAPS}/a/nothing`);
    await api.get(`${DEPLOYMENTS}/a`);
    await api.get("/api/v2");
    await api.get("/nothing");
    await api.send({ method: "PURGE", path: `${CONFIG_MAPS}/a` });
  }),
];
