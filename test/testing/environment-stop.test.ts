import { expect, test } from "@jest/globals";
import { type Environment, startEnvironment, VirtualClock } from "tidegate/testing";
import { copying, poke, pokeController } from "./poke.ts";

test("an environment that was stopped leaves no timer and no handle behind", async () => {
  await pokedOnce(); // Loads everything, and starts what all environments share.
  const before = process.getActiveResourcesInfo();
  const env = await pokedOnce();
  expect(without(process.getActiveResourcesInfo(), before)).toEqual([]);
  expect(env.clock).toBeInstanceOf(VirtualClock);
  expect((env.clock as VirtualClock).nextMs()).toBeUndefined();
});

async function pokedOnce(): Promise<Environment> {
  const env = await startEnvironment({ controllers: [[pokeController, copying]] });
  await poke(env);
  await env.stop();
  return env;
}

/** What is there beyond those; timers of the test runner come and go. */
function without(all: readonly string[], those: readonly string[]): readonly string[] {
  const left = [...those];
  return all.filter((each) => {
    const index = left.indexOf(each);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
