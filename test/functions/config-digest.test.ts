import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect as jestExpect, test } from "@jest/globals";
import { ConfigMap, canonicalJson } from "tidegate";
import { type Environment, startEnvironment, withMatchers } from "tidegate/testing";
import { configDigestController } from "../../functions/config-digest/controller.ts";
import { configDigestReconciler, digestNameOf } from "../../functions/config-digest/reconciler.ts";

const expect = withMatchers(jestExpect);
const labels = { "digest.example.com/enabled": "true" };

let env: Environment;

beforeEach(async () => {
  env = await startEnvironment({ controllers: [[configDigestController, configDigestReconciler]] });
});

afterEach(() => env.stop());

async function applyConfig(name: string, data: Record<string, string>): Promise<ConfigMap> {
  const config = await env.apply(ConfigMap, { metadata: { name, labels }, data });
  await env.settled();
  return config;
}

function sha256(data: Record<string, string>): string {
  return createHash("sha256").update(canonicalJson({ data })).digest("hex");
}

test("a labelled ConfigMap has its digest beside it", async () => {
  const config = await applyConfig("settings", { colour: "blue" });
  const digest = await env.get(ConfigMap, "settings.digest");
  expect(digest).toBeOwnedBy(config);
  expect(digest?.data).toEqual({ sha256: sha256({ colour: "blue" }) });
});

test("the digest follows its ConfigMap, in one run for many edits at once", async () => {
  await applyConfig("settings", { colour: "blue" });
  const before = env.runs(configDigestController, "settings").length;
  for (const colour of ["red", "green", "black"]) {
    await env.patch(ConfigMap, "settings", { data: { colour } });
  }
  await env.settled();
  expect(env.runs(configDigestController, "settings")).toHaveLength(before + 1);
  const digest = await env.get(ConfigMap, "settings.digest");
  expect(digest?.data).toEqual({ sha256: sha256({ colour: "black" }) });
});

test("a digest that somebody edits or deletes is made as it was", async () => {
  await applyConfig("settings", { colour: "blue" });
  const right = (await env.get(ConfigMap, "settings.digest"))?.data;
  await env.patch(ConfigMap, "settings.digest", { data: { sha256: "wrong" } });
  await env.settled();
  expect((await env.get(ConfigMap, "settings.digest"))?.data).toEqual(right);
  await env.delete(ConfigMap, "settings.digest");
  await env.settled();
  expect((await env.get(ConfigMap, "settings.digest"))?.data).toEqual(right);
});

test("a ConfigMap without the label is left alone", async () => {
  await env.apply(ConfigMap, { metadata: { name: "plain" }, data: { colour: "blue" } });
  await env.settled();
  expect(await env.get(ConfigMap, "plain.digest")).toBeUndefined();
  expect(env.runs()).toEqual([]);
});

test("the digest goes with its ConfigMap", async () => {
  await applyConfig("settings", { colour: "blue" });
  await env.delete(ConfigMap, "settings");
  await env.settled();
  expect(await env.get(ConfigMap, "settings.digest")).toBeUndefined();
});

test("a ConfigMap with the longest name has a digest, too", async () => {
  const name = "n".repeat(253);
  const config = await applyConfig(name, { colour: "blue" });
  expect(digestNameOf(name).length).toBeLessThanOrEqual(253);
  expect(await env.get(ConfigMap, digestNameOf(name))).toBeOwnedBy(config);
});
