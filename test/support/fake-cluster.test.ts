import { expect, test } from "@jest/globals";
import { ConfigMap, Deployment } from "../../shared/api/kinds.ts";
import { defineKind, type KubernetesObject } from "../../shared/api/object.ts";
import type { KubeRequest } from "../../shared/kube/wire.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { FakeCluster } from "./fake-cluster.ts";

const Website = defineKind<KubernetesObject>({
  apiVersion: "example.com/v1",
  kind: "Website",
  plural: "websites",
  scope: "Namespaced",
});
const MAPS = "/api/v1/namespaces/a/configmaps";
const SITES = "/apis/example.com/v1/namespaces/a/websites";

function fake() {
  const clock = new VirtualClock();
  const cluster = new FakeCluster({ clock });
  cluster.serve(Website);
  const call = async (
    method: KubeRequest["method"],
    path: string,
    more: Partial<KubeRequest> = {},
  ) => {
    const { status, body } = await cluster.request({ method, path, ...more });
    return { status, body: body as Body };
  };
  const apply = (path: string, manager: string, body: object, query = {}) =>
    call("PATCH", path, {
      body,
      contentType: "application/apply-patch+yaml",
      query: { fieldManager: manager, force: "true", ...query },
    });
  return { clock, cluster, call, apply };
}

interface Body {
  readonly reason?: string;
  readonly details?: { readonly name?: string; readonly causes?: readonly object[] };
  readonly metadata: KubernetesObject["metadata"] & { readonly continue?: string };
  readonly items: readonly KubernetesObject[];
  readonly [field: string]: unknown;
}

function map(name: string, more: object = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "a", name, ...more } };
}

function site(more: object = {}, metadata: object = {}) {
  const { apiVersion, kind } = Website;
  return { apiVersion, kind, metadata: { namespace: "a", name: "x", ...metadata }, ...more };
}

async function lines(stream: { lines: AsyncIterable<string> }, count: number) {
  const found: string[] = [];
  for await (const line of stream.lines) {
    const { type, object } = JSON.parse(line);
    found.push(`${type} ${object.metadata?.name ?? object.code ?? ""}`.trim());
    if (found.length === count) break;
  }
  return found;
}

test("creates, reads, replaces and deletes an object", async () => {
  const { call } = fake();
  const created = await call("POST", MAPS, { body: map("x") });
  expect(created.status).toBe(201);
  expect(created.body.metadata).toMatchObject({ name: "x", uid: expect.any(String) });
  expect(created.body.metadata.generation).toBeUndefined();
  const { body } = await call("GET", `${MAPS}/x`);
  const next = await call("PUT", `${MAPS}/x`, { body: { ...body, data: { k: "v" } } });
  expect(Number(next.body.metadata.resourceVersion)).toBeGreaterThan(
    Number(body.metadata.resourceVersion),
  );
  expect(await call("PUT", `${MAPS}/x`, { body })).toMatchObject({
    status: 409,
    body: { reason: "Conflict", details: { name: "x" } },
  });
  expect((await call("DELETE", `${MAPS}/x`)).status).toBe(200);
  expect(await call("GET", `${MAPS}/x`)).toMatchObject({
    status: 404,
    body: { details: { name: "x" } },
  });
  expect((await call("POST", MAPS, { body: map("x") })).body.metadata.uid).not.toBe(
    body.metadata.uid,
  );
});

test("an unknown kind is a 404 that names no object", async () => {
  const { call, cluster } = fake();
  cluster.unserve(Website);
  const { status, body } = await call("GET", `${SITES}/x`);
  expect(status).toBe(404);
  expect(body.details?.name).toBeUndefined();
});

test("status is written apart from the rest, and only changes of the spec are counted", async () => {
  const { call } = fake();
  await call("POST", SITES, { body: site({ spec: { n: 1 }, status: { ready: true } }) });
  const merge = (path: string, body: object) =>
    call("PATCH", path, { body, contentType: "application/merge-patch+json" });
  const status = await merge(`${SITES}/x/status`, { spec: { n: 2 }, status: { ready: false } });
  expect(status.body).toMatchObject({ spec: { n: 1 }, status: { ready: false } });
  expect(status.body.metadata.generation).toBe(1);
  const spec = await merge(`${SITES}/x`, { spec: { n: 2 }, status: { ready: true } });
  expect(spec.body).toMatchObject({ spec: { n: 2 }, status: { ready: false } });
  expect(spec.body.metadata.generation).toBe(2);
});

