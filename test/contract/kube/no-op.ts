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

export const scenarios = [
  scenario(
    "writes of a ConfigMap that change nothing keep its version and send no event",
    async (api) => {
      const made = await api.post(CONFIG_MAPS, configMap("a", { data: { one: "1" } }));
      const path = `${CONFIG_MAPS}/a`;
      const watch = await api.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${made.version}`);
      await api.put(path, made.body);
      await api.put(path, configMap("a", { data: { one: "1" } }));
      await api.put(`${path}?fieldManager=bob`, configMap("a", { data: { one: "1" } }));
      await api.merge(path, { data: { one: "1" } });
      await api.merge(`${path}?fieldManager=bob`, { data: { one: "1", two: null } });
      await api.strategic(path, { data: { one: "1" } });
      await api.json(path, [{ op: "replace", path: "/data/one", value: "1" }]);
      await api.json(`${path}?fieldManager=bob`, []);
      await api.quiet.merge(path, { data: { one: "2" } });
      await watch.take(1);
      watch.close();
    },
  ),
  scenario("applies that change nothing keep the version and send no event", async (api) => {
    const path = `${CONFIG_MAPS}/a?fieldManager=ann`;
    const body = configMap("a", { data: { one: "1" } });
    const made = await api.apply(path, body);
    const watch = await api.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${made.version}`);
    await api.apply(path, body);
    await api.apply(`${path}&force=true`, body);
    await api.apply(`${CONFIG_MAPS}/a?fieldManager=bob`, body);
    await watch.take(1);
    watch.close();
  }),
  scenario("writes of a Deployment that change nothing", async (api) => {
    const made = await api.quiet.post(DEPLOYMENTS, deployment("a"));
    const path = `${DEPLOYMENTS}/a`;
    await api.put(path, made.body);
    await api.put(path, deployment("a"));
    await api.strategic(path, { spec: { replicas: 1 } });
    await api.put(`${path}/status`, made.body);
    await api.merge(`${path}/status`, { status: {} });
    await api.merge(path, { status: { replicas: 7 } });
    await api.merge(`${path}/status`, { spec: { replicas: 7 } });
  }),
  scenario("writes of a custom resource that change nothing", async (api) => {
    await defineWidgets(api);
    const path = `${WIDGETS}/a`;
    const made = await api.post(WIDGETS, widget("a", { spec: { size: 1 } }));
    await api.put(path, made.body);
    await api.merge(path, { spec: { size: 1, unknown: 1 } });
    await api.merge(path, { status: { phase: "x" } });
    await api.merge(`${path}/status`, { spec: { size: 7 } });
    await api.merge(path, {
      metadata: { generation: 5, creationTimestamp: "2020-01-01T00:00:00Z" },
    });
    await api.delete(`${path}?dryRun=All`);
    await api.get(path);
  }),
  scenario("a second delete of a terminating object changes nothing", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a", {}, { finalizers: ["example.com/x"] }));
    const path = `${CONFIG_MAPS}/a`;
    const first = await api.delete(path);
    const watch = await api.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${first.version}`);
    await api.delete(path);
    await api.quiet.merge(path, { metadata: { finalizers: null } });
    await watch.take(1);
    watch.close();
  }),
];
