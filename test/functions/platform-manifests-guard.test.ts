import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Website } from "../../functions/website/resource.ts";
import type { Controller } from "../../shared/api/controller.ts";
import { ClusterRoleBinding, ConfigMap } from "../../shared/api/kinds.ts";
import { Definition } from "../../shared/platform/definition-kind.ts";
import {
  assetOf,
  CONTROLLER,
  type ManifestsStage,
  manifestsStage,
  noSuchName,
  OTHER,
} from "./platform-manifests-stage.ts";

const OURS = CONTROLLER.finalizer ?? "";
const BUILT_IN = {
  ...CONTROLLER,
  name: "maps",
  for: ConfigMap,
  finalizer: "example.com/maps",
} as unknown as Controller;

let stage: ManifestsStage;
beforeEach(async () => {
  stage = manifestsStage();
  stage.assets.set("one", assetOf({}));
  await stage.send({ ResourceProperties: stage.manifests("before-functions", "one") });
});
afterEach(() => stage.stop());

const guard = (RequestType: "Create" | "Delete", controllers = [CONTROLLER], drain?: string) =>
  stage.send({
    RequestType,
    ResourceType: "Custom::TidegateGuard",
    ...(RequestType === "Delete" && { PhysicalResourceId: "tidegate:prod:team:guard" }),
    ResourceProperties: stage.guard(controllers, drain),
  });
const update = (from: readonly Controller[], to: readonly Controller[]) =>
  stage.send({
    RequestType: "Update",
    ResourceType: "Custom::TidegateGuard",
    PhysicalResourceId: "tidegate:prod:team:guard",
    ResourceProperties: stage.guard(to),
    OldResourceProperties: stage.guard(from),
  });
const website = (name: string, finalizers: readonly string[] = [OURS]) =>
  stage.client.create(Website, "default", {
    metadata: { name, finalizers },
    spec: { host: `${name}.example.com`, image: "nginx:1.29" },
  });
const found = (name: string) => stage.client.get(Website, { namespace: "default", name });

test("lets pass what no object holds, and asks nothing of the cluster when it is made", async () => {
  await website("free", ["example.com/theirs"]);
  const before = stage.requests.length;
  expect(await guard("Create")).toMatchObject({
    Status: "SUCCESS",
    PhysicalResourceId: "tidegate:prod:team:guard",
  });
  expect(stage.requests).toHaveLength(before);
  expect(await guard("Delete")).toMatchObject({ Status: "SUCCESS" });
  expect(await found("free")).toBeDefined();
});

test("refuses while objects hold finalizers, names ten of them, and the ways out", async () => {
  for (let index = 10; index < 22; index += 1) await website(`w${index}`);
  const { Status, Reason } = await guard("Delete");
  expect(Status).toBe("FAILED");
  expect(Reason).toMatch(
    /^cannot remove website: expected no object with finalizers of it, got 12 objects: Website default\/w10, .*, and 2 more; delete them first, or deploy with drain "finalize"/,
  );
  expect((await found("w10"))?.metadata.deletionTimestamp).toBeUndefined();
});

test("an update is refused for the controllers that it does not have any more alone", async () => {
  await website("held");
  expect(await update([CONTROLLER, OTHER], [CONTROLLER])).toMatchObject({ Status: "SUCCESS" });
  expect(await update([CONTROLLER, OTHER], [OTHER])).toMatchObject({
    Status: "FAILED",
    Reason: expect.stringMatching(/^cannot remove website: .*Website default\/held;/),
  });
  const former = { ...OTHER, formerFinalizers: [OURS] } as Controller;
  expect(await update([CONTROLLER], [former])).toMatchObject({ Status: "SUCCESS" });
});

test("drain by finalize deletes what is held, and waits for the functions", async () => {
  await website("held");
  await website("free", []);
  let asked = 0;
  stage.fault = ({ method, path }) => {
    asked += method === "GET" && path.endsWith("/websites") ? 1 : 0;
    if (asked === 5) void letGo();
    return undefined;
  };
  const letGo = async () => {
    const patch = { metadata: { finalizers: null } };
    await stage.client.patch(
      Website,
      { namespace: "default", name: "held" },
      { type: "merge", patch },
    );
  };
  expect(await guard("Delete", [CONTROLLER], "finalize")).toMatchObject({ Status: "SUCCESS" });
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(await found("held")).toBeUndefined();
  expect(await found("free")).toBeDefined();
});

