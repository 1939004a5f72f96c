import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  SECRETS,
  SERVICES,
  service,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${CONFIG_MAPS}/a`;
const agent = (name: string) => ({ "user-agent": name });

export const scenarios = [
  scenario(
    "the manager of an update is named, or is the first part of the User-Agent",
    async (api) => {
      await api.post(`${CONFIG_MAPS}?fieldManager=named`, configMap("a", { data: { one: "1" } }));
      await api.merge(
        A,
        { data: { two: "2" } },
        agent("kubectl/v1.35.0 (linux/amd64) kubernetes/abc"),
      );
      await api.merge(A, { data: { three: "3" } }, agent("no-version"));
      await api.merge(A, { data: { four: "4" } }, agent("Mozilla/5.0 (X11)"));
      await api.merge(A, { data: { five: "5" } }, agent(`${"x".repeat(200)}/1`));
      await api.merge(`${A}?fieldManager=${"m".repeat(129)}`, { data: { six: "6" } });
      await api.post(`${CONFIG_MAPS}?fieldManager=${"m".repeat(129)}`, configMap("b"));
      await api.put(`${A}?fieldManager=a%07b`, configMap("a"));
    },
  ),
  scenario("updates of several managers", async (api) => {
    await api.post(
      `${CONFIG_MAPS}?fieldManager=ann`,
      configMap("a", { data: { one: "1", two: "2" } }),
    );
    await api.merge(`${A}?fieldManager=bob`, { data: { one: "9", three: "3" } });
    await api.put(`${A}?fieldManager=cid`, configMap("a", { data: { one: "8", four: "4" } }));
    await api.json(`${A}?fieldManager=ann`, [{ op: "add", path: "/data/five", value: "5" }]);
    await api.strategic(`${A}?fieldManager=bob`, { data: { four: null } });
    await api.put(`${A}?fieldManager=dan`, configMap("a"));
  }),
  scenario("metadata that has owners and metadata that has none", async (api) => {
    const owner = await api.quiet.post(CONFIG_MAPS, configMap("owner"));
    const ownerReferences = [
      { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.uid },
    ];
    await api.post(
      CONFIG_MAPS,
      configMap(
        "a",
        { immutable: false },
        {
          labels: { x: "1" },
          annotations: { y: "2" },
          finalizers: ["example.com/x"],
          ownerReferences,
          generateName: "g-",
        },
      ),
    );
    await api.merge(`${A}?fieldManager=bob`, { metadata: { labels: { x: "2", z: "3" } } });
    await api.merge(`${A}?fieldManager=bob`, { metadata: { labels: null, annotations: {} } });
  }),
  scenario("an object without fields has no entries", async (api) => {
    await api.post(CONFIG_MAPS, configMap("a"));
    await api.merge(A, { data: { one: "1" } });
    await api.merge(A, { data: null });
  }),
  scenario("status and scale have entries of their own", async (api) => {
    const path = `${DEPLOYMENTS}/a`;
    await api.post(DEPLOYMENTS, deployment("a"));
    await api.merge(`${path}/status`, {
      status: { replicas: 1, conditions: [{ type: "Available", status: "True" }] },
    });
    await api.merge(`${path}/scale?fieldManager=hpa`, { spec: { replicas: 3 } });
    await api.merge(`${path}?fieldManager=bob`, { spec: { replicas: 4 } });
    await api.merge(`${path}/status?fieldManager=bob`, {
      metadata: { labels: { x: "1" } },
      status: { replicas: 2 },
    });
  }),
  scenario("fields of a custom resource", async (api) => {
    await defineWidgets(api);
    const spec = {
      size: 1,
      tags: ["a", "b"],
      steps: ["x"],
      ports: [{ port: 80, note: "n" }],
      limits: { a: "1" },
      selector: { a: "1" },
      free: { a: { b: [1] } },
    };
    await api.post(WIDGETS, widget("a", { spec, status: { phase: "x" } }));
    await api.merge(`${WIDGETS}/a/status`, {
      status: { phase: "x", conditions: [{ type: "R", status: "True" }] },
    });
    await api.merge(`${WIDGETS}/a?fieldManager=bob`, {
      spec: { ...spec, tags: ["b", "c"], steps: ["y"], ports: [{ port: 80, note: "m" }] },
    });
  }),
  scenario("fields of lists of built-in kinds", async (api) => {
    await api.post(
      SERVICES,
      service("a", { ports: [{ port: 80 }, { port: 80, protocol: "UDP", name: "u" }] }),
    );
    await api.post(
      SERVICES,
      service("b", { selector: { a: "b" }, ports: [{ port: 80, name: "http" }] }),
    );
    await api.post(SECRETS, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a" },
      stringData: { a: "1" },
      data: { b: "AAEC" },
    });
  }),
  scenario("managedFields of a create are ignored", async (api) => {
    const entry = {
      manager: "old",
      operation: "Update",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:one": {} } },
      time: "2020-01-01T00:00:00Z",
    };
    await api.post(CONFIG_MAPS, configMap("a", { data: { one: "1" } }, { managedFields: [entry] }));
    await api.put(A, configMap("a", { data: { one: "2" } }, { managedFields: [entry] }));
    await api.put(A, configMap("a", { data: { one: "3" } }, { managedFields: [] }));
    await api.put(A, configMap("a", { data: { one: "4" } }, { managedFields: [{}] }));
  }),
];
