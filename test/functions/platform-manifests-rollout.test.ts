import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Deployment, Pod, ReplicaSet } from "../../shared/api/kinds.ts";
import type { ObjectMeta } from "../../shared/api/object.ts";
import { assetOf, type ManifestsStage, manifestsStage } from "./platform-manifests-stage.ts";

let stage: ManifestsStage;
beforeEach(() => {
  stage = manifestsStage({ workloads: false });
  stage.assets.set("one", assetOf({}));
});
afterEach(() => stage.stop());

const WATCHER = { namespace: "ops", name: "watcher" };
const LABELS = { "app.kubernetes.io/name": "tidegate-watcher" };
const POD = { namespace: "ops", name: "watcher-1" };

/** The controllers' part: the pods of the Deployment, of which one says what it is given. */
async function play(status: object): Promise<void> {
  const { client } = stage;
  const deployment = await client.get(Deployment, WATCHER);
  if (!deployment || (await client.get(Pod, POD))) return;
  const owned = (kind: string, { name, uid }: ObjectMeta) => ({
    ownerReferences: [{ apiVersion: "apps/v1", kind, name, uid, controller: true }],
    labels: LABELS,
  });
  const spec = deployment.spec?.template.spec;
  for (const name of ["watcher-0", "watcher-1"]) {
    const set = await client.create(ReplicaSet, "ops", {
      metadata: {
        name,
        annotations: { "deployment.kubernetes.io/revision": name.slice(-1) },
        ...owned("Deployment", deployment.metadata),
      },
      spec: { selector: { matchLabels: LABELS }, template: { metadata: { labels: LABELS }, spec } },
    });
    await client.create(Pod, "ops", {
      metadata: { name, ...owned("ReplicaSet", set.metadata) },
      spec,
    });
  }
  const annotations = { "deployment.kubernetes.io/revision": "1" };
  const patch = { metadata: { annotations } };
  await client.patch(Deployment, WATCHER, { type: "merge", patch });
  const says = (key: typeof POD, what: object) =>
    client.patch(Pod, key, { type: "merge", patch: { status: what } }, { subresource: "status" });
  // That of the last version is of no interest.
  await says({ ...POD, name: "watcher-0" }, container({ waiting: { reason: "ErrImagePull" } }));
  await says(POD, status);
}

async function failure(status: object): Promise<{ reason: string; seconds: number }> {
  let playing = false;
  stage.fault = ({ method, path }) => {
    if (method === "GET" && path.endsWith("/replicasets") && !playing) {
      playing = true;
      void play(status);
    }
    return undefined;
  };
  const startMs = stage.clock.monotonicMs();
  const { Reason = "" } = await stage.send({
    ResourceProperties: stage.manifests("after-functions", "one"),
  });
  return { reason: Reason, seconds: Math.round((stage.clock.monotonicMs() - startMs) / 1000) };
}

async function deploy(status: object) {
  await stage.send({ ResourceProperties: stage.manifests("before-functions", "one") });
  return failure(status);
}

const container = (state: object, more: object = {}) => ({
  containerStatuses: [
    { name: "watcher", ready: false, restartCount: 3, image: "i", imageID: "", state, ...more },
  ],
});

test("an image that cannot be pulled fails a minute later, with what the kubelet says", async () => {
  const waiting = { reason: "ImagePullBackOff", message: 'Back-off pulling image "node:24"' };
  const { reason, seconds } = await deploy(container({ waiting }));
  expect(reason).toBe(
    'cannot roll out Deployment ops/watcher: expected 2 replicas to run it, got 0: pod watcher-1: ImagePullBackOff: Back-off pulling image "node:24"',
  );
  expect(seconds).toBeGreaterThanOrEqual(60);
  expect(seconds).toBeLessThan(80);
});

test("a program that ends again and again fails with the last that it said", async () => {
  const lastState = {
    terminated: {
      exitCode: 1,
      reason: "Error",
      message: "cannot start the watcher: expected TIDEGATE_TABLE\n",
    },
  };
  const waiting = { reason: "CrashLoopBackOff", message: "back-off 40s restarting" };
  const { reason, seconds } = await deploy(container({ waiting }, { lastState }));
  expect(reason).toMatch(
    /pod watcher-1: CrashLoopBackOff: ended with 1 \(Error\): cannot start the watcher: expected TIDEGATE_TABLE$/,
  );
  expect(seconds).toBeLessThan(80);
});

test("a pod that finds no node has ten minutes, for a node may be made for it", async () => {
  const message = "0/3 nodes are available: 3 Insufficient memory.";
  const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }];
  const { reason, seconds } = await deploy({ conditions });
  expect(reason).toMatch(/pod watcher-1: Unschedulable: 0\/3 nodes are available: 3 Insufficient/);
  expect(seconds).toBeGreaterThanOrEqual(600);
  expect(seconds).toBeLessThan(620);
});

test("a pod that runs and is never ready fails after ten minutes", async () => {
  const running = { startedAt: "2026-01-01T00:00:00Z" };
  const { reason, seconds } = await deploy(container({ running }));
  expect(reason).toMatch(/pod watcher-1: runs, and is not ready$/);
  expect(seconds).toBeGreaterThanOrEqual(600);
});

test("pods that an admission refuses fail with its words", async () => {
  const status = {
    conditions: [
      { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "exceeded quota" },
    ],
  };
  await stage.send({ ResourceProperties: stage.manifests("before-functions", "one") });
  let told = false;
  stage.fault = ({ method, path }) => {
    if (method === "GET" && path.endsWith("/replicasets") && !told) {
      told = true;
      const how = { subresource: "status" };
      void stage.client.patch(Deployment, WATCHER, { type: "merge", patch: { status } }, how);
    }
    return undefined;
  };
  const { Reason } = await stage.send({
    ResourceProperties: stage.manifests("after-functions", "one"),
  });
  expect(Reason).toMatch(/got 0: FailedCreate: exceeded quota$/);
});
