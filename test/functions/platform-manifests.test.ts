import { afterEach, beforeEach, expect, test } from "@jest/globals";
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  Namespace,
  PodDisruptionBudget,
  ServiceAccount,
} from "../../shared/api/kinds.ts";
import { Definition } from "../../shared/platform/definition-kind.ts";
import {
  assetOf,
  CONTROLLER,
  type ManifestsStage,
  manifestsStage,
  noSuchName,
  OTHER,
  refused,
  STACK,
} from "./platform-manifests-stage.ts";

let stage: ManifestsStage;
beforeEach(() => {
  stage = manifestsStage();
  stage.assets.set("one", assetOf({}));
  stage.assets.set("two", assetOf({ controllers: [CONTROLLER, OTHER] }));
});
afterEach(() => stage.stop());

const BEFORE = "tidegate:prod:team:before-functions";
const AFTER = "tidegate:prod:team:after-functions";
const WATCHER = { namespace: "ops", name: "watcher" };
const cluster = (name: string) => ({ namespace: "", name });
const OTHER_ROLE = cluster("team:function:other");

const create = (step: string, key: string) =>
  stage.send({ RequestType: "Create", ResourceProperties: stage.manifests(step, key) });
const update = (step: string, from: string, key: string) =>
  stage.send({
    RequestType: "Update",
    PhysicalResourceId: `tidegate:prod:team:${step}`,
    ResourceProperties: stage.manifests(step, key),
    OldResourceProperties: stage.manifests(step, from),
  });
const remove = (step: string, key = "one") =>
  stage.send({
    RequestType: "Delete",
    PhysicalResourceId: `tidegate:prod:team:${step}`,
    ResourceProperties: stage.manifests(step, key),
  });

async function deployOne(): Promise<void> {
  expect((await create("before-functions", "one")).Reason).toBeUndefined();
  expect((await create("after-functions", "one")).Reason).toBeUndefined();
}

test("before the functions come definitions and access, after them revisions and the watcher, which is waited for", async () => {
  const first = await create("before-functions", "one");
  expect(first).toMatchObject({ Status: "SUCCESS", PhysicalResourceId: BEFORE });
  const { client, revisions } = stage;
  expect(await client.get(Definition, cluster("websites.web.example.com"))).toBeDefined();
  expect(await client.get(ServiceAccount, WATCHER)).toBeDefined();
  expect(await client.get(Deployment, WATCHER)).toBeUndefined();
  expect(revisions).toEqual([]);
  let revisionsAtFirstWatcher: number | undefined;
  stage.fault = ({ method, path }) => {
    if (method === "PATCH" && path.endsWith("/deployments/watcher")) {
      revisionsAtFirstWatcher ??= revisions.length;
    }
    return undefined;
  };
  const second = await create("after-functions", "one");
  expect(second).toMatchObject({ Status: "SUCCESS", PhysicalResourceId: AFTER });
  expect(revisionsAtFirstWatcher).toBe(1);
  expect(revisions).toEqual([
    { table: "records", cluster: "prod", controller: "website", revision: "code-one" },
  ]);
  const { status } = (await client.get(Deployment, WATCHER)) ?? {};
  expect(status).toMatchObject({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 });
  const config = await client.get(ConfigMap, { namespace: "ops", name: "tidegate-config" });
  expect(config?.data?.TIDEGATE_TABLE).toBe("records");
});

test("the same request once more changes nothing", async () => {
  await deployOne();
  expect((await create("before-functions", "one")).Data).toMatchObject({
    created: "0",
    changed: "0",
  });
  const { Data } = await create("after-functions", "one");
  expect(Data).toMatchObject({ created: "0", changed: "0", removed: "0", left: "0" });
});

test("what an update does not have any more goes last, and roles are narrowed no sooner", async () => {
  await deployOne();
  await update("before-functions", "one", "two");
  await update("after-functions", "one", "two");
  expect(await stage.client.get(ClusterRole, OTHER_ROLE)).toBeDefined();
  const rules = async () =>
    (await stage.client.get(ClusterRole, cluster("team:function:website")))?.rules;
  const all = JSON.parse(assetOf({})) as { metadata: { name: string }; rules?: object[] }[];
  const role = all.find(
    ({ metadata, rules: some }) => metadata.name === "team:function:website" && some,
  );
  const had = [...(role?.rules ?? [])];
  role?.rules?.splice(0, 1);
  stage.assets.set("three", JSON.stringify(all));
  await update("before-functions", "two", "three");
  expect(await rules()).toEqual([...had.slice(1), had[0]]);
  expect(await stage.client.get(ClusterRole, OTHER_ROLE)).toBeDefined();
  const { Data } = await update("after-functions", "two", "three");
  expect(Data).toMatchObject({ removed: "2" });
  expect(await rules()).toEqual(had.slice(1));
  expect(await stage.client.get(ClusterRole, OTHER_ROLE)).toBeUndefined();
});

