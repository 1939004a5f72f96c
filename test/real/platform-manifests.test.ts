// The function behind the custom resources, against a real kube-apiserver with RBAC and a real garbage collector.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createAssetReader } from "../../functions/platform-manifests/aws-asset.ts";
import type {
  CustomResourceEvent,
  DeployedRevision,
  Host,
} from "../../functions/platform-manifests/custom-resource.ts";
import { handleRequest } from "../../functions/platform-manifests/handle-request.ts";
import { Website } from "../../functions/website/resource.ts";
import { kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import type { Controller } from "../../shared/api/controller.ts";
import {
  ClusterRole,
  ClusterRoleBinding,
  Deployment,
  Namespace,
  Pod,
  ReplicaSet,
} from "../../shared/api/kinds.ts";
import { type Clock, systemClock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { Definition } from "../../shared/platform/definition-kind.ts";
import {
  assetOf,
  CONTROLLER,
  OTHER,
  stageProperties,
} from "../functions/platform-manifests-stage.ts";
import { type LoggedLine, recordedLog } from "../support/recorded-log.ts";
import { type Answered, type CloudFormation, startCloudFormation } from "./cloudformation.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";

const START_LIMIT_MS = 60 * 60_000; // The first start on a machine builds everything.
const TEST_LIMIT_MS = 120_000;
/** So much faster do waits of the function pass. */
const SPEED = 20;
const TOKEN = "token-of-the-deployer";
const BAD_IMAGE = "example.com/bad:1";
const WATCHER = { namespace: "ops", name: "watcher" };
const OTHER_ROLE = { namespace: "", name: "team:function:other" };
const CRD = { namespace: "", name: "websites.web.example.com" };

let kube: Kube;
let aws: CloudFormation;
let transport: Transport;
let client: KubeClient;
const revisions: DeployedRevision[] = [];
const logged: LoggedLine[] = [];

const fast: Clock = {
  nowMs: systemClock.nowMs,
  monotonicMs: () => systemClock.monotonicMs() * SPEED,
  sleep: (ms, signal) => systemClock.sleep(ms / SPEED, signal),
};

beforeAll(async () => {
  kube = await startKube({
    authorization: "RBAC",
    users: [{ name: "deployer", token: TOKEN }],
    // Of one that waits for its image no replica becomes available.
    availableReplicas: (deployment) =>
      JSON.stringify(deployment).includes(BAD_IMAGE) ? 0 : (deployment.spec.replicas ?? 1),
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  const { url, ca, token } = kube;
  const access = { server: url, ca: async () => ca, authorization: async () => `Bearer ${token}` };
  transport = createTransport(access, { clock: systemClock });
  client = createKubeClient(transport);
  aws = await startCloudFormation();
  aws.objects.set("/assets/one", assetOf({}));
  aws.objects.set("/assets/two", assetOf({ controllers: [CONTROLLER, OTHER] }));
  aws.objects.set("/assets/bad", assetOf({ controllers: [CONTROLLER, OTHER], image: BAD_IMAGE }));
}, START_LIMIT_MS);
afterAll(async () => {
  transport?.close();
  await aws?.stop();
  await kube?.stop();
});

function host(): Host {
  const { log, logged: lines } = recordedLog();
  const credentials = async () => ({ accessKeyId: "a", secretAccessKey: "b" });
  const s3 = { region: "eu-west-1", credentials, fetch, clock: fast, endpoint: aws.s3Url };
  return {
    clock: fast,
    log: Object.fromEntries(
      Object.entries(log).map(([level, write]) => [
        level,
        (...line: Parameters<typeof write>) => {
          write(...line);
          logged.push(...lines.splice(0));
        },
      ]),
    ) as unknown as Host["log"],
    fetch,
    transportTo: ({ endpoint }) => {
      const ca = async () => kube.ca;
      const access = { server: endpoint, ca, authorization: async () => `Bearer ${TOKEN}` };
      return createTransport(access, { clock: systemClock });
    },
    readAsset: createAssetReader(s3),
    putRevision: async (revision) => void revisions.push(revision),
  };
}

async function send(event: Partial<CustomResourceEvent>): Promise<Answered> {
  const whole: CustomResourceEvent = {
    RequestType: "Create",
    ResponseURL: aws.answerUrl,
    StackId: "arn:aws:cloudformation:eu-west-1:1:stack/web/1",
    RequestId: "request-1",
    ResourceType: "Custom::TidegateManifests",
    LogicalResourceId: "Watcher",
    ResourceProperties: {},
    ...event,
  };
  await handleRequest(whole, host(), { getRemainingTimeInMillis: () => 900_000 });
  return aws.answers.at(-1) as Answered;
}

const place = (endpoint = kube.url) => ({ endpoint });
const manifests = (step: string, key: string, endpoint?: string) => ({
  ...stageProperties.manifests(step, key),
  ...place(endpoint),
});
const guard = (controllers: readonly Controller[], drain?: string) => ({
  ...stageProperties.guard(controllers, drain),
  ...place(),
});
const create = (step: string, key: string) =>
  send({ RequestType: "Create", ResourceProperties: manifests(step, key) });
const change = (step: string, from: string, to: string) =>
  send({
    RequestType: "Update",
    PhysicalResourceId: `tidegate:prod:team:${step}`,
    ResourceProperties: manifests(step, to),
    OldResourceProperties: manifests(step, from),
  });
const remove = (step: string, endpoint?: string) =>
  send({
    RequestType: "Delete",
    PhysicalResourceId: `tidegate:prod:team:${step}`,
    ResourceProperties: manifests(step, "one", endpoint),
  });
const unguard = (drain?: string) =>
  send({
    RequestType: "Delete",
    ResourceType: "Custom::TidegateGuard",
    PhysicalResourceId: "tidegate:prod:team:guard",
    ResourceProperties: guard([CONTROLLER], drain),
  });
const settled = async <T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> => {
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    await systemClock.sleep(50);
  }
};

test(
  "creates once the access entry has settled; applied again, nothing changes",
  async () => {
    const creating = create("before-functions", "one");
    await settled(
      async () => logged.map(({ fields }) => fields.got),
      (got) => got.includes(403),
    );
    await client.create(ClusterRoleBinding, "", {
      metadata: { name: "deployer" },
      roleRef: {
        apiGroup: "rbac.authorization.k8s.io",
        kind: "ClusterRole",
        name: "cluster-admin",
      },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "deployer" }],
    });
    expect((await creating).Reason).toBeUndefined();
    expect(await client.get(Deployment, WATCHER)).toBeUndefined();
    expect((await create("after-functions", "one")).Reason).toBeUndefined();
    expect((await client.get(Deployment, WATCHER))?.status).toMatchObject({ availableReplicas: 2 });
    for (const step of ["before-functions", "after-functions"]) {
      const { Data } = await create(step, "one");
      expect(Data).toMatchObject({ created: "0", changed: "0", removed: "0" });
    }
    expect(revisions.at(-1)).toMatchObject({ controller: "website", revision: "code-one" });
  },
  TEST_LIMIT_MS,
);

test(
  "its pods are let into a namespace of Pod Security level restricted",
  async () => {
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await client.create(Namespace, "", { metadata: { name: "strict", labels } });
    const template = (await client.get(Deployment, WATCHER))?.spec?.template;
    const pod = {
      metadata: { name: "one", labels: template?.metadata?.labels },
      spec: template?.spec,
    };
    await client.create(Pod, "strict", pod, { dryRun: true });
    const open = { ...pod, spec: { ...pod.spec, securityContext: {} } };
    await expect(client.create(Pod, "strict", open, { dryRun: true })).rejects.toThrow(
      /PodSecurity/,
    );
  },
  TEST_LIMIT_MS,
);

test(
  "an answer that gets lost is sent again, and so the request leads to the same",
  async () => {
    aws.lose = 2;
    const before = aws.answers.length;
    expect((await change("before-functions", "one", "two")).Reason).toBeUndefined();
    expect(new Set(aws.answers.slice(before).map((each) => JSON.stringify(each))).size).toBe(1);
    expect(aws.answers.length - before).toBe(3);
    expect((await change("after-functions", "one", "two")).Reason).toBeUndefined();
    const again = await change("after-functions", "one", "two");
    expect(again.Data).toMatchObject({ created: "0", changed: "0", removed: "0" });
    expect(await client.get(ClusterRole, OTHER_ROLE)).toBeDefined();
  },
  TEST_LIMIT_MS,
);

test(
  "prunes what an update does not have any more",
  async () => {
    await change("before-functions", "two", "one");
    expect(await client.get(ClusterRole, OTHER_ROLE)).toBeDefined();
    const { Data } = await change("after-functions", "two", "one");
    expect(Data).toMatchObject({ removed: "2" });
    expect(await client.get(ClusterRole, OTHER_ROLE)).toBeUndefined();
  },
  TEST_LIMIT_MS,
);

test(
  "a rollout that fails tells what its pod says, and is rolled back",
  async () => {
    await change("before-functions", "one", "bad");
    const failing = change("after-functions", "one", "bad");
    const isBad = (object: unknown) => JSON.stringify(object ?? {}).includes(BAD_IMAGE);
    const deployment = await settled(() => client.get(Deployment, WATCHER), isBad);
    await playPod(deployment as Deployment);
    const failed = await failing;
    expect(failed).toMatchObject({ Status: "FAILED" });
    expect(failed.Reason).toBe(
      "cannot roll out Deployment ops/watcher: expected 2 replicas to run it, got 0: pod watcher-new-1: ImagePullBackOff: Back-off pulling image",
    );
    await change("before-functions", "bad", "one");
    expect(await change("after-functions", "bad", "one")).toMatchObject({
      Status: "SUCCESS",
      Data: { removed: "2" },
    });
    expect(isBad(await client.get(Deployment, WATCHER))).toBe(false);
    expect(await client.get(ClusterRole, OTHER_ROLE)).toBeUndefined();
    expect(revisions.at(-1)?.revision).toBe("code-one");
  },
  TEST_LIMIT_MS,
);

test(
  "the guard refuses, drains, and strips",
  async () => {
    const make = (name: string) =>
      client.create(Website, "default", {
        metadata: { name, finalizers: [CONTROLLER.finalizer] },
        spec: { host: "a.example.com", image: "nginx:1.29" },
      });
    const get = (name: string) => client.get(Website, { namespace: "default", name });
    await make("one");
    expect((await unguard()).Reason).toMatch(
      /got 1 object: Website default\/one; delete them first/,
    );
    const draining = unguard("finalize");
    await settled(
      () => get("one"),
      (object) => object?.metadata.deletionTimestamp !== undefined,
    );
    const patch = { metadata: { finalizers: null } };
    await client.patch(Website, { namespace: "default", name: "one" }, { type: "merge", patch });
    expect((await draining).Reason).toBeUndefined();
    expect(await get("one")).toBeUndefined();
    await make("two");
    expect(await unguard("strip")).toMatchObject({
      Status: "SUCCESS",
      Data: { stripped: "1", first: "Website default/two" },
    });
    expect((await get("two"))?.metadata.finalizers).toBeUndefined();
    // With the next deploy the function has access again.
    await create("before-functions", "one");
    const binding = { namespace: "", name: "team:function:website" };
    expect(await client.get(ClusterRoleBinding, binding)).toBeDefined();
  },
  TEST_LIMIT_MS,
);

test(
  "a roll-back leaves a definition whose newer version is stored, a deploy that takes it away fails",
  async () => {
    aws.objects.set("/assets/newer", withNewerVersion(assetOf({})));
    expect((await change("before-functions", "one", "newer")).Reason).toBeUndefined();
    const back = await change("before-functions", "newer", "one");
    expect(back).toMatchObject({ Status: "SUCCESS", Data: { left: "1" } });
    expect((await change("after-functions", "newer", "one")).Reason).toBeUndefined();
    expect((await change("before-functions", "one", "two")).Reason).toMatch(
      /^cannot apply the manifests: 1 of 1 of kind CustomResourceDefinition failed: .* status.storedVersions\[1\]/,
    );
    expect((await change("before-functions", "two", "one")).Reason).toBeUndefined();
  },
  TEST_LIMIT_MS,
);

test(
  "deletes all but definitions and what is in use by others, and again",
  async () => {
    const { body } = await kubeRequest(kube, {
      path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    });
    expect(JSON.stringify(body)).toContain("team:watcher");
    expect((await remove("after-functions")).Reason).toBeUndefined();
    expect((await remove("before-functions")).Reason).toBeUndefined();
    await settled(
      () => client.get(Namespace, { namespace: "", name: "ops" }),
      (object) => object === undefined,
    );
    const roles = (await client.list(ClusterRole)).map(({ metadata }) => metadata.name);
    expect(roles.filter((name) => name.startsWith("team:"))).toEqual([]);
    expect(await client.get(Definition, CRD)).toBeDefined();
    expect(await client.get(Website, { namespace: "default", name: "two" })).toBeDefined();
    expect(await remove("before-functions")).toMatchObject({
      Status: "SUCCESS",
      Data: { removed: "0" },
    });
  },
  TEST_LIMIT_MS,
);

test(
  "a cluster whose name is not known any more counts as deleted, one that does not answer does not",
  async () => {
    expect(await remove("after-functions", "https://cluster.invalid")).toMatchObject({
      Status: "SUCCESS",
    });
    expect((await remove("after-functions", "https://127.0.0.1:9")).Reason).toMatch(/ECONNREFUSED/);
  },
  TEST_LIMIT_MS,
);

test("no line of the log has a token, a signature or the URL for the answer", () => {
  const text = JSON.stringify(logged);
  expect(logged.length).toBeGreaterThan(20);
  expect(
    [TOKEN, aws.answerUrl, "Bearer", "Signature"].filter((each) => text.includes(each)),
  ).toEqual([]);
});

/** The same with a version v2 of the definition, in which objects are stored from then on. */
function withNewerVersion(asset: string): string {
  const all = JSON.parse(asset) as { spec: { versions: { name: string; storage: boolean }[] } }[];
  const versions = all[0]?.spec.versions ?? [];
  const [first] = versions.splice(0, 1);
  if (!first) throw new Error("expected a version, got none");
  versions.push({ ...first, storage: false }, { ...first, name: "v2", storage: true });
  return JSON.stringify(all);
}

/** What kubelet and controllers would make of a Deployment whose image is not there. */
async function playPod(deployment: Deployment): Promise<void> {
  const labels = { "app.kubernetes.io/name": "tidegate-watcher" };
  const owned = (kind: string, { name, uid }: { readonly name: string; readonly uid: string }) => ({
    ownerReferences: [{ apiVersion: "apps/v1", kind, name, uid, controller: true }],
    labels,
  });
  const { template } = deployment.spec ?? {};
  const set = await client.create(ReplicaSet, "ops", {
    metadata: { name: "watcher-new", ...owned("Deployment", deployment.metadata) },
    spec: { selector: { matchLabels: labels }, template },
  });
  const metadata = { name: "watcher-new-1", ...owned("ReplicaSet", set.metadata) };
  await client.create(Pod, "ops", { metadata, spec: template?.spec });
  const waiting = { reason: "ImagePullBackOff", message: "Back-off pulling image" };
  const container = { name: "watcher", ready: false, restartCount: 0, image: "", imageID: "" };
  const status = { containerStatuses: [{ ...container, state: { waiting } }] };
  const key = { namespace: "ops", name: metadata.name };
  await client.patch(Pod, key, { type: "merge", patch: { status } }, { subresource: "status" });
}
