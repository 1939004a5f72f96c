import type { Api } from "./harness/api.ts";
import { CONFIG_MAPS, configMap } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${CONFIG_MAPS}/a`;
const BOOKMARKS = "allowWatchBookmarks=true";

/** The version after "a" was made and before "b" was. */
async function two({ quiet }: Api): Promise<string> {
  const { version } = await quiet.post(CONFIG_MAPS, configMap("a"));
  await quiet.post(CONFIG_MAPS, configMap("b"));
  return version;
}

/** Shows the first `count` events of a watch. */
async function taken(api: Api, query: string, count: number): Promise<void> {
  const watch = await api.watch(`${CONFIG_MAPS}?watch=true${query}`);
  await watch.take(count);
  watch.close();
}

export const scenarios = [
  scenario("from an old version, from none and from 0", async (api) => {
    const version = await two(api);
    await taken(api, `&resourceVersion=${version}`, 1);
    await taken(api, "", 2);
    await taken(api, "&resourceVersion=0", 2);
    await api.quiet.delete(A);
    await taken(api, `&resourceVersion=${version}`, 2);
    await taken(api, "&resourceVersion=", 1);
  }),
  scenario("versions that are none", async (api) => {
    await two(api);
    await api.get(`${CONFIG_MAPS}?watch=true&resourceVersion=x`);
    await api.get(`${CONFIG_MAPS}?watch=true&resourceVersion=1&resourceVersionMatch=NotOlderThan`);
    await api.get(`${CONFIG_MAPS}?watch=true&sendInitialEvents=true`);
    await api.get(`${CONFIG_MAPS}?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact`);
    await api.get(`${CONFIG_MAPS}?watch=true&timeoutSeconds=x`);
  }),
  scenario("initial events end with a bookmark that says so", async (api) => {
    await two(api);
    const how = `&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&${BOOKMARKS}`;
    const watch = await api.watch(`${CONFIG_MAPS}?watch=true${how}`);
    await watch.take(3);
    await api.quiet.merge(A, { data: { x: "1" } });
    await watch.take(1);
    watch.close();
    await taken(api, `${how}&resourceVersion=0`, 3);
    await taken(api, `${how}&labelSelector=none`, 1);
    await taken(api, how.replace(`&${BOOKMARKS}`, ""), 2);
  }),
  scenario("no initial events", async (api) => {
    await two(api);
    const how = `&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&${BOOKMARKS}`;
    const watch = await api.watch(`${CONFIG_MAPS}?watch=true${how}`);
    await api.quiet.merge(A, { data: { x: "1" } });
    await watch.take(1);
    watch.close();
  }),
];
