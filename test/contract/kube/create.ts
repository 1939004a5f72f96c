import { scenario } from "./harness/scenario.ts";

const CONFIG_MAPS = "/api/v1/namespaces/{ns}/configmaps";

function configMap(name: string, more: object = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...more };
}

export const scenarios = [
  scenario("a name is taken", async (api) => {
    await api.post(CONFIG_MAPS, configMap("a", { data: { key: "1" } }));
    await api.post(CONFIG_MAPS, configMap("a"));
  }),
  scenario("a watch tells of a creation", async (api) => {
    const list = await api.get(CONFIG_MAPS);
    const watch = await api.watch(
      `${CONFIG_MAPS}?watch=true&resourceVersion=${list.object.metadata.resourceVersion}`,
    );
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await watch.take(1);
    watch.close();
  }),
];
