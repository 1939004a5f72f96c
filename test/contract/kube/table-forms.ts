import type { Api } from "./harness/api.ts";
import { CONFIG_MAPS, configMap, defineWidgets, WIDGETS, widget } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const accept = (as: string, version = "v1") => ({
  accept: `application/json;as=${as};v=${version};g=meta.k8s.io`,
});
const PARTIAL = accept("PartialObjectMetadata");
const PARTIALS = accept("PartialObjectMetadataList");
const TABLE = accept("Table");

async function watched(api: Api, path: string, headers: Readonly<Record<string, string>>) {
  const watch = await api.watch(`${path}?watch=true`, headers);
  await watch.take(1);
  watch.close();
}

/** What both kinds of object are asked. */
async function asked(api: Api, path: string): Promise<void> {
  await api.get(`${path}/a`, PARTIAL);
  await api.get(path, PARTIALS);
  await watched(api, path, PARTIAL);
  await api.get(`${path}/a`, accept("PartialObjectMetadata", "v1beta1"));
  await api.get(`${path}/a`, PARTIALS);
  await api.get(path, PARTIAL);
}

export const scenarios = [
  scenario("metadata alone of a built-in kind", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a", { data: { x: "1" } }, { labels: { x: "y" } }));
    await asked(api, CONFIG_MAPS);
  }),
  scenario("metadata alone of a custom resource", async (api) => {
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a", { spec: { size: 1 } }));
    await asked(api, WIDGETS);
  }),
  scenario("a table of a built-in kind", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a", { data: { x: "1" } }));
    await api.get(`${CONFIG_MAPS}/a`, TABLE);
    await api.get(CONFIG_MAPS, TABLE);
    await watched(api, CONFIG_MAPS, TABLE);
    await api.get(`${CONFIG_MAPS}?includeObject=None`, TABLE);
    await api.get(`${CONFIG_MAPS}?includeObject=Object`, TABLE);
    await api.get(`${CONFIG_MAPS}?includeObject=Other`, TABLE);
    await api.get(CONFIG_MAPS, accept("Table", "v1beta1"));
  }),
  scenario("writes are answered in the form asked for", async (api) => {
    await api.post(CONFIG_MAPS, configMap("a"), PARTIAL);
    await api.merge(`${CONFIG_MAPS}/a`, { data: { x: "1" } }, TABLE);
  }),
  scenario("forms that are none", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await api.get(CONFIG_MAPS, { accept: "text/html" });
    await api.get(CONFIG_MAPS, accept("Other"));
    await api.get(`${CONFIG_MAPS}/a`, { accept: "image/png" });
    const both = `${TABLE.accept},application/json`;
    await api.get(`${CONFIG_MAPS}/a`, { accept: `${accept("Other").accept},application/json` });
    await api.get(CONFIG_MAPS, { accept: both });
    await api.get(`${CONFIG_MAPS}/a`, { accept: "*/*" });
    await api.get(`${CONFIG_MAPS}/a`, { accept: "application/*" });
  }),
  scenario("bodies that are none", async (api) => {
    const text = JSON.stringify(configMap("a"));
    await api.post(CONFIG_MAPS, text, { "content-type": "text/plain" });
    await api.post(CONFIG_MAPS, text, { "content-type": "application/xml" });
    await api.post(CONFIG_MAPS, "no json");
    await api.post(CONFIG_MAPS, "");
    await api.quiet.post(CONFIG_MAPS, configMap("b"));
    await api.merge(`${CONFIG_MAPS}/b`, {}, { "content-type": "application/json" });
    await api.merge(`${CONFIG_MAPS}/b`, {}, { "content-type": "text/plain" });
    await api.post(CONFIG_MAPS, text, { "content-type": "application/json; charset=utf-8" });
  }),
];
