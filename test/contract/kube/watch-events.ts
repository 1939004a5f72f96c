import type { Api } from "./harness/api.ts";
import { CONFIG_MAPS, configMap, defineWidgets, WIDGETS, widget } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${CONFIG_MAPS}/a`;

async function versionOf(api: Api, path = CONFIG_MAPS): Promise<string> {
  const { object } = await api.quiet.get(path);
  return object.metadata.resourceVersion ?? "";
}

async function watched(api: Api, query = "", path = CONFIG_MAPS) {
  return api.watch(`${path}?watch=true&resourceVersion=${await versionOf(api, path)}${query}`);
}

export const scenarios = [
  scenario("each write is told once, a write that changes nothing is not", async (api) => {
    const watch = await watched(api);
    await api.quiet.post(CONFIG_MAPS, configMap("a", { data: { one: "1" } }));
    await api.quiet.merge(A, { data: { one: "2" } });
    await api.quiet.merge(A, { data: { one: "2" } });
    await api.quiet.merge(`${A}?dryRun=All`, { data: { one: "3" } });
    await api.quiet.delete(A);
    await watch.take(3);
    watch.close();
  }),
  scenario("objects enter and leave what labels select", async (api) => {
    const watch = await watched(api, "&labelSelector=x%3D1");
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await api.quiet.merge(A, { metadata: { labels: { x: "1" } } });
    await api.quiet.merge(A, { data: { in: "yes" } });
    await api.quiet.merge(A, { metadata: { labels: { x: "2" } } });
    await api.quiet.merge(A, { data: { in: "no" } });
    await api.quiet.merge(A, { metadata: { labels: { x: "1" } } });
    await api.quiet.delete(A);
    await watch.take(5);
    watch.close();
  }),
  scenario("one object, by a field selector", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("b"));
    const watch = await watched(api, "&fieldSelector=metadata.name%3Da");
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await api.quiet.merge(`${CONFIG_MAPS}/b`, { data: { x: "1" } });
    await api.quiet.delete(A);
    await watch.take(2);
    watch.close();
  }),
  scenario("the path of an object is never watched", async (api) => {
    await api.get(`${A}?watch=true`);
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await api.get(`${A}?watch=true&resourceVersion=0`);
  }),
  scenario("custom resources leave what labels select", async (api) => {
    await defineWidgets(api);
    const watch = await watched(api, "&labelSelector=!x", WIDGETS);
    await api.quiet.post(WIDGETS, widget("a", { spec: { size: 1 } }));
    await api.quiet.merge(`${WIDGETS}/a/status`, { status: { phase: "ready" } });
    await api.quiet.merge(`${WIDGETS}/a`, { metadata: { labels: { x: "1" } } });
    await watch.take(3);
    watch.close();
  }),
  scenario("all namespaces", async (api) => {
    const path = "/api/v1/configmaps";
    const watch = await watched(api, "&labelSelector=of%3D{ns}", path);
    await api.quiet.post(CONFIG_MAPS, configMap("a", {}, { labels: { of: "{ns}" } }));
    await watch.take(1);
    watch.close();
  }),
];
