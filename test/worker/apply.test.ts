import { expect, test } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap, Namespace } from "../../shared/api/kinds.ts";
import { defineKind, type Kind, type KubernetesObject } from "../../shared/api/object.ts";
import type { ApplyOptions } from "../../shared/api/reconciler.ts";
import type { KubeRequest } from "../../shared/kube/wire.ts";
import { fingerprintsOf } from "../../shared/queue/fingerprint.ts";
import { identityOf } from "../../shared/queue/identity.ts";
import { decodeSeen } from "../../shared/queue/seen.ts";
import { Site, site, siteController, WorkerHost } from "../support/worker-host.ts";

const child = { namespace: "a", name: "c" };
const isApply = ({ method, path }: KubeRequest) =>
  method === "PATCH" && path.endsWith("/configmaps/c");

interface Applied {
  readonly kind?: Kind;
  readonly manifest?: object;
  readonly options?: ApplyOptions;
}

/** A host whose reconciler applies what `applied` says, and keeps what it got. */
function hostOf(applied: () => Applied = () => ({}), controller?: Controller) {
  const got: KubernetesObject[] = [];
  const reconcile = async (_site: never, context: never) => {
    const { apply } = context as { apply: (...args: unknown[]) => Promise<KubernetesObject> };
    const { kind = ConfigMap, manifest, options } = applied();
    const object = manifest ?? { metadata: { name: "c" }, data: { host: "x" } };
    got.push(await apply(kind, object, options));
  };
  const host = new WorkerHost({ reconcile }, controller ? { controller } : {});
  host.cluster.apply(site());
  return { host, got, liveOf: () => host.cluster.get(ConfigMap, child) };
}

function seenNow(host: WorkerHost, live: KubernetesObject | undefined): boolean {
  const { seen } = host.record();
  if (!live || !seen) return false;
  const fingerprint = fingerprintsOf(siteController as never)(live)?.(live) ?? "";
  return decodeSeen(seen).has(identityOf(live, live.metadata), fingerprint);
}

const ownerUid = (host: WorkerHost) =>
  host.cluster.get(Site, { namespace: "a", name: "x" })?.metadata.uid;

test("an absent object is created with the owner reference, and its creation is seen", async () => {
  const { host, got, liveOf } = hostOf();
  expect(await host.run()).toEqual([]);
  expect(liveOf()).toMatchObject({
    data: { host: "x" },
    metadata: {
      ownerReferences: [
        {
          apiVersion: "web.example.com/v1",
          kind: "Site",
          name: "x",
          uid: ownerUid(host),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
  });
  expect(got).toEqual([liveOf()]);
  const [request] = host.cluster.requests.filter(isApply);
  expect(request?.query).toEqual({
    fieldManager: "site",
    force: "true",
    fieldValidation: "Strict",
  });
  expect(seenNow(host, liveOf())).toBe(true);
});

test("the same applied again is not sent, and the object is still seen", async () => {
  const { host, got, liveOf } = hostOf();
  await host.run();
  await host.run();
  await host.run();
  expect(host.cluster.requests.filter(isApply)).toHaveLength(1);
  expect(got[2]).toEqual(liveOf());
  expect(seenNow(host, liveOf())).toBe(true);
});

test("another manifest is sent, conditional on the version read; fields no longer applied go", async () => {
  let data: object = { host: "x", port: "80" };
  const { host, liveOf } = hostOf(() => ({ manifest: { metadata: { name: "c" }, data } }));
  await host.run();
  const version = liveOf()?.metadata.resourceVersion;
  data = { host: "y" };
  await host.run();
  const [, second] = host.cluster.requests.filter(isApply);
  expect(second?.body).toMatchObject({ metadata: { resourceVersion: version } });
  expect(liveOf()?.data).toEqual({ host: "y" });
  expect(seenNow(host, liveOf())).toBe(true);
});

test("a foreign change of the object is put right, although the manifest is the same", async () => {
  const { host, liveOf } = hostOf();
  await host.run();
  host.cluster.update(ConfigMap, child, (object) => ({ ...object, data: { host: "foreign" } }));
  await host.run();
  expect(liveOf()?.data).toEqual({ host: "x" });
});

test("a deleted object is made anew", async () => {
  const { host, liveOf } = hostOf();
  await host.run();
  host.cluster.delete(ConfigMap, child);
  await host.run();
  expect(liveOf()).toBeDefined();
  expect(seenNow(host, liveOf())).toBe(true);
});

test("after a failed run the same is sent again", async () => {
  const { host } = hostOf();
  await host.run();
  const { applied: _, ...failed } = host.record();
  host.store.put(host.key(), { ...failed, outcome: "error", failures: 1 });
  await host.run();
  expect(host.cluster.requests.filter(isApply)).toHaveLength(2);
});

test("a conflict: read again and applied again; its echo is news", async () => {
  const { host, liveOf } = hostOf();
  await host.run();
  host.cluster.update(ConfigMap, child, (object) => ({ ...object, data: { host: "foreign" } }));
  let changes = 1;
  host.cluster.fault((request) => {
    if (!isApply(request) || changes-- <= 0) return;
    host.cluster.update(ConfigMap, child, (object) => ({ ...object, data: { more: "foreign" } }));
    return;
  });
  expect(await host.run()).toEqual([]);
  expect(liveOf()?.data).toEqual({ host: "x", more: "foreign" });
  expect(seenNow(host, liveOf())).toBe(false);
});

test("five repetitions, then conflict", async () => {
  const { host } = hostOf();
  await host.run();
  let changes = 0;
  host.cluster.update(ConfigMap, child, (object) => ({ ...object, data: { host: "foreign" } }));
  host.cluster.fault((request) => {
    if (!isApply(request)) return;
    changes += 1;
    host.cluster.update(ConfigMap, child, (object) => ({
      ...object,
      data: { more: String(changes) },
    }));
    return;
  });
  expect(await host.run()).toEqual([]);
  expect(changes).toBe(6);
  expect(host.record()).toMatchObject({ outcome: "conflict", failures: 0 });
});

test("an object deleted between read and apply is made anew", async () => {
  const { host, liveOf } = hostOf();
  await host.run();
  host.cluster.update(ConfigMap, child, (object) => ({ ...object, data: {} }));
  let deletions = 1;
  host.cluster.fault((request) => {
    if (isApply(request) && deletions-- > 0) host.cluster.delete(ConfigMap, child);
    return undefined;
  });
  expect(await host.run()).toEqual([]);
  expect(liveOf()?.data).toEqual({ host: "x" });
  expect(seenNow(host, liveOf())).toBe(true); // The deletion of the first comes as a change.
});

test("an object that another made between read and apply is unknown, so that its deletion cannot pass unseen", async () => {
  const { host, liveOf } = hostOf();
  host.cluster.fault((request) => {
    if (isApply(request) && !liveOf())
      host.cluster.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: child });
    return undefined;
  });
  expect(await host.run()).toEqual([]);
  const live = liveOf();
  const { seen = new Uint8Array() } = host.record();
  expect(seenNow(host, live)).toBe(false);
  expect(live && [...decodeSeen(seen).identities()].includes(identityOf(live, live.metadata))).toBe(
    true,
  );
});

test("a field conflict that was asked for with force: false is told at once", async () => {
  const { host } = hostOf(() => ({ options: { force: false, adopt: true } }));
  host.cluster.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: child,
    data: { host: "foreign" },
  });
  await host.run();
  expect(host.cluster.requests.filter(isApply)).toHaveLength(1);
  expect(host.record()).toMatchObject({ outcome: "conflict" });
});

