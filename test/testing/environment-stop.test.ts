import { expect, test } from "@jest/globals";
import { type Environment, startEnvironment, VirtualClock } from "tidegate/testing";
import { copying, Poke, poke, pokeController } from "./poke.ts";

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

test("an environment that was stopped refuses what it cannot do any more, and still can be read", async () => {
  const env = await pokedOnce();
  const stopped = "expected an environment that runs, got one that was stopped; await every call";
  await expect(env.settled()).rejects.toThrow(`cannot settle: ${stopped}`);
  await expect(env.advance(1)).rejects.toThrow(`cannot advance time: ${stopped}`);
  await expect(env.restartWatcher()).rejects.toThrow(`cannot restart the watcher: ${stopped}`);
  await expect(env.delete(Poke, "web")).rejects.toThrow(`cannot write: ${stopped}`);
  await expect(env.apply(Poke, { metadata: { name: "web" }, spec: { text: "" } })).rejects.toThrow(
    `cannot write: ${stopped}`,
  );
  expect(env.runs(pokeController, "web")).toHaveLength(1);
});