test("drain by finalize never deletes objects of kinds that the platform does not bring", async () => {
  const metadata = { name: "theirs", finalizers: ["example.com/maps"] };
  await stage.client.create(ConfigMap, "default", { metadata });
  const { Reason } = await guard("Delete", [BUILT_IN], "finalize");
  expect(Reason).toMatch(
    /expected objects of kinds that the platform brings, got ConfigMap default\/theirs/,
  );
  expect(await guard("Delete", [BUILT_IN], "strip")).toMatchObject({ Status: "SUCCESS" });
  const left = await stage.client.get(ConfigMap, { namespace: "default", name: "theirs" });
  expect(left?.metadata).toMatchObject({ name: "theirs" });
  expect(left?.metadata.finalizers ?? []).toEqual([]);
});

test("drain by finalize that takes too long tells what is left", async () => {
  await website("stuck");
  const answer = await stage.send(
    {
      RequestType: "Delete",
      ResourceType: "Custom::TidegateGuard",
      PhysicalResourceId: "tidegate:prod:team:guard",
      ResourceProperties: stage.guard([CONTROLLER], "finalize"),
    },
    120_000,
  );
  expect(answer.Reason).toMatch(
    /^cannot drain in the function's time: 1 object left: Website default\/stuck;/,
  );
});

test("drain by strip takes our finalizers off once the function has no access, deletes nothing, and names the objects", async () => {
  await website("one");
  await website("two", [OURS, "example.com/theirs"]);
  const binding = { namespace: "", name: "team:function:website" };
  let boundAtFirstPatch: boolean | undefined;
  stage.fault = ({ method, path }) => {
    if (method === "PATCH" && path.includes("/websites/")) {
      boundAtFirstPatch ??= !stage.requests.some(
        (each) => each.method === "DELETE" && each.path.endsWith("team%3Afunction%3Awebsite"),
      );
    }
    return undefined;
  };
  expect(await stage.client.get(ClusterRoleBinding, binding)).toBeDefined();
  expect(await guard("Delete", [CONTROLLER], "strip")).toMatchObject({
    Status: "SUCCESS",
    Data: { stripped: "2", first: "Website default/one, Website default/two" },
  });
  expect(boundAtFirstPatch).toBe(false);
  expect(await stage.client.get(ClusterRoleBinding, binding)).toBeUndefined();
  expect((await found("one"))?.metadata.finalizers ?? []).toEqual([]);
  const two = await found("two");
  expect(two?.metadata.finalizers).toEqual(["example.com/theirs"]);
  expect(two?.metadata.deletionTimestamp).toBeUndefined();
});

test("drain by strip looks once more for what a function had begun to write", async () => {
  await website("late");
  const key = { namespace: "default", name: "late" };
  let empty = 0;
  stage.fault = ({ method, path }) => {
    const lists = method === "GET" && path.endsWith("/websites");
    if (lists) empty += 1;
    if (!lists || empty !== 2) return undefined;
    const patch = { metadata: { finalizers: [OURS] } };
    // Once this look has seen nothing.
    const write = () => stage.client.patch(Website, key, { type: "merge", patch });
    void stage.clock.sleep(1).then(write);
    return undefined;
  };
  await guard("Delete", [CONTROLLER], "strip");
  expect((await found("late"))?.metadata.finalizers ?? []).toEqual([]);
});

test("lets pass where the kind or the cluster is gone", async () => {
  await website("held");
  await stage.client.delete(Definition, { namespace: "", name: "websites.web.example.com" });
  await stage.client.patch(
    Website,
    { namespace: "default", name: "held" },
    { type: "merge", patch: { metadata: { finalizers: null } } },
  );
  await stage.clock.advance(5_000);
  expect(await guard("Delete")).toMatchObject({ Status: "SUCCESS" });
  stage.fault = noSuchName;
  expect(await guard("Delete")).toMatchObject({ Status: "SUCCESS" });
});