test("a roll-back removes what the failed update had brought, and puts the old revisions back", async () => {
  await deployOne();
  await update("before-functions", "one", "two");
  stage.fault = ({ method, path }) =>
    method === "PATCH" && path.endsWith("/deployments/watcher") ? refused(422, "odd") : undefined;
  const failed = await update("after-functions", "one", "two");
  expect(failed).toMatchObject({ Status: "FAILED", PhysicalResourceId: AFTER });
  expect(failed.Reason).toMatch(
    /^cannot apply the manifests: 1 of 1 of kind Deployment failed: cannot apply Deployment ops\/watcher: .* 422 Test: odd/,
  );
  stage.fault = () => undefined;
  expect(await stage.client.get(ClusterRole, OTHER_ROLE)).toBeDefined();
  await update("before-functions", "two", "one");
  const back = await update("after-functions", "two", "one");
  expect(back).toMatchObject({ Status: "SUCCESS", Data: { removed: "2" } });
  expect(await stage.client.get(ClusterRole, OTHER_ROLE)).toBeUndefined();
  expect(stage.revisions.at(-1)?.revision).toBe("code-one");
});

test("a roll-back leaves a definition that objects are stored in, a deploy does not", async () => {
  await deployOne();
  const inUse = ({ method, path }: { method: string; path: string }) =>
    method === "PATCH" && path.includes("/customresourcedefinitions/")
      ? refused(422, 'status.storedVersions[1]: Invalid value: "v2": missing from spec.versions')
      : undefined;
  stage.fault = inUse;
  expect(await update("before-functions", "one", "two")).toMatchObject({ Status: "FAILED" });
  const back = await update("before-functions", "two", "one");
  expect(back).toMatchObject({ Status: "SUCCESS", Data: { left: "1" } });
  expect(await update("after-functions", "two", "one")).toMatchObject({ Status: "SUCCESS" });
});

test("deletion takes the watcher first, then the rest, and never definitions", async () => {
  await deployOne();
  const { client } = stage;
  expect(await remove("after-functions")).toMatchObject({
    Status: "SUCCESS",
    Data: { removed: "3" },
  });
  expect(await client.get(Deployment, WATCHER)).toBeUndefined();
  expect(await client.get(PodDisruptionBudget, WATCHER)).toBeUndefined();
  expect(await client.get(ServiceAccount, WATCHER)).toBeDefined();
  stage.assets.clear(); // The bucket may be empty by then.
  expect(await remove("before-functions")).toMatchObject({ Status: "SUCCESS" });
  const deleted = stage.requests.filter(({ method }) => method === "DELETE");
  const kinds = deleted.map(({ path }) => path.split("/").at(-2));
  expect(kinds[0]).toBe("deployments");
  // Last what everything else is in, and what knows of all.
  expect(kinds.slice(-3)).toEqual(["serviceaccounts", "namespaces", "configmaps"]);
  await stage.clock.advance(60_000);
  expect(await client.get(Namespace, cluster("ops"))).toBeUndefined();
  const left = (await client.list(ClusterRole)).filter(({ metadata }) =>
    metadata.name.startsWith("team:"),
  );
  expect(left).toEqual([]);
  expect(await client.get(Definition, cluster("websites.web.example.com"))).toBeDefined();
  expect(await remove("before-functions")).toMatchObject({
    Status: "SUCCESS",
    Data: { removed: "0" },
  });
});

test("a definition stays although it has the label, and the manifests have it no more", async () => {
  await deployOne();
  const patch = { metadata: { labels: { "tidegate.dev/platform": "team" } } };
  const key = cluster("websites.web.example.com");
  await stage.client.patch(Definition, key, { type: "merge", patch });
  const all = JSON.parse(assetOf({})) as { readonly kind: string }[];
  stage.assets.set("four", JSON.stringify(all.filter(({ kind }) => kind !== Definition.kind)));
  await update("before-functions", "one", "four");
  expect((await update("after-functions", "one", "four")).Data).toMatchObject({ removed: "0" });
  await update("after-functions", "four", "one");
  await remove("after-functions");
  await remove("before-functions");
  expect((await stage.client.get(Definition, key))?.metadata.deletionTimestamp).toBeUndefined();
});

test("a definition may say what stands for values elsewhere", async () => {
  const description = `${"$"}{Table} or ${"$"}{Other}`;
  const all = JSON.parse(assetOf({})) as {
    spec: { versions: { schema: { openAPIV3Schema: object } }[] };
  }[];
  Object.assign(all[0]?.spec.versions[0]?.schema.openAPIV3Schema ?? {}, { description });
  stage.assets.set("one", JSON.stringify(all));
  await deployOne();
  const found = await stage.client.get(Definition, cluster("websites.web.example.com"));
  expect(JSON.stringify(found)).toContain(description);
});

