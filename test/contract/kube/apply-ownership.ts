import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${CONFIG_MAPS}/a`;
const ANN = `${A}?fieldManager=ann`;
const BOB = `${A}?fieldManager=bob`;

export const scenarios = [
  scenario("an apply creates, and the next one takes away what it no longer says", async (api) => {
    await api.apply(ANN, configMap("a", { data: { one: "1", two: "2" } }, { labels: { x: "y" } }));
    await api.apply(ANN, configMap("a", { data: { two: "3" } }));
    await api.apply(ANN, configMap("a"));
  }),
  scenario("two managers apply different fields", async (api) => {
    await api.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.apply(BOB, configMap("a", { data: { two: "2" } }));
    await api.apply(ANN, configMap("a"));
    await api.apply(BOB, configMap("a", { binaryData: { bin: "AAEC" } }));
  }),
  scenario("a field of two managers stays until both left it", async (api) => {
    await api.apply(ANN, configMap("a", { data: { one: "1", two: "2" } }));
    await api.apply(BOB, configMap("a", { data: { one: "1" } }));
    await api.apply(ANN, configMap("a", { data: { two: "2" } }));
    await api.apply(BOB, configMap("a", { data: {} }));
  }),
  scenario("an update by another manager takes a field from its applier", async (api) => {
    await api.quiet.apply(ANN, configMap("a", { data: { one: "1", two: "2" } }));
    await api.merge(`${A}?fieldManager=bob`, { data: { one: "9" } });
    await api.apply(ANN, configMap("a", { data: { two: "2" } }));
    await api.merge(`${A}?fieldManager=bob`, { data: { one: null } });
  }),
  scenario("an update of the same value takes nothing from an applier", async (api) => {
    await api.quiet.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.merge(`${A}?fieldManager=bob`, { data: { one: "1", two: "2" } });
  }),
  scenario("an update that deletes a field takes it from its applier", async (api) => {
    await api.quiet.apply(ANN, configMap("a", { data: { one: "1", two: "2" } }));
    await api.merge(`${A}?fieldManager=bob`, { data: { one: null } });
    await api.apply(ANN, configMap("a", { data: { one: "1", two: "2" } }));
  }),
  scenario("applies and updates of one manager are two entries", async (api) => {
    await api.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.merge(ANN, { data: { two: "2" } });
    await api.merge(ANN, { data: { one: "9" } });
    await api.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.apply(`${ANN}&force=true`, configMap("a", { data: { one: "1" } }));
  }),
  scenario("an apply onto what an update made shares the fields", async (api) => {
    await api.quiet.post(`${CONFIG_MAPS}?fieldManager=ann`, configMap("a", { data: { one: "1" } }));
    await api.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.apply(ANN, configMap("a"));
  }),
  scenario("an entry without fields goes", async (api) => {
    await api.quiet.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.merge(BOB, { data: { one: "2" } });
    await api.apply(ANN, configMap("a", { data: { one: "2" } }));
    await api.merge(`${A}?fieldManager=cid`, { data: null });
  }),
  scenario("an apply of nothing new changes no version and no time", async (api) => {
    await api.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.apply(BOB, configMap("a", { data: { one: "1" } }));
    await api.apply(BOB, configMap("a", { data: { one: "1" } }));
  }),
  scenario("labels and annotations have owners one by one", async (api) => {
    await api.quiet.apply(ANN, configMap("a", {}, { labels: { x: "1" }, annotations: { n: "1" } }));
    await api.apply(BOB, configMap("a", {}, { labels: { y: "2" }, annotations: { m: "2" } }));
    await api.apply(ANN, configMap("a", {}, { labels: {} }));
  }),
  scenario("finalizers are a set", async (api) => {
    await api.quiet.apply(ANN, configMap("a", {}, { finalizers: ["example.com/x"] }));
    await api.apply(BOB, configMap("a", {}, { finalizers: ["example.com/y"] }));
    await api.apply(ANN, configMap("a", {}, { finalizers: ["example.com/z", "example.com/y"] }));
    await api.apply(ANN, configMap("a"));
    await api.apply(BOB, configMap("a"));
  }),
  scenario("owner references are a map by uid", async (api) => {
    const one = await api.quiet.post(CONFIG_MAPS, configMap("one"));
    const two = await api.quiet.post(CONFIG_MAPS, configMap("two"));
    const owner = (name: string, uid: string, more: object = {}) => ({
      ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, ...more }],
    });
    await api.apply(ANN, configMap("a", {}, owner("one", one.uid)));
    await api.apply(BOB, configMap("a", {}, owner("two", two.uid, { controller: true })));
    await api.apply(BOB, configMap("a", {}, owner("one", one.uid, { controller: true })));
    await api.apply(ANN, configMap("a"));
  }),
  scenario("managedFields can be thrown away", async (api) => {
    await api.quiet.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.merge(A, { metadata: { managedFields: [{}] } });
    await api.apply(BOB, configMap("a", { data: { one: "1" } }));
    await api.merge(A, { metadata: { managedFields: [] } });
    await api.merge(A, { metadata: { managedFields: null } });
    await api.json(A, [{ op: "replace", path: "/metadata/managedFields", value: [{}] }]);
    await api.apply(ANN, configMap("a", { data: { two: "2" } }));
  }),
  scenario("managedFields can be rewritten", async (api) => {
    await api.quiet.post(`${CONFIG_MAPS}?fieldManager=old`, configMap("a", { data: { one: "1" } }));
    const entry = {
      manager: "ann",
      operation: "Apply",
      apiVersion: "v1",
      time: "2020-01-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:one": {} } },
    };
    await api.json(A, [{ op: "replace", path: "/metadata/managedFields", value: [entry] }]);
    await api.apply(ANN, configMap("a"));
    const broken = { ...entry, operation: "Guess" };
    await api.json(A, [{ op: "replace", path: "/metadata/managedFields", value: [broken] }]);
    const odd = { ...entry, fieldsV1: { nonsense: {} } };
    await api.json(A, [{ op: "replace", path: "/metadata/managedFields", value: [odd] }]);
  }),
  scenario("an update after thrown away managedFields starts anew", async (api) => {
    await api.quiet.apply(ANN, configMap("a", { data: { one: "1" } }));
    await api.quiet.merge(A, { metadata: { managedFields: [{}] } });
    await api.merge(BOB, { data: { two: "2" } });
  }),
  scenario("kubectl's last-applied annotation gives way to server-side apply", async (api) => {
    const applied = JSON.stringify(configMap("a", { data: { one: "1", two: "2" } }));
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": applied };
    await api.quiet.post(
      `${CONFIG_MAPS}?fieldManager=kubectl-client-side-apply`,
      configMap("a", { data: { one: "1", two: "2" } }, { annotations }),
    );
    await api.apply(`${A}?fieldManager=kubectl`, configMap("a", { data: { one: "1" } }));
  }),
  scenario("the status of a Deployment is applied apart", async (api) => {
    const path = `${DEPLOYMENTS}/a`;
    const status = (more: object) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a" },
      status: more,
    });
    await api.quiet.apply(`${path}?fieldManager=ann`, deployment("a"));
    await api.apply(`${path}/status?fieldManager=ann`, status({ replicas: 1 }));
    await api.apply(`${path}/status?fieldManager=bob`, {
      ...status({ conditions: [{ type: "Available", status: "True" }] }),
      spec: { replicas: 7 },
    });
    await api.apply(`${path}?fieldManager=cid`, status({ replicas: 5 }));
    await api.apply(`${path}/status?fieldManager=ann`, status({}));
  }),
  scenario("the status of a custom resource is applied apart", async (api) => {
    await defineWidgets(api);
    const path = `${WIDGETS}/a`;
    const ready = { conditions: [{ type: "Ready", status: "True" }] };
    await api.apply(`${path}?fieldManager=ann`, widget("a", { spec: { size: 1 }, status: ready }));
    await api.apply(`${path}/status?fieldManager=ann`, widget("a", { status: ready }));
    const done = { conditions: [{ type: "Done", status: "False" }], phase: "Running" };
    await api.apply(`${path}/status?fieldManager=bob`, widget("a", { status: done }));
    await api.apply(`${path}/status?fieldManager=bob`, widget("a", { spec: { size: 9 } }));
    await api.apply(
      `${path}/status?fieldManager=cid`,
      widget("a", { status: { ...done, phase: "X" } }),
    );
  }),
];
