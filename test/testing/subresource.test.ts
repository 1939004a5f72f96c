import { afterEach, expect, test } from "@jest/globals";
import { ConfigMap, Deployment, defineController, type Reconciler, useSubresource } from "tidegate";
import { type Environment, startEnvironment } from "tidegate/testing";

// A ConfigMap says how many replicas the Deployment of its name has.
const scaler = defineController({
  name: "scaler",
  for: ConfigMap,
  uses: [useSubresource(Deployment, "scale", "get", "patch")],
});

const reconciler: Reconciler<typeof scaler> = {
  async reconcile({ metadata: { name }, data }, { client }) {
    const scales = client.subresource(Deployment, "scale");
    const replicas = Number(data?.replicas);
    const scale = await scales.get(name);
    if (!scale || scale.spec?.replicas === replicas) return;
    await scales.patch(name, { type: "merge", patch: { spec: { replicas } } });
  },
};

let env: Environment;
afterEach(() => env.stop());

test("a reconciler scales a Deployment that it may not write otherwise", async () => {
  env = await startEnvironment({ controllers: [[scaler, reconciler]] });
  const labels = { app: "web" };
  await env.apply(Deployment, {
    metadata: { name: "web" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
    },
  });
  await env.apply(ConfigMap, { metadata: { name: "web" }, data: { replicas: "3" } });
  await env.settled();
  expect((await env.get(Deployment, "web"))?.spec?.replicas).toBe(3);
});