test("revisions alone are told where somebody else applies the manifests", async () => {
  const ResourceType = "Custom::TidegateRevisions";
  const ResourceProperties = { cluster: "prod", table: "records", revisions: { website: "r1" } };
  const answer = await stage.send({ ResourceType, ResourceProperties });
  expect(answer).toMatchObject({ Status: "SUCCESS" });
  const { PhysicalResourceId } = answer;
  await stage.send({ RequestType: "Delete", ResourceType, ResourceProperties, PhysicalResourceId });
  expect(stage.revisions).toEqual([
    { table: "records", cluster: "prod", controller: "website", revision: "r1" },
  ]);
  expect(stage.requests).toEqual([]);
});

test("a namespace with something of somebody else stays, and so does what lost the label", async () => {
  await deployOne();
  const { client } = stage;
  await client.create(ConfigMap, "ops", { metadata: { name: "theirs" } });
  const patch = { metadata: { labels: { "tidegate.dev/platform": null } } };
  await client.patch(ClusterRole, cluster("team:watcher"), { type: "merge", patch });
  await remove("after-functions");
  await remove("before-functions");
  await stage.clock.advance(60_000);
  expect(await client.get(Namespace, cluster("ops"))).toBeDefined();
  expect(await client.get(ClusterRole, cluster("team:watcher"))).toBeDefined();
  expect(stage.logged).toContainEqual({
    level: "info",
    message: "kept",
    fields: { object: "Namespace ops", why: "there is ConfigMap ops/theirs" },
  });
});

test("a namespace that was there is used as it is; of anything else of somebody's it keeps off", async () => {
  const { client } = stage;
  await client.create(Namespace, "", { metadata: { name: "ops", labels: { team: "a" } } });
  await client.create(ClusterRole, "", { metadata: { name: "team:watcher" }, rules: [] });
  const { Reason } = await create("before-functions", "one");
  expect(Reason).toMatch(
    /1 of 2 of kind ClusterRole failed: .*ClusterRole team:watcher: expected none, or one with label tidegate.dev\/platform=team/,
  );
  await client.delete(ClusterRole, cluster("team:watcher"));
  await deployOne();
  await remove("after-functions");
  await remove("before-functions");
  const { metadata } = (await client.get(Namespace, cluster("ops"))) ?? {};
  expect(metadata?.labels).toEqual({ team: "a", "kubernetes.io/metadata.name": "ops" });
});

test("a platform moves to another namespace", async () => {
  await deployOne();
  stage.assets.set("moved", assetOf({ namespace: "elsewhere" }));
  await update("before-functions", "one", "moved");
  const places = async () =>
    (await stage.client.get(ClusterRoleBinding, cluster("team:watcher")))?.subjects?.map(
      ({ namespace }) => namespace,
    );
  expect(await places()).toEqual(["elsewhere", "ops"]); // The old watcher runs on.
  const moved = await update("after-functions", "one", "moved");
  // Account, config, budget, Deployment and namespace.
  expect(moved).toMatchObject({ Status: "SUCCESS", Data: { removed: "5" } });
  expect(await places()).toEqual(["elsewhere"]);
  await stage.clock.advance(60_000);
  expect(await stage.client.get(Namespace, cluster("ops"))).toBeUndefined();
  expect(await stage.client.get(Deployment, { ...WATCHER, namespace: "elsewhere" })).toBeDefined();
});

test("a platform of another stack is left to it", async () => {
  await deployOne();
  const StackId = `${STACK}-other`;
  const ResourceProperties = stage.manifests("before-functions", "one");
  const answer = await stage.send({ StackId, ResourceProperties });
  expect(answer.Reason).toMatch(
    /expected it to be that of .*\/1-other, got .*\/1; give one of them/,
  );
  const { PhysicalResourceId } = answer;
  const gone = await stage.send({
    RequestType: "Delete",
    StackId,
    PhysicalResourceId,
    ResourceProperties,
  });
  expect(gone).toMatchObject({ Status: "SUCCESS", Data: { removed: "0" } });
  expect(await stage.client.get(Deployment, WATCHER)).toBeDefined();
});

test("401 and 403 are tried again for two minutes, and told then", async () => {
  let until = stage.clock.monotonicMs() + 90_000;
  stage.fault = () => (stage.clock.monotonicMs() < until ? refused(403) : undefined);
  expect(await create("before-functions", "one")).toMatchObject({ Status: "SUCCESS" });
  until = Number.POSITIVE_INFINITY;
  const startMs = stage.clock.monotonicMs();
  const { Status, Reason } = await create("after-functions", "one");
  expect(Status).toBe("FAILED");
  expect(Reason).toMatch(/403 Test: no; grant it/);
  expect(stage.clock.monotonicMs() - startMs).toBeLessThan(130_000);
});

test("with a cluster that is gone deletion succeeds and says so, all else fails", async () => {
  await deployOne();
  stage.fault = noSuchName;
  expect(await remove("after-functions")).toMatchObject({ Status: "SUCCESS" });
  expect(stage.logged.at(-2)?.message).toBe("the cluster is gone, and all that was in it");
  expect((await update("after-functions", "one", "two")).Reason).toMatch(/ENOTFOUND/);
});
