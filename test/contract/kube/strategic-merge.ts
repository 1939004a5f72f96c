import type { Api } from "./harness/api.ts";
import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  PODS,
  pod,
  SERVICES,
  service,
  template,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${DEPLOYMENTS}/a`;
const containers = (...all: unknown[]) => ({ spec: { template: { spec: { containers: all } } } });

async function twoContainers({ quiet }: Api) {
  const env = [
    { name: "A", value: "1" },
    { name: "B", value: "2" },
    { name: "C", value: "3" },
  ];
  const all = [
    { name: "main", image: "app:1", env, args: ["x", "y"] },
    { name: "log", image: "log:1" },
  ];
  await quiet.post(DEPLOYMENTS, deployment("a", { template: template("a", { containers: all }) }));
}

export const scenarios = [
  scenario("containers and their env merge by name", async (api) => {
    await twoContainers(api);
    await api.strategic(
      A,
      containers({ name: "main", image: "app:2", env: [{ name: "B", value: "9" }] }),
    );
    await api.strategic(
      A,
      containers({ name: "new", image: "new:1" }, { name: "log", args: ["z"] }),
    );
    await api.strategic(A, containers({ image: "nameless:1" }));
  }),
  scenario("an item is deleted by $patch", async (api) => {
    await twoContainers(api);
    await api.strategic(A, containers({ name: "log", $patch: "delete" }));
    await api.strategic(A, containers({ name: "main", env: [{ name: "A", $patch: "delete" }] }));
    await api.strategic(A, containers({ name: "none", $patch: "delete" }));
    await api.strategic(A, containers({ name: "main", $patch: "explode" }));
  }),
  scenario("a list or a map is replaced by $patch", async (api) => {
    await twoContainers(api);
    await api.strategic(A, containers({ $patch: "replace" }, { name: "only", image: "only:1" }));
    await api.strategic(A, {
      spec: { template: { metadata: { labels: { $patch: "replace", app: "a", x: "y" } } } },
    });
    await api.strategic(A, { metadata: { labels: { l: "1" }, annotations: { n: "1" } } });
    await api.strategic(A, { metadata: { labels: { $patch: "delete" }, annotations: null } });
  }),
  scenario("$setElementOrder puts items in order", async (api) => {
    await twoContainers(api);
    const order = (...names: string[]) => names.map((name) => ({ name }));
    const patch = (setting: object, ...all: object[]) => ({
      spec: { template: { spec: { ...setting, containers: all } } },
    });
    await api.strategic(
      A,
      patch(
        { "$setElementOrder/containers": order("log", "new", "main") },
        { name: "new", image: "new:1" },
        {
          name: "main",
          "$setElementOrder/env": order("C", "D", "A"),
          env: [
            { name: "D", value: "4" },
            { name: "B", $patch: "delete" },
          ],
        },
      ),
    );
    await api.strategic(A, {
      spec: { template: { spec: { "$setElementOrder/containers": order("main", "log", "new") } } },
    });
    await api.strategic(
      A,
      patch({ "$setElementOrder/containers": order("main") }, { name: "log", image: "log:2" }),
    );
  }),
  scenario("$retainKeys drops the keys that it does not name", async (api) => {
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    await api.strategic(A, { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } });
    await api.strategic(A, {
      spec: {
        strategy: { $retainKeys: ["type"], type: "Recreate", rollingUpdate: { maxSurge: 1 } },
      },
    });
    const volumes = (volume: object) => ({ spec: { template: { spec: { volumes: [volume] } } } });
    await api.strategic(A, volumes({ name: "v", emptyDir: {} }));
    await api.strategic(
      A,
      volumes({ name: "v", configMap: { name: "c" }, $retainKeys: ["name", "configMap"] }),
    );
    await api.strategic(A, volumes({ name: "v", emptyDir: {} }));
  }),
  scenario("primitive lists that merge", async (api) => {
    const path = `${CONFIG_MAPS}/a`;
    await api.quiet.post(CONFIG_MAPS, configMap("a", {}, { finalizers: ["e/a", "e/b", "e/c"] }));
    const patch = (metadata: object) => ({ metadata });
    await api.strategic(path, patch({ finalizers: ["e/d", "e/b"] }));
    await api.strategic(path, patch({ "$deleteFromPrimitiveList/finalizers": ["e/a", "e/x"] }));
    await api.strategic(
      path,
      patch({
        "$setElementOrder/finalizers": ["e/e", "e/d", "e/b"],
        "$deleteFromPrimitiveList/finalizers": ["e/c"],
        finalizers: ["e/e"],
      }),
    );
    await api.strategic(path, patch({ finalizers: null }));
  }),
  scenario("lists that do not merge are replaced", async (api) => {
    await twoContainers(api);
    await api.strategic(A, containers({ name: "main", args: ["z"] }));
    await api.strategic(A, containers({ name: "main", args: [], command: ["c"] }));
    await api.strategic(A, containers({ name: "main", args: null }));
  }),
  scenario("null deletes, also what is not there", async (api) => {
    await twoContainers(api);
    await api.strategic(A, { spec: { replicas: null, minReadySeconds: null, strategy: null } });
    await api.strategic(A, containers({ name: "main", env: null }));
    await api.strategic(A, { spec: { template: { spec: { containers: null } } } });
  }),
  scenario("ports merge by their keys", async (api) => {
    await api.quiet.post(SERVICES, service("a", { ports: [{ name: "x", port: 80 }] }));
    await api.strategic(`${SERVICES}/a`, { spec: { ports: [{ name: "y", port: 81 }] } });
    await api.strategic(`${SERVICES}/a`, { spec: { ports: [{ port: 80, targetPort: 8080 }] } });
    await api.strategic(`${SERVICES}/a`, { spec: { ports: [{ port: 81, $patch: "delete" }] } });
    await api.quiet.post(PODS, pod("a"));
    await api.strategic(`${PODS}/a`, {
      spec: { tolerations: [{ key: "k", operator: "Exists" }], activeDeadlineSeconds: 5 },
    });
  }),
  scenario("owner references merge by uid", async (api) => {
    const one = await api.quiet.post(CONFIG_MAPS, configMap("one"));
    const two = await api.quiet.post(CONFIG_MAPS, configMap("two"));
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    const owner = (name: string, uid: string, more: object = {}) => ({
      metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, ...more }] },
    });
    await api.strategic(`${CONFIG_MAPS}/a`, owner("one", one.uid));
    await api.strategic(`${CONFIG_MAPS}/a`, owner("two", two.uid));
    await api.strategic(`${CONFIG_MAPS}/a`, {
      metadata: { ownerReferences: [{ uid: one.uid, $patch: "delete" }] },
    });
  }),
  scenario("conditions of a status merge by type", async (api) => {
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    const condition = (type: string, more: object) => ({
      status: { conditions: [{ type, ...more }] },
    });
    await api.strategic(`${A}/status`, condition("Available", { status: "True" }));
    await api.strategic(`${A}/status`, condition("Progressing", { status: "True", reason: "R" }));
    await api.strategic(`${A}/status`, condition("Available", { status: "False", message: "m" }));
  }),
  scenario("what kubectl set image and rollout restart send", async (api) => {
    await twoContainers(api);
    await api.strategic(`${A}?fieldManager=kubectl-set`, {
      spec: {
        template: {
          spec: {
            "$setElementOrder/containers": [{ name: "main" }, { name: "log" }],
            containers: [{ name: "main", image: "app:3" }],
          },
        },
      },
    });
    await api.strategic(`${A}?fieldManager=kubectl-rollout`, {
      spec: {
        template: {
          metadata: {
            annotations: { "kubectl.kubernetes.io/restartedAt": "2020-01-01T00:00:00Z" },
          },
        },
      },
    });
  }),
  scenario("a patch that is none, or unfit", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    const path = `${CONFIG_MAPS}/a`;
    await api.strategic(path, "{");
    await api.strategic(path, "[]");
    await api.strategic(path, '"text"');
    await api.strategic(path, "null");
    await api.strategic(path, "");
    await api.strategic(path, { data: "text" });
    await api.strategic(path, { data: { a: 1 } });
    await api.strategic(path, { unknown: 1 });
    await api.strategic(path, { metadata: { name: "b" } });
    await api.strategic(path, { kind: "Secret" });
    await api.strategic(path, { metadata: { resourceVersion: "1" } });
    await api.strategic(`${CONFIG_MAPS}/none`, { data: {} });
    await api.strategic(path, { data: { $patch: "explode" } });
    await api.strategic(path, {
      metadata: { "$setElementOrder/finalizers": "x", finalizers: ["e/a"] },
    });
  }),
  scenario("custom resources have no strategic merge", async (api) => {
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a"));
    await api.strategic(`${WIDGETS}/a`, { spec: { size: 1 } });
    await api.strategic(`${WIDGETS}/a/status`, { status: { phase: "x" } });
    await api.strategic(`${WIDGETS}/none`, { spec: { size: 1 } });
  }),
];