test("a foreign object is refused for good, and nothing is written to it", async () => {
  const { host, liveOf } = hostOf();
  host.cluster.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: child,
    data: { theirs: "1" },
  });
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({ outcome: "terminal_error" });
  expect(host.record().error).toContain(
    "cannot apply ConfigMap a/c: expected an object that this controller made",
  );
  expect(liveOf()?.data).toEqual({ theirs: "1" });
});

test("adopt: true takes a foreign object over, and it is ours from then on", async () => {
  let options: ApplyOptions = { adopt: true };
  const { host, liveOf } = hostOf(() => ({ options }));
  host.cluster.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: child,
    data: { theirs: "1" },
  });
  expect(await host.run()).toEqual([]);
  expect(liveOf()?.data).toEqual({ theirs: "1", host: "x" });
  options = {};
  expect(await host.run()).toEqual([]);
  expect(host.record().outcome).toBe("success");
});

test("an object that another controls is refused even with adopt", async () => {
  const { host } = hostOf(() => ({ options: { adopt: true } }));
  const other = host.cluster.apply<KubernetesObject>(site("other"));
  const { apiVersion, kind, metadata } = other;
  const ownerReferences = [
    { apiVersion, kind, name: "other", uid: metadata.uid, controller: true },
  ];
  host.cluster.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...child, ownerReferences },
  });
  await host.run();
  expect(host.record()).toMatchObject({ outcome: "terminal_error" });
  expect(host.record().error).toContain("got one controlled by Site other");
});

test("an object of the same owner's earlier life is refused until the garbage collector took it", async () => {
  const { host } = hostOf();
  const ownerReferences = [
    {
      apiVersion: "web.example.com/v1",
      kind: "Site",
      name: "x",
      uid: "an earlier life",
      controller: true,
    },
  ];
  host.cluster.fault(({ path }) =>
    path.endsWith("/configmaps/c")
      ? {
          status: 200,
          headers: {},
          body: {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { ...child, uid: "u", resourceVersion: "1", ownerReferences },
          },
        }
      : undefined,
  );
  await host.run();
  expect(host.record().outcome).toBe("error"); // Repeated: it goes away by itself.
});

const Zone: Kind = defineKind({
  apiVersion: "web.example.com/v1",
  kind: "Zone",
  plural: "zones",
  scope: "Cluster",
});

