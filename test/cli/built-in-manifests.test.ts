import { expect, test } from "@jest/globals";
import { builtInManifest } from "../../cli/built-in-manifests.ts";
import { builtInKinds } from "../../cli/scaffold-kinds.ts";
import { defineController, type KubernetesObject } from "../../shared/api/index.ts";
import { startEnvironment } from "../../shared/testing/index.ts";

const embedded = builtInKinds().filter(({ notEmbedded }) => !notEmbedded);

test.each(embedded)("the sample of $kind is accepted and reconciled", async (kind) => {
  const controller = defineController<KubernetesObject>({ name: "sample", for: kind });
  const env = await startEnvironment({
    controllers: [[controller, { reconcile: async () => {} }]],
  });
  try {
    await env.apply(builtInManifest(kind) ?? "");
    await env.settled();
    expect(env.record(controller, "hello")).toMatchObject({ outcome: "success" });
  } finally {
    await env.stop();
  }
});

test("what the embedded cluster lacks is known, so that no test is made that cannot pass", () => {
  const lacking = builtInKinds().filter(({ notEmbedded }) => notEmbedded);
  expect(lacking.map(({ kind }) => kind).sort()).toEqual([
    "LimitRange",
    "PersistentVolume",
    "ResourceQuota",
  ]);
});
