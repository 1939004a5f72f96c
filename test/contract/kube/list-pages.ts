import type { Answer, Api } from "./harness/api.ts";
import {
  CONFIG_MAPS,
  configMap,
  defineWidgets,
  SECRETS,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const NAMES = ["a", "b", "c", "d", "e"];

async function five({ quiet }: Api): Promise<void> {
  for (const name of NAMES) {
    const labels = { odd: String(NAMES.indexOf(name) % 2 === 0) };
    await quiet.post(CONFIG_MAPS, configMap(name, {}, { labels }));
  }
}

/** The rest of a list, page by page. */
async function pages(api: Api, path: string): Promise<void> {
  let next = tokenOf(await api.get(path));
  while (next !== "") next = tokenOf(await api.get(`${path}&continue=${encodeURIComponent(next)}`));
}

function tokenOf({ object }: Answer): string {
  return (object.metadata as { continue?: string }).continue ?? "";
}

export const scenarios = [
  scenario("pages of a list", async (api) => {
    await five(api);
    await pages(api, `${CONFIG_MAPS}?limit=2`);
    await api.get(`${CONFIG_MAPS}?limit=5`);
    await api.get(`${CONFIG_MAPS}?limit=0`);
    await api.get(`${CONFIG_MAPS}?limit=100`);
  }),
  scenario("pages of what labels select do not tell how many are left", async (api) => {
    await five(api);
    await pages(api, `${CONFIG_MAPS}?limit=2&labelSelector=odd%3Dtrue`);
    await pages(api, `${CONFIG_MAPS}?limit=1&fieldSelector=metadata.name%3Dc`);
  }),
  scenario("a list does not change between its pages", async (api) => {
    await five(api);
    const first = await api.quiet.get(`${CONFIG_MAPS}?limit=2`);
    await api.quiet.delete(`${CONFIG_MAPS}/d`);
    await api.quiet.post(CONFIG_MAPS, configMap("f"));
    const next = encodeURIComponent(tokenOf(first));
    await api.get(`${CONFIG_MAPS}?limit=10&continue=${next}`);
    await api.get(`${CONFIG_MAPS}?limit=10`);
  }),
  scenario("pages of custom resources", async (api) => {
    await defineWidgets(api);
    for (const name of NAMES.slice(0, 3)) await api.quiet.post(WIDGETS, widget(name));
    await pages(api, `${WIDGETS}?limit=2`);
  }),
  scenario("pages that are none", async (api) => {
    await five(api);
    await api.get(`${CONFIG_MAPS}?limit=-1`);
    await api.get(`${CONFIG_MAPS}?limit=x`);
    await api.get(`${CONFIG_MAPS}?limit=2&continue=nonsense`);
    const first = await api.quiet.get(`${CONFIG_MAPS}?limit=2`);
    const next = encodeURIComponent(tokenOf(first));
    await api.get(`${CONFIG_MAPS}?limit=2&continue=${next}&resourceVersion=1`);
    await api.get(`${CONFIG_MAPS}?limit=2&continue=${next}&resourceVersionMatch=Exact`);
    await api.get(`${SECRETS}?limit=2`);
  }),
  scenario("an empty list", async (api) => {
    await api.get(CONFIG_MAPS);
    await api.get(CONFIG_MAPS.replace("{ns}", "{ns}-none"));
    await defineWidgets(api);
    await api.get(WIDGETS);
  }),
];