test("B28: a namespaced owner and a child in another namespace: refused at once, naming both", async () => {
  const { host } = hostOf(() => ({ manifest: { metadata: { name: "c", namespace: "b" } } }));
  await host.run();
  expect(host.record().outcome).toBe("terminal_error");
  expect(host.record().error).toContain(
    "expected namespace a of its owner Site x, got namespace b",
  );
  expect(host.cluster.requests.filter(({ path }) => path.includes("configmaps"))).toEqual([]);
});

test("B28: a namespaced owner and a cluster-scoped child: refused with another message", async () => {
  const controller = defineController({ name: "site", for: Site, owns: [Namespace] });
  const { host } = hostOf(
    () => ({ kind: Namespace, manifest: { metadata: { name: "c" } } }),
    controller as unknown as Controller,
  );
  await host.run();
  expect(host.record().error).toContain(
    "its owner Site a/x is namespaced, got a cluster-scoped one",
  );
});

test("owner: false makes an object in another namespace, marked as this controller's", async () => {
  const { host } = hostOf(() => ({
    manifest: { metadata: { name: "c", namespace: "b" }, data: { host: "x" } },
    options: { owner: false },
  }));
  await host.run();
  await host.run();
  const live = host.cluster.get(ConfigMap, { namespace: "b", name: "c" });
  expect(live?.metadata.labels).toEqual({ "tidegate.dev/controller": "site" });
  expect(live?.metadata.ownerReferences).toBeUndefined();
  expect(host.record().outcome).toBe("success");
});

test("owner: false refuses an object that this controller did not make", async () => {
  const { host } = hostOf(() => ({ options: { owner: false } }));
  host.cluster.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: child });
  await host.run();
  expect(host.record().error).toContain("got a foreign one");
});

test("a cluster-scoped owner can own a namespaced child, but must name its namespace", async () => {
  const controller = defineController({ name: "site", for: Zone, owns: [ConfigMap] });
  let namespace: string | undefined = "b";
  const host = new WorkerHost(
    {
      reconcile: async (_zone: never, context: never) => {
        const { apply } = context as { apply: (...args: unknown[]) => Promise<unknown> };
        await apply(ConfigMap, { metadata: { name: "c", namespace } });
      },
    },
    { controller: controller as unknown as Controller },
  );
  host.cluster.serve(Zone);
  host.cluster.apply({ apiVersion: Zone.apiVersion, kind: "Zone", metadata: { name: "z" } });
  await host.invoke([host.message("z", { namespace: "" })]);
  const live = host.cluster.get(ConfigMap, { namespace: "b", name: "c" });
  expect(live?.metadata.ownerReferences?.[0]).toMatchObject({ kind: "Zone", name: "z" });
  namespace = undefined;
  await host.invoke([host.message("z", { namespace: "" })]);
  const record = host.store.record(host.key("z", ""));
  expect(record?.error).toContain("cannot apply ConfigMap c: expected metadata.namespace");
});

test("a kind that the controller does not own is refused, with what to declare", async () => {
  const { host } = hostOf(() => ({ kind: Namespace }));
  await host.run();
  expect(host.record().error).toContain("add owns: [Namespace]");
});

test("takeOverFrom: fields of an older operator become ours in one conditional patch before the apply", async () => {
  const { host } = hostOf(() => ({ options: { adopt: true, takeOverFrom: ["manager"] } }));
  const managedFields = [
    {
      manager: "manager",
      operation: "Update",
      fieldsV1: { "f:data": { "f:old": {}, "f:host": {} } },
    },
    { manager: "kubectl", operation: "Update", fieldsV1: { "f:data": { "f:theirs": {} } } },
  ];
  const metadata = { ...child, uid: "u", resourceVersion: "5", managedFields };
  const live = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { old: "1", theirs: "1" } };
  const moved = {
    ...live,
    metadata: { ...metadata, resourceVersion: "6", managedFields: undefined },
  };
  const patches: KubeRequest[] = [];
  host.cluster.fault((request) => {
    if (!request.path.endsWith("/configmaps/c")) return;
    if (request.method === "PATCH") patches.push(request);
    return { status: 200, headers: {}, body: request.method === "GET" ? live : moved };
  });
  await host.run();
  expect(patches.map(({ contentType }) => contentType)).toEqual([
    "application/json-patch+json",
    "application/apply-patch+yaml",
  ]);
  expect(patches[0]?.body).toEqual([
    {
      op: "replace",
      path: "/metadata/managedFields",
      value: [
        managedFields[1],
        {
          manager: "site",
          operation: "Apply",
          fieldsV1: { "f:data": { "f:old": {}, "f:host": {} } },
        },
      ],
    },
    { op: "replace", path: "/metadata/resourceVersion", value: "5" },
  ]);
  expect(patches[1]?.body).toMatchObject({ metadata: { resourceVersion: "6" } });
  expect(seenNow(host, moved as unknown as KubernetesObject)).toBe(true);
});