test("a write that changes nothing keeps the version and sends no change", async () => {
  const { call, apply, cluster } = fake();
  const { body } = await apply(`${SITES}/x`, "m", site({ spec: { n: 1 } }));
  const version = cluster.resourceVersion;
  await apply(`${SITES}/x`, "m", site({ spec: { n: 1 } }));
  await apply(`${SITES}/x`, "other", site({ spec: { n: 1 } }));
  await call("PUT", `${SITES}/x`, { body });
  expect(cluster.resourceVersion).toBe(version);
});

test("an apply removes what its manager applied before, unless another owns it", async () => {
  const { apply, call } = fake();
  const first = await apply(`${SITES}/x`, "m", site({ spec: { a: 1, b: 1 } }));
  expect(first.status).toBe(201);
  await apply(`${SITES}/x`, "other", site({ spec: { b: 1, c: 1 } }));
  const second = await apply(`${SITES}/x`, "m", site({ spec: { d: 1 } }));
  expect(second).toMatchObject({ status: 200, body: { spec: { b: 1, c: 1, d: 1 } } });
  await call("PATCH", `${SITES}/x`, {
    body: { spec: { d: 2 } },
    contentType: "application/merge-patch+json",
    query: { fieldManager: "kubectl" },
  });
  const kept = await apply(`${SITES}/x`, "m", site({}));
  expect(kept.body.spec).toEqual({ b: 1, c: 1, d: 2 });
  const stolen = await apply(`${SITES}/x`, "m", site({ spec: { c: 5 } }), { force: "false" });
  expect(stolen).toMatchObject({ status: 409, body: { reason: "Conflict" } });
});

test("an apply merges conditions by type, and is refused for an older version", async () => {
  const { apply, call } = fake();
  await call("POST", SITES, { body: site() });
  const status = (manager: string, type: string, metadata = {}) =>
    apply(
      `${SITES}/x/status`,
      manager,
      site({ status: { conditions: [{ type, status: "True" }] } }, metadata),
    );
  await status("m", "Ready");
  const both = await status("other", "Synced");
  expect(both.body.status).toEqual({
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Synced", status: "True" },
    ],
  });
  const gone = await apply(`${SITES}/x/status`, "m", site({ status: {} }));
  expect(gone.body.status).toEqual({ conditions: [{ type: "Synced", status: "True" }] });
  expect((await status("m", "Ready", { resourceVersion: "1" })).status).toBe(409);
});

test("an object with finalizers goes when the last one goes, and takes no new ones", async () => {
  const { call, cluster } = fake();
  cluster.apply(site({}, { finalizers: ["a/a", "b/b"] }));
  const watch = await cluster.stream({
    method: "GET",
    path: SITES,
    query: { watch: "true", resourceVersion: cluster.resourceVersion },
  });
  const { body } = await call("DELETE", `${SITES}/x`);
  expect(body.metadata).toMatchObject({ generation: 2, deletionTimestamp: expect.any(String) });
  const version = cluster.resourceVersion;
  await call("DELETE", `${SITES}/x`);
  expect(cluster.resourceVersion).toBe(version);
  const finalizers = (list: readonly string[]) =>
    call("PATCH", `${SITES}/x`, {
      body: { metadata: { finalizers: list } },
      contentType: "application/merge-patch+json",
    });
  expect((await finalizers(["a/a", "b/b", "c/c"])).status).toBe(422);
  await finalizers(["b/b"]);
  await finalizers([]);
  expect(await lines(watch, 3)).toEqual(["MODIFIED x", "MODIFIED x", "DELETED x"]);
  expect((await call("GET", `${SITES}/x`)).status).toBe(404);
});

test("a deletion is refused for another uid", async () => {
  const { call, cluster } = fake();
  cluster.apply(map("x"));
  const body = { preconditions: { uid: "another" } };
  expect((await call("DELETE", `${MAPS}/x`, { body })).status).toBe(409);
});

