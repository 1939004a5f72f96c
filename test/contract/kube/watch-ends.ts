import type { Api } from "./harness/api.ts";
import { CONFIG_MAPS, configMap } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

/** Lets more than a second pass on either server: each try of `until` waits for 50 ms. */
async function oneSecond({ quiet }: Api): Promise<void> {
  let tries = 0;
  await quiet.until(CONFIG_MAPS, () => {
    tries += 1;
    return tries > 40;
  });
}

export const scenarios = [
  scenario("a watch ends in order after its time", async (api) => {
    const watch = await api.watch(`${CONFIG_MAPS}?watch=true&timeoutSeconds=1`);
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await watch.take(1);
    await oneSecond(api);
    await watch.rest();
  }),
  scenario("a watch of nothing ends too", async (api) => {
    const watch = await api.watch(`${CONFIG_MAPS}?watch=true&timeoutSeconds=1&labelSelector=none`);
    await oneSecond(api);
    await watch.rest();
  }),
];
