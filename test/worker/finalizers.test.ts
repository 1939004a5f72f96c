import { expect, test } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import type { KubeRequest } from "../../shared/kube/wire.ts";
import { fingerprintsOf } from "../../shared/queue/fingerprint.ts";
import { identityOf } from "../../shared/queue/identity.ts";
import { decodeSeen } from "../../shared/queue/seen.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import { Site, site, WorkerHost } from "../support/worker-host.ts";

const FINALIZER = "web.example.com/dns";
const key = { namespace: "a", name: "x" };

const controller = defineController({
  name: "site",
  for: Site,
  finalizer: FINALIZER,
  formerFinalizers: ["web.example.com/old"],
}) as unknown as Controller;

/** A host that notes what is called with which finalizers and version. */
function hostOf(more: Partial<AnyReconciler> = {}, options = { controller }) {
  const calls: string[] = [];
  const note = (call: string) => async (object: Site) => {
    calls.push(`${call} ${(object.metadata.finalizers ?? []).join(",")}`);
  };
  const reconciler = { reconcile: note("reconcile"), finalize: note("finalize"), ...more };
  return { host: new WorkerHost(reconciler as never, options), calls };
}

const isPatch = ({ method, path }: KubeRequest) => method === "PATCH" && path.endsWith("/sites/x");

test("the finalizer is added first, in a write that is conditional on the version read", async () => {
  const { host, calls } = hostOf();
  const { metadata } = host.cluster.apply<Site>(
    site("x", { metadata: { finalizers: ["b.example.com/b"] } }),
  );
  await host.run();
  expect(calls).toEqual([`reconcile b.example.com/b,${FINALIZER}`]);
  const [patch] = host.cluster.requests.filter(isPatch);
  expect(patch?.body).toEqual({
    metadata: {
      resourceVersion: metadata.resourceVersion,
      finalizers: ["b.example.com/b", FINALIZER],
    },
  });
  const live = host.cluster.get(Site, key) as Site;
  const { seen = new Uint8Array() } = host.record();
  const fingerprint = fingerprintsOf(controller)(Site)?.(live) ?? "";
  expect(decodeSeen(seen).has(identityOf(Site, live.metadata), fingerprint)).toBe(true);
  await host.run();
  expect(host.writes()).toHaveLength(1);
});

test("former finalizers are removed in passing, in the same write", async () => {
  const { host } = hostOf();
  host.cluster.apply(
    site("x", { metadata: { finalizers: ["web.example.com/old", "b.example.com/b"] } }),
  );
  await host.run();
  expect(host.cluster.get(Site, key)?.metadata.finalizers).toEqual(["b.example.com/b", FINALIZER]);
  expect(host.writes()).toHaveLength(1);
});

test("the object changed before the finalizer was there: read again, and nothing foreign is lost", async () => {
  const { host, calls } = hostOf();
  host.cluster.apply(site());
  let changes = 1;
  host.cluster.fault((request) => {
    if (!isPatch(request) || changes-- <= 0) return;
    host.cluster.update(Site, key, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: ["b.example.com/b"] },
    }));
    return;
  });
  await host.run();
  expect(calls).toEqual([`reconcile b.example.com/b,${FINALIZER}`]);
  expect(host.record().outcome).toBe("success");
});

test("an object that began to terminate meanwhile is given no finalizer and is not reconciled", async () => {
  const { host, calls } = hostOf();
  host.cluster.apply(site("x", { metadata: { finalizers: ["b.example.com/b"] } }));
  let deletions = 1;
  host.cluster.fault((request) => {
    if (isPatch(request) && deletions-- > 0) host.cluster.delete(Site, key);
    return undefined;
  });
  await host.run();
  expect(calls).toEqual([]);
  expect(host.cluster.get(Site, key)?.metadata.finalizers).toEqual(["b.example.com/b"]);
  expect(host.record().outcome).toBe("success");
});

test("it conflicts again and again: conflict after five repetitions, not an error", async () => {
  const { host } = hostOf();
  host.cluster.apply(site());
  host.cluster.fault((request) => {
    if (isPatch(request)) {
      host.cluster.update(Site, key, (object) => ({
        ...object,
        spec: { host: String(Math.random()) },
      }));
    }
    return undefined;
  });
  expect(await host.run()).toEqual([]);
  expect(host.cluster.requests.filter(isPatch)).toHaveLength(6);
  expect(host.record()).toMatchObject({ outcome: "conflict", failures: 0 });
});

test("finalize runs on deletion; the finalizer goes last, and others stay", async () => {
  const { host, calls } = hostOf();
  host.cluster.apply(site("x", { metadata: { finalizers: [FINALIZER, "b.example.com/b"] } }));
  host.cluster.delete(Site, key);
  await host.run();
  expect(calls).toEqual([`finalize ${FINALIZER},b.example.com/b`]);
  expect(host.cluster.get(Site, key)?.metadata.finalizers).toEqual(["b.example.com/b"]);
});

