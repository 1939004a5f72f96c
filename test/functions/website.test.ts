import { afterEach, beforeEach, jest, expect as jestExpect, test } from "@jest/globals";
import { ConfigMap, Deployment, Namespace, Service } from "tidegate";
import { crdYaml } from "tidegate/crd";
import { type Environment, startEnvironment, withMatchers } from "tidegate/testing";
import { websiteController } from "../../functions/website/controller.ts";
import type { Dns } from "../../functions/website/dns.ts";
import { websiteReconciler } from "../../functions/website/reconciler.ts";
import { crd, Website } from "../../functions/website/resource.ts";

// The first test loads everything; on a cluster of yours, time is real.
jest.setTimeout(process.env.TIDEGATE_KUBECONFIG ? 600_000 : 60_000);

const expect = withMatchers(jestExpect);

/** A zone in memory, which can be made to fail. */
class FakeDns implements Dns {
  readonly records = new Map<string, string>();
  failing = false;

  owns(host: string): boolean {
    return host.endsWith(".example.com");
  }

  async point(host: string, target: string): Promise<void> {
    if (this.failing) throw new Error("the DNS service is down");
    this.records.set(host, target);
  }

  async remove(host: string): Promise<void> {
    if (this.failing) throw new Error("the DNS service is down");
    this.records.delete(host);
  }
}

let dns: FakeDns;
let env: Environment;

beforeEach(async () => {
  dns = new FakeDns();
  env = await startEnvironment({
    controllers: [[websiteController, websiteReconciler(dns)]],
    crds: [crd()],
  });
});

afterEach(() => env.stop());

async function applyWebsite(spec: Partial<Website["spec"]> = {}): Promise<void> {
  await env.apply(Website, {
    metadata: { name: "web" },
    spec: { host: "web.example.com", image: "nginx:1.29", ...spec },
  });
  await env.settled();
}

/** What a cloud's controller does. */
async function giveAddress(hostname = "lb-1.example.net"): Promise<void> {
  const status = { loadBalancer: { ingress: [{ hostname }] } };
  await env.patch(Service, "web", { status }, { subresource: "status" });
}

test("a website gets a Deployment and a Service that it owns, and says that it is not ready", async () => {
  await applyWebsite({ replicas: 2 });
  const website = await env.get(Website, "web");
  const deployment = await env.get(Deployment, "web");
  expect(deployment).toBeOwnedBy(website);
  expect(await env.get(Service, "web")).toBeOwnedBy(website);
  expect(deployment?.spec?.replicas).toBe(2);
  expect(deployment?.status?.availableReplicas).toBe(2);
  expect(website?.status?.availableReplicas).toBe(2);
  expect(website).toHaveCondition("Ready", "False", "NotReady");
  expect(website?.metadata.finalizers).toEqual(["web.example.com/dns"]);
});

test("a website without replicas has the default of its definition", async () => {
  await applyWebsite();
  expect((await env.get(Website, "web"))?.spec.replicas).toBe(1);
  expect((await env.get(Deployment, "web"))?.spec?.replicas).toBe(1);
});

test("a website is looked at every 15 s until its Service has an address, and then no more", async () => {
  await applyWebsite();
  const before = env.runs(websiteController, "web").length;
  await giveAddress();
  await env.settled();
  // A Service's status is not what the controller watches: the timer finds it.
  expect(env.runs(websiteController, "web")).toHaveLength(before);
  await env.advance(16_000);
  await env.settled();
  expect(await env.get(Website, "web")).toHaveCondition("Ready", "True", "Ready");
  expect(dns.records).toEqual(new Map([["web.example.com", "lb-1.example.net"]]));
  const after = env.runs(websiteController, "web").length;
  await env.advance(120_000);
  expect(env.runs(websiteController, "web")).toHaveLength(after);
});

test("an edit of the replicas reaches the Deployment and its pods", async () => {
  await applyWebsite();
  await env.patch(Website, "web", { spec: { replicas: 3 } });
  await env.settled();
  expect((await env.get(Deployment, "web"))?.status?.availableReplicas).toBe(3);
  expect((await env.get(Website, "web"))?.status?.availableReplicas).toBe(3);
});

