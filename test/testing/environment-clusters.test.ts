import { expect, test } from "@jest/globals";
import { ConfigMap, Deployment, Pod } from "tidegate";
import { type Environment, startEnvironment } from "tidegate/testing";
import { copying, Poke, poke, pokeController } from "./poke.ts";

const strict = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "pokes.test.example.com" },
  spec: {
    group: "test.example.com",
    scope: "Namespaced",
    names: { kind: "Poke", plural: "pokes", singular: "poke", listKind: "PokeList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { text: { type: "string", maxLength: 5 } },
              },
              status: { type: "object", properties: { text: { type: "string" } } },
            },
          },
        },
      },
    ],
  },
};

async function start(crds: readonly object[] = []): Promise<Environment> {
  return await startEnvironment({ controllers: [[pokeController, copying]], crds });
}

test("two environments at once have clusters of their own", async () => {
  const [one, other] = await Promise.all([start(), start()]);
  try {
    await Promise.all([poke(one, "one"), poke(other, "other")]);
    expect((await one.get(ConfigMap, "web"))?.data).toEqual({ text: "one" });
    expect((await other.get(ConfigMap, "web"))?.data).toEqual({ text: "other" });
    expect(await one.list(Poke)).toHaveLength(1);
  } finally {
    await Promise.all([one.stop(), other.stop()]);
  }
});

test("each environment has the definition that it is given, whatever an earlier one had", async () => {
  for (const crds of [[], [strict], [], [strict]]) {
    const env = await start(crds);
    try {
      const long = poke(env, "longer than five");
      if (crds.length > 0) await expect(long).rejects.toThrow("Too long");
      else await long;
    } finally {
      await env.stop();
    }
  }
});

test("an environment begins with an empty cluster, even after finalizers that nobody sees to", async () => {
  const first = await start();
  const finalizers = ["test.example.com/nobody"];
  await first.create(ConfigMap, { metadata: { name: "held", finalizers } });
  await first.apply(Deployment, deployment("web", 2));
  await poke(first);
  expect(await first.list(Pod)).toHaveLength(2);
  await first.stop();
  await first.stop();
  const second = await start();
  try {
    expect(await second.list(ConfigMap, { namespace: "default" })).toEqual([]);
    expect(await second.list(Poke)).toEqual([]);
    expect(await second.list(Pod)).toEqual([]);
    expect(await second.events(await poke(second))).toEqual([]);
  } finally {
    await second.stop();
  }
});

function deployment(name: string, replicas: number) {
  const labels = { app: name };
  const containers = [{ name, image: "nginx" }];
  const template = { metadata: { labels }, spec: { containers } };
  return { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } };
}