test("B56.3: an object that terminates when it is first seen is given no finalizer", async () => {
  const { host, calls } = hostOf();
  host.cluster.apply(site("x", { metadata: { finalizers: ["b.example.com/b"] } }));
  host.cluster.delete(Site, key);
  expect(await host.run()).toEqual([]);
  expect(calls).toEqual([]);
  expect(host.writes()).toEqual([]);
  expect(host.record()).toMatchObject({ outcome: "success" });
});

test("a controller without finalizer is not called for a terminating object", async () => {
  let called = false;
  const host = new WorkerHost({
    reconcile: async () => {
      called = true;
    },
  });
  host.cluster.apply(site("x", { metadata: { finalizers: ["foregroundDeletion"] } }));
  host.cluster.delete(Site, key);
  await host.run();
  expect(called).toBe(false);
});

test("a former finalizer alone is taken off a terminating object without finalize", async () => {
  const { host, calls } = hostOf();
  host.cluster.apply(site("x", { metadata: { finalizers: ["web.example.com/old"] } }));
  host.cluster.delete(Site, key);
  await host.run();
  expect(calls).toEqual([]);
  expect(host.cluster.get(Site, key)).toBeUndefined();
});

test("B25: the finalizer stays when finalize throws", async () => {
  const { host } = hostOf({ finalize: () => Promise.reject(new Error("DNS is down")) });
  host.cluster.apply(site("x", { metadata: { finalizers: [FINALIZER] } }));
  host.cluster.delete(Site, key);
  expect(await host.run()).toEqual(["m1"]);
  expect(host.cluster.get(Site, key)?.metadata.finalizers).toEqual([FINALIZER]);
  expect(host.record()).toMatchObject({ outcome: "error", failures: 1, error: "DNS is down" });
});

test.each([0, 30])(
  "B25: the finalizer stays when finalize asks for another run after %d s",
  async (requeueAfterSeconds) => {
    const { host } = hostOf({
      finalize: async () => ({ requeueAfterSeconds, status: { phase: "Ending" } }),
    });
    host.cluster.apply(site("x", { metadata: { finalizers: [FINALIZER] } }));
    host.cluster.delete(Site, key);
    await host.run();
    expect(host.cluster.get(Site, key)).toMatchObject({
      metadata: { finalizers: [FINALIZER] },
      status: { phase: "Ending" },
    });
    expect(host.record()).toMatchObject({
      outcome: "requeue_after",
      dueAt: host.clock.nowMs() + requeueAfterSeconds * 1_000,
    });
  },
);

test("B56.1: a conflict at the removal: read again, only our entry goes, finalize is not repeated", async () => {
  const { host, calls } = hostOf();
  host.cluster.apply(
    site("x", { metadata: { finalizers: [FINALIZER, "b.example.com/b", "c.example.com/c"] } }),
  );
  host.cluster.delete(Site, key);
  let changes = 1;
  host.cluster.fault((request) => {
    if (!isPatch(request) || changes-- <= 0) return;
    host.cluster.update(Site, key, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [FINALIZER, "b.example.com/b"] },
    }));
    return;
  });
  await host.run();
  expect(calls).toHaveLength(1);
  expect(host.cluster.get(Site, key)?.metadata.finalizers).toEqual(["b.example.com/b"]);
  expect(host.record().outcome).toBe("success");
});

test("B56.2: an object that is gone at the removal counts as done", async () => {
  const { host } = hostOf();
  host.cluster.apply(site("x", { metadata: { finalizers: [FINALIZER] } }));
  host.cluster.delete(Site, key);
  host.cluster.fault((request) => {
    if (isPatch(request) && host.cluster.get(Site, key)) {
      host.cluster.update(Site, key, (object) => ({
        ...object,
        metadata: { ...object.metadata, finalizers: [] },
      }));
    }
    return undefined;
  });
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({ outcome: "success", failures: 0 });
});

test("a deleted object outside the selectors is still finalized where it carries our finalizer", async () => {
  const selective = defineController({
    name: "site",
    for: Site,
    finalizer: FINALIZER,
    labels: { team: "web" },
  }) as unknown as Controller;
  const { host, calls } = hostOf({}, { controller: selective });
  host.cluster.apply(site("x", { metadata: { finalizers: [FINALIZER] } }));
  await host.run();
  expect(calls).toEqual([]);
  expect(host.record().outcome).toBe("requeue_after"); // Looked at again: no watch tells of its deletion.
  host.cluster.delete(Site, key);
  await host.run();
  expect(calls).toEqual([`finalize ${FINALIZER}`]);
  expect(host.cluster.get(Site, key)).toBeUndefined();
});

test("a failed removal by a lost answer is repeated by the next run, which finds the object gone", async () => {
  const { host, calls } = hostOf();
  host.cluster.apply(site("x", { metadata: { finalizers: [FINALIZER] } }));
  host.cluster.delete(Site, key);
  host.cluster.fault((request) => (isPatch(request) ? "cut" : undefined));
  expect(await host.run()).toEqual(["m1"]);
  expect(await host.run()).toEqual([]);
  expect(calls).toHaveLength(1);
  expect(host.record().outcome).toBe("gone");
});