test.each([undefined, "Foreground"] as const)(
  "dependents go with their owner (%s)",
  async (propagation) => {
    const { cluster, clock } = fake();
    const owner = cluster.apply(site());
    const reference = { apiVersion: owner.apiVersion, kind: owner.kind, name: "x" };
    const ownerReferences = [{ ...reference, uid: owner.metadata.uid, blockOwnerDeletion: true }];
    cluster.apply(map("child", { ownerReferences, finalizers: ["f/f"] }));
    cluster.apply(map("other"));
    cluster.delete(Website, { namespace: "a", name: "x" }, propagation);
    await clock.advance(0);
    const terminating = cluster.get(ConfigMap, { namespace: "a", name: "child" });
    expect(terminating?.metadata.deletionTimestamp).toBeDefined();
    expect(cluster.list(Website).length).toBe(propagation ? 1 : 0);
    cluster.update(ConfigMap, { namespace: "a", name: "child" }, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }));
    await clock.advance(0);
    expect(cluster.list(Website)).toEqual([]);
    expect(cluster.list(ConfigMap).map(({ metadata }) => metadata.name)).toEqual(["other"]);
  },
);

test("a list comes in pages of one version, without the history it cannot go on", async () => {
  const { call, cluster } = fake();
  for (const name of ["a", "b", "c"]) cluster.apply(map(name));
  const first = await call("GET", "/api/v1/configmaps", { query: { limit: "2" } });
  cluster.apply(map("d"));
  const query = { limit: "2", continue: first.body.metadata.continue ?? "" };
  const second = await call("GET", "/api/v1/configmaps", { query });
  expect(second.body.items.map(({ metadata }) => metadata.name)).toEqual(["c"]);
  expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  cluster.compact();
  expect((await call("GET", "/api/v1/configmaps", { query })).status).toBe(410);
});

test("a watch tells what enters and leaves its selection, with metadata alone where asked", async () => {
  const { cluster } = fake();
  const watch = await cluster.stream({
    method: "GET",
    path: "/api/v1/configmaps",
    query: { watch: "true", resourceVersion: cluster.resourceVersion, labelSelector: "app=demo" },
    accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  });
  cluster.apply(map("x"));
  cluster.apply({ ...map("x", { labels: { app: "demo" } }), data: { k: "v" } });
  cluster.apply(map("x", { labels: { app: "other" } }));
  expect(await lines(watch, 2)).toEqual(["ADDED x", "DELETED x"]);
});

test("a watch from a forgotten version is told so, by an event or by the status", async () => {
  const { cluster } = fake();
  const open = () =>
    cluster.stream({
      method: "GET",
      path: "/api/v1/configmaps",
      query: { watch: "true", resourceVersion: "100" },
    });
  cluster.apply(map("x"));
  expect(await lines(await open(), 1)).toEqual(["ADDED x"]);
  cluster.compact();
  expect(await lines(await open(), 2)).toEqual(["ERROR 410"]);
  cluster.compact({ as: "status" });
  expect((await open()).status).toBe(410);
});

test("a watch gets bookmarks each minute and ends at its timeout", async () => {
  const { cluster, clock } = fake();
  const watch = await cluster.stream({
    method: "GET",
    path: "/api/v1/configmaps",
    query: { watch: "true", allowWatchBookmarks: "true", timeoutSeconds: "90" },
  });
  await clock.advance(90_000);
  expect(await lines(watch, 9)).toEqual(["BOOKMARK", "BOOKMARK"]);
});

test("a cut request is done, a refused one is not, and nothing is created in a terminating namespace", async () => {
  const { cluster, call } = fake();
  cluster.fault(({ method }) => (method === "POST" ? "cut" : undefined));
  await expect(call("POST", MAPS, { body: map("x") })).rejects.toThrow("socket hang up");
  expect(cluster.list(ConfigMap).length).toBe(1);
  cluster.fault(() => new Error("refused"));
  await expect(call("DELETE", `${MAPS}/x`)).rejects.toThrow("refused");
  cluster.fault(() => undefined);
  cluster.terminating("a");
  expect(await call("POST", MAPS, { body: map("y") })).toMatchObject({
    status: 403,
    body: { details: { causes: [{ reason: "NamespaceTerminating" }] } },
  });
  expect((await call("DELETE", `${MAPS}/x`)).status).toBe(200);
});

test("items of a container list merge by name", async () => {
  const { apply, cluster } = fake();
  const deployment = (...containers: readonly object[]) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    spec: { template: { spec: { containers } } },
  });
  const path = "/apis/apps/v1/namespaces/a/deployments/x";
  await apply(path, "m", deployment({ name: "web", image: "a" }, { name: "log", image: "l" }));
  await apply(path, "other", deployment({ name: "web", cpu: 1 }));
  await apply(path, "m", deployment({ name: "web", image: "b" }));
  const { spec } = cluster.get(Deployment, { namespace: "a", name: "x" }) ?? {};
  expect(spec?.template?.spec?.containers).toEqual([{ name: "web", image: "b", cpu: 1 }]);
});
