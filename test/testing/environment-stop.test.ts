import { expect, test } from "@jest/globals";
import { type Environment, startEnvironment, VirtualClock } from "tidegate/testing";
import { copying, poke, pokeController } from "./poke.ts";

test("an environment that was stopped leaves no timer and no handle behind", async () => {
  await pokedOnce(); // Loads everything, and starts what all environments share.
  const env = await pokedOnce();
  expect(env.clock).toBeInstanceOf(VirtualClock);
  expect((env.clock as VirtualClock).nextMs()).toBeUndefined();
  let found = await leftByOne();
  // The test runner has timers of its own now and then; ours would be there each time.
  for (let times = 0; times < 5 && found.length > 0; times += 1) found = await leftByOne();
  expect(found).toEqual([]);
});

async function pokedOnce(): Promise<Environment> {
  const env = await startEnvironment({ controllers: [[pokeController, copying]] });
  await poke(env);
  await env.stop();
  return env;
}

/** The handles that one environment adds to those that are there. */
async function leftByOne(): Promise<readonly string[]> {
  const before = process.getActiveResourcesInfo();
  await pokedOnce();
  return process.getActiveResourcesInfo().filter((each) => {
    const index = before.indexOf(each);
    if (index >= 0) before.splice(index, 1);
    return index < 0;
  });
}
