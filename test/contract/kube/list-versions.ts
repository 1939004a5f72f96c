import type { Api } from "./harness/api.ts";
import { CONFIG_MAPS, configMap } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const FUTURE = "9000000000";

async function two({ quiet }: Api): Promise<readonly [string, string]> {
  const one = await quiet.post(CONFIG_MAPS, configMap("a"));
  const other = await quiet.post(CONFIG_MAPS, configMap("b"));
  return [one.version, other.version];
}

export const scenarios = [
  scenario("versions of a list and how they must match", async (api) => {
    const [first, second] = await two(api);
    const list = (query: string) => api.get(`${CONFIG_MAPS}?${query}`);
    await list(`resourceVersion=${first}`);
    await list(`resourceVersion=${first}&resourceVersionMatch=Exact`);
    await list(`resourceVersion=${first}&resourceVersionMatch=NotOlderThan`);
    await list(`resourceVersion=${second}&resourceVersionMatch=Exact`);
    await list("resourceVersion=0&resourceVersionMatch=NotOlderThan");
    await list(`resourceVersion=${first}&limit=1`);
    await list(`resourceVersion=${first}&resourceVersionMatch=Exact&limit=1`);
  }),
  scenario("matches that are refused", async (api) => {
    const list = (query: string) => api.get(`${CONFIG_MAPS}?${query}`);
    await list("resourceVersionMatch=Exact");
    await list("resourceVersionMatch=NotOlderThan");
    await list("resourceVersion=0&resourceVersionMatch=Exact");
    await list("resourceVersion=1&resourceVersionMatch=Other");
    await list("resourceVersion=x");
    await list("resourceVersion=-1");
    await list("sendInitialEvents=true");
  }),
  scenario("a version that is not there yet", async (api) => {
    await two(api);
    await api.get(`${CONFIG_MAPS}?resourceVersion=${FUTURE}`);
    await api.get(`${CONFIG_MAPS}?resourceVersion=${FUTURE}&resourceVersionMatch=NotOlderThan`);
    await api.get(`${CONFIG_MAPS}?resourceVersion=${FUTURE}&resourceVersionMatch=Exact`);
    await api.get(`${CONFIG_MAPS}/a?resourceVersion=${FUTURE}`);
    await api.get(`${CONFIG_MAPS}/a?resourceVersion=0`);
    await api.get(`${CONFIG_MAPS}/a?resourceVersion=x`);
  }),
];
