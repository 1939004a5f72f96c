import {
  CONFIG_MAPS,
  configMap,
  defineWidgets,
  SERVICES,
  service,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${CONFIG_MAPS}/a`;
const ANN = `${A}?fieldManager=ann`;

export const scenarios = [
  scenario("an apply with a resourceVersion", async (api) => {
    await api.apply(ANN, configMap("a", {}, { resourceVersion: "1" }));
    const made = await api.apply(ANN, configMap("a", { data: { one: "1" } }));
    const resourceVersion = made.version;
    await api.apply(ANN, configMap("a", { data: { one: "2" } }, { resourceVersion }));
    await api.apply(ANN, configMap("a", { data: { one: "3" } }, { resourceVersion }));
    await api.apply(
      `${ANN}&force=true`,
      configMap("a", { data: { one: "3" } }, { resourceVersion }),
    );
  }),
  scenario("an apply with a uid", async (api) => {
    const uid = "00000000-0000-4000-8000-000000000001";
    await api.apply(ANN, configMap("a", {}, { uid }));
    const made = await api.apply(ANN, configMap("a"));
    await api.apply(ANN, configMap("a", {}, { uid }));
    await api.apply(ANN, configMap("a", { data: { one: "1" } }, { uid: made.uid }));
  }),
  scenario("an apply names a manager", async (api) => {
    await api.apply(A, configMap("a"));
    await api.apply(`${A}?fieldManager=`, configMap("a"));
    await api.apply(`${A}?fieldManager=${"m".repeat(129)}`, configMap("a"));
    await api.apply(`${A}?fieldManager=${"m".repeat(128)}`, configMap("a"));
    await api.apply(`${A}?fieldManager=a%07b`, configMap("a"));
    await api.apply(`${A}?fieldManager=with%20space`, configMap("a"));
  }),
  scenario("force is for applies alone", async (api) => {
    await api.quiet.apply(ANN, configMap("a"));
    await api.merge(`${ANN}&force=true`, { data: {} });
    await api.apply(`${ANN}&force=maybe`, configMap("a"));
  }),
  scenario("an apply whose body does not fit its path", async (api) => {
    await api.apply(ANN, configMap("b"));
    await api.apply(ANN, configMap("a", {}, { namespace: "default" }));
    await api.apply(ANN, { ...configMap("a"), kind: "Secret" });
    await api.apply(ANN, { ...configMap("a"), apiVersion: "v2" });
    await api.apply(ANN, { ...configMap("a"), kind: undefined });
    await api.apply(ANN, { ...configMap("a"), apiVersion: undefined });
    await api.apply(ANN, { apiVersion: "v1", kind: "ConfigMap", data: { one: "1" } });
    await api.apply(ANN, { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "a-" } });
  }),
  scenario("an apply whose body is none", async (api) => {
    await api.apply(ANN, "");
    await api.apply(ANN, "[]");
    await api.apply(ANN, '"text"');
    await api.apply(ANN, "{");
    await api.apply(ANN, "null");
  }),
  scenario("an apply in YAML", async (api) => {
    const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  one: '1'\n";
    await api.apply(ANN, yaml);
    await api.apply(ANN, `${yaml}  one: '2'\n`);
  }),
  scenario("an apply with managedFields in it", async (api) => {
    await api.apply(ANN, configMap("a", {}, { managedFields: [] }));
    await api.apply(ANN, configMap("a", {}, { managedFields: [{ manager: "x" }] }));
  }),
  scenario("an apply of unknown fields", async (api) => {
    await api.apply(ANN, configMap("a", { extra: 1, data: { one: "1" } }));
    await api.apply(`${ANN}&fieldValidation=Warn`, configMap("a", { extra: 1 }));
    await api.apply(`${ANN}&fieldValidation=Ignore`, configMap("a", { extra: 1 }));
    await defineWidgets(api);
    const path = `${WIDGETS}/a?fieldManager=ann`;
    const body = widget("a", { spec: { size: 1, extra: 1 } });
    await api.apply(path, body);
    await api.apply(`${path}&fieldValidation=Strict`, body);
    await api.apply(`${path}&fieldValidation=Ignore`, body);
  }),
  scenario("an apply of values of the wrong type", async (api) => {
    await api.apply(ANN, configMap("a", { data: { one: 1 } }));
    await api.apply(ANN, configMap("a", { data: [] }));
    await api.apply(`${SERVICES}/a?fieldManager=ann`, service("a", { ports: { port: 80 } }));
    await defineWidgets(api);
    const path = `${WIDGETS}/a?fieldManager=ann`;
    await api.apply(path, widget("a", { spec: { size: "big" } }));
    await api.apply(path, widget("a", { spec: { size: 1000, color: "pink" } }));
    await api.apply(path, widget("a", { spec: { ports: "none" } }));
  }),
  scenario("an apply with dryRun", async (api) => {
    await api.apply(`${ANN}&dryRun=All`, configMap("a", { data: { one: "1" } }));
    await api.get(A);
    await api.quiet.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.apply(`${ANN}&dryRun=All`, configMap("a", { data: { one: "2" } }));
    await api.get(A);
  }),
  scenario(
    "an apply that creates answers 201, and is refused in a namespace that is none",
    async (api) => {
      await api.apply("/api/v1/namespaces/{ns}-none/configmaps/a?fieldManager=ann", configMap("a"));
      await api.apply("/api/v1/namespaces/{ns}-new?fieldManager=ann", {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "{ns}-new" },
      });
    },
  ),
  scenario("an apply of fields that the server owns", async (api) => {
    const made = await api.apply(ANN, configMap("a", { data: { one: "1" } }));
    const metadata = {
      creationTimestamp: "2020-01-01T00:00:00Z",
      generation: 7,
      selfLink: "/x",
      namespace: "{ns}",
    };
    await api.apply(ANN, configMap("a", { data: { one: "1" } }, metadata));
    await api.apply(ANN, configMap("a", {}, { uid: made.uid, resourceVersion: "" }));
    await api.apply(ANN, configMap("a", {}, { deletionTimestamp: "2020-01-01T00:00:00Z" }));
  }),
  scenario("an apply on a subresource of an object that is none", async (api) => {
    await defineWidgets(api);
    const ready = widget("a", { status: { phase: "Ready" } });
    await api.apply(`${WIDGETS}/a/status?fieldManager=ann`, ready);
    await api.apply(`${CONFIG_MAPS}/a/status?fieldManager=ann`, configMap("a"));
  }),
  scenario("an apply of a terminating object", async (api) => {
    await api.quiet.apply(ANN, configMap("a", {}, { finalizers: ["example.com/x"] }));
    await api.quiet.delete(A);
    await api.apply(ANN, configMap("a", { data: { one: "1" } }, { finalizers: ["example.com/x"] }));
    await api.apply(ANN, configMap("a", {}, { finalizers: ["example.com/x", "example.com/y"] }));
    await api.apply(ANN, configMap("a"));
    await api.get(A);
  }),
];