test("a Deployment that somebody deletes or scales is made as it was", async () => {
  await applyWebsite();
  const first = await env.get(Deployment, "web");
  await env.delete(Deployment, "web");
  await env.settled();
  const second = await env.get(Deployment, "web");
  expect(second?.metadata.uid).not.toBe(first?.metadata.uid);
  await env.patch(Deployment, "web", { spec: { replicas: 7 } });
  await env.settled();
  expect((await env.get(Deployment, "web"))?.spec?.replicas).toBe(1);
});

test("a ConfigMap wakes the websites of its namespace that use it, and no others", async () => {
  await env.create(Namespace, { metadata: { name: "elsewhere" } });
  await env.settled();
  const places = [
    { metadata: { name: "user" }, contentFrom: "content" },
    { metadata: { name: "other" }, contentFrom: "something-else" },
    { metadata: { name: "user", namespace: "elsewhere" }, contentFrom: "content" },
  ];
  for (const { metadata, contentFrom } of places) {
    const spec = { host: "web.example.com", image: "nginx:1.29", contentFrom };
    await env.apply(Website, { metadata, spec });
  }
  await env.settled();
  const before = env.runs().length;
  await env.apply(ConfigMap, { metadata: { name: "content" }, data: { "index.html": "hello" } });
  await env.settled();
  const woken = new Set(
    env
      .runs()
      .slice(before)
      .map(({ key }) => key),
  );
  expect(woken).toEqual(new Set(["default/user"]));
  const deployment = await env.get(Deployment, "user");
  expect(deployment?.spec?.template.metadata?.annotations).not.toEqual({
    "web.example.com/content": "none",
  });
});

test("a host outside the zone is refused once, and again only when the website changes", async () => {
  await applyWebsite({ host: "www.example.org" });
  expect(await env.get(Website, "web")).toHaveCondition("Ready", "False");
  expect(env.record(websiteController, "web")).toMatchObject({ outcome: "terminal_error" });
  expect(await env.get(Deployment, "web")).toBeUndefined();
  const before = env.runs(websiteController, "web").length;
  await env.advance(300_000);
  expect(env.runs(websiteController, "web")).toHaveLength(before);
  await env.patch(Website, "web", { spec: { host: "www.example.com" } });
  await env.settled();
  expect(await env.get(Deployment, "web")).toBeDefined();
});

test("a website that is deleted takes its DNS name and its children with it", async () => {
  await applyWebsite();
  await giveAddress();
  await env.advance(16_000);
  await env.settled();
  expect(dns.records.size).toBe(1);
  await env.delete(Website, "web");
  await env.settled();
  expect(await env.get(Website, "web")).toBeUndefined();
  expect(dns.records.size).toBe(0);
  expect(await env.get(Deployment, "web")).toBeUndefined();
  expect(await env.get(Service, "web")).toBeUndefined();
  expect(env.record(websiteController, "web")).toMatchObject({ outcome: "gone" });
});

test("B26: a website whose spec a stricter definition would refuse is finalized and goes all the same", async () => {
  await applyWebsite({ replicas: 3 });
  await env.apply(crdYaml(crd()).replace("maximum: 50", "maximum: 1"), { force: true });
  await env.settled(); // A real server takes up a schema a moment after the write.
  await expect(env.patch(Website, "web", { spec: { replicas: 4 } })).rejects.toThrow(
    "spec.replicas",
  );
  await env.delete(Website, "web");
  await env.settled();
  expect(await env.get(Website, "web")).toBeUndefined();
});

test("a website stays while its DNS name cannot be removed", async () => {
  await applyWebsite();
  dns.failing = true;
  await env.delete(Website, "web");
  await env.settled();
  expect((await env.get(Website, "web"))?.metadata.deletionTimestamp).toBeDefined();
  dns.failing = false;
  await env.advance(60_000);
  await env.settled();
  expect(await env.get(Website, "web")).toBeUndefined();
});

test("a DNS service that is down is asked again, later each time, until it is back", async () => {
  await applyWebsite();
  await giveAddress();
  dns.failing = true;
  const before = env.runs(websiteController, "web").length;
  await env.advance(16_000 + 120_000);
  const times = env
    .runs(websiteController, "web")
    .slice(before)
    .map(({ atMs }) => atMs);
  const waits = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  expect(waits.length).toBeGreaterThan(3);
  expect(waits).toEqual(waits.toSorted((one, other) => one - other));
  expect(await env.get(Website, "web")).toHaveCondition("Ready", "False");
  dns.failing = false;
  await env.advance(240_000);
  await env.settled();
  expect(await env.get(Website, "web")).toHaveCondition("Ready", "True");
});
