import { afterEach, beforeEach, jest, expect as jestExpect, test } from "@jest/globals";
import { ConfigMap, Deployment, Pod } from "tidegate";
import { type Environment, startEnvironment, withMatchers } from "tidegate/testing";
import { podLabelsOf } from "../../functions/guestbook/children.ts";
import { guestbookController } from "../../functions/guestbook/controller.ts";
import { guestbookReconciler } from "../../functions/guestbook/reconciler.ts";
import { crd, Guestbook } from "../../functions/guestbook/resource.ts";

// The first test loads everything; on a cluster of yours, time is real.
jest.setTimeout(process.env.TIDEGATE_KUBECONFIG ? 600_000 : 60_000);

const expect = withMatchers(jestExpect);
let env: Environment;

beforeEach(async () => {
  env = await startEnvironment({
    controllers: [[guestbookController, guestbookReconciler]],
    crds: [crd()],
  });
});

afterEach(() => env.stop());

const applySettings = (greeting = "Welcome") =>
  env.apply(ConfigMap, { metadata: { name: "settings" }, data: { GREETING: greeting } });

async function applyGuestbook(spec: Partial<Guestbook["spec"]> = {}): Promise<Guestbook> {
  await env.apply(Guestbook, {
    metadata: { name: "guests" },
    spec: { configMapName: "settings", ...spec },
  });
  await env.settled();
  return (await env.get(Guestbook, "guests")) as Guestbook;
}

test("one pod is active, the others stand by", async () => {
  await applySettings();
  const guestbook = await applyGuestbook({ size: 3 });
  expect(await env.get(Deployment, "guests")).toBeOwnedBy(guestbook);
  const pods = await env.list(Pod, { labels: podLabelsOf(guestbook) });
  const [active, ...standby] = pods.map(({ metadata }) => metadata.name).sort();
  expect(guestbook.status).toMatchObject({ active, standby });
  expect(standby).toHaveLength(2);
  expect(guestbook).toHaveCondition("Ready", "True");
});

test("when the active pod goes, another one is active", async () => {
  await applySettings();
  const before = (await applyGuestbook({ size: 2 })).status;
  await env.delete(Pod, before?.active ?? "");
  await env.settled();
  const after = (await env.get(Guestbook, "guests"))?.status;
  expect(after?.active).toBeDefined();
  expect(after?.active).not.toBe(before?.active);
});

test("pods have the settings of the ConfigMap that is named, and what guests leave behind", async () => {
  await applySettings();
  await applyGuestbook({ type: "Name" });
  const pod = (await env.get(Deployment, "guests"))?.spec?.template.spec?.containers[0];
  expect(pod?.envFrom).toEqual([{ configMapRef: { name: "settings" } }]);
  expect(pod?.env).toEqual([{ name: "ENTRY_TYPE", value: "Name" }]);
});

test("a guestbook without its ConfigMap says so, and is served once that is there", async () => {
  expect(await applyGuestbook()).toHaveCondition("Ready", "False", "NoConfigMap");
  expect(await env.get(Deployment, "guests")).toBeUndefined();
  await applySettings();
  await env.settled();
  expect(await env.get(Guestbook, "guests")).toHaveCondition("Ready", "True");
});

test("new settings roll the pods", async () => {
  await applySettings();
  const before = (await applyGuestbook()).status;
  await applySettings("Hello");
  await env.settled();
  const after = await env.get(Guestbook, "guests");
  expect(after).toHaveCondition("Ready", "True");
  expect(after?.status?.active).not.toBe(before?.active);
});

test.each([
  [{ size: 0 }, /spec\.size/],
  [{ size: 11 }, /spec\.size/],
  [{ type: "Email" as "Name" }, /spec\.type/],
  [{ configMapName: "" }, /spec\.configMapName/],
])("the API server refuses %j", async (spec, text) => {
  await expect(applyGuestbook(spec)).rejects.toThrow(text);
});
