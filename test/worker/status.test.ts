import { expect, test } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { generationChanged } from "../../shared/api/predicate.ts";
import type { KubeRequest, KubeResponse } from "../../shared/kube/wire.ts";
import { fingerprintsOf } from "../../shared/queue/fingerprint.ts";
import { identityOf } from "../../shared/queue/identity.ts";
import { decodeSeen } from "../../shared/queue/seen.ts";
import { Site, site, siteController, WorkerHost } from "../support/worker-host.ts";

const key = { namespace: "a", name: "x" };
const isStatus = ({ path }: KubeRequest) => path.endsWith("/status");
const ready = (status: string, reason = "R") => ({ type: "Ready", status, reason });

/** A host whose reconciler returns what `status` does. */
function hostOf(status: () => object | undefined): WorkerHost {
  const host = new WorkerHost({
    reconcile: async () => {
      const returned = status();
      return returned === undefined ? undefined : { status: returned };
    },
  });
  host.cluster.apply(site());
  return host;
}

const liveOf = (host: WorkerHost) => host.cluster.get(Site, key);

/** Whether the record says that the live state of the object was seen. */
function seenNow(host: WorkerHost): boolean {
  const live = liveOf(host);
  const { seen } = host.record();
  if (!live || !seen) return false;
  const fingerprint = fingerprintsOf(siteController as never)(Site)?.(live) ?? "";
  return decodeSeen(seen).has(identityOf(Site, live.metadata), fingerprint);
}

test("a status is one conditional server-side apply on /status, with what we fill in", async () => {
  const host = hostOf(() => ({ replicas: 2, conditions: [ready("True")] }));
  const version = liveOf(host)?.metadata.resourceVersion;
  await host.run();
  const [request] = host.cluster.requests.filter(isStatus);
  expect(request).toMatchObject({
    method: "PATCH",
    contentType: "application/apply-patch+yaml",
    query: { fieldManager: "site", force: "true", fieldValidation: "Strict" },
    body: { metadata: { resourceVersion: version } },
  });
  expect(liveOf(host)?.status).toEqual({
    replicas: 2,
    observedGeneration: 1,
    conditions: [
      {
        ...ready("True"),
        message: "",
        lastTransitionTime: "2026-01-01T00:00:00Z",
        observedGeneration: 1,
      },
    ],
  });
  expect(seenNow(host)).toBe(true);
});

test("B39: the same status is not sent again, even much later", async () => {
  const host = hostOf(() => ({ replicas: 2, conditions: [ready("True")] }));
  await host.run();
  for (let hour = 0; hour < 2; hour += 1) {
    await host.clock.advance(3_600_000);
    await host.run();
  }
  expect(host.cluster.requests.filter(isStatus)).toHaveLength(1);
  expect(seenNow(host)).toBe(true);
});

test("lastTransitionTime moves only when the condition's status does", async () => {
  let condition = ready("True");
  const host = hostOf(() => ({ conditions: [condition] }));
  const times: unknown[] = [];
  for (const next of [condition, ready("True", "Other"), ready("False"), ready("True")]) {
    condition = next;
    await host.run();
    times.push(
      (liveOf(host)?.status?.conditions as { lastTransitionTime: string }[] | undefined)?.[0]
        ?.lastTransitionTime,
    );
    await host.clock.advance(60_000);
  }
  expect(times.map((time) => String(time).slice(11, 19))).toEqual([
    "00:00:00",
    "00:00:00",
    "00:02:00",
    "00:03:00",
  ]);
});

test("what is no longer returned goes; other managers' fields and conditions stay", async () => {
  let status: object = { replicas: 2, url: "https://x", conditions: [ready("True")] };
  const host = hostOf(() => status);
  host.cluster.update(Site, key, (object) => ({
    ...object,
    status: { note: "foreign", conditions: [{ type: "Audited", status: "True", reason: "A" }] },
  }));
  await host.run();
  status = { replicas: 2, conditions: [ready("True")] };
  await host.run();
  const live = liveOf(host)?.status;
  expect(live).toMatchObject({ note: "foreign", replicas: 2 });
  expect(live?.url).toBeUndefined();
  expect(live?.conditions).toMatchObject([{ type: "Audited" }, { type: "Ready" }]);
});

test("a status that somebody else changed is written again", async () => {
  const host = hostOf(() => ({ replicas: 2 }));
  await host.run();
  host.cluster.update(Site, key, (object) => ({
    ...object,
    status: { ...object.status, replicas: 9 },
  }));
  await host.run();
  expect(liveOf(host)?.status).toMatchObject({ replicas: 2 });
});

test("nothing returned leaves the status alone", async () => {
  const host = hostOf(() => undefined);
  await host.run();
  expect(host.writes()).toEqual([]);
});

test("a conflict: read again and applied again, with the generation that the run decided on; its echo is news", async () => {
  const host = hostOf(() => ({ replicas: 2 }));
  let changes = 1;
  host.cluster.fault((request) => {
    if (!isStatus(request) || changes-- <= 0) return;
    host.cluster.update(Site, key, (object) => ({ ...object, spec: { host: "new.example.com" } }));
    return;
  });
  await host.run();
  expect(liveOf(host)?.metadata.generation).toBe(2);
  expect(liveOf(host)?.status).toEqual({ replicas: 2, observedGeneration: 1 });
  expect(host.record()).toMatchObject({ outcome: "success", generation: 1 });
  expect(seenNow(host)).toBe(false); // B03: generation 2 is reconciled for.
});

test("a conflict over what the predicate does not compare leaves the object as it was seen", async () => {
  const controller = defineController({ name: "site", for: Site, predicate: generationChanged });
  const reconcile = async () => ({ status: { replicas: 2 } });
  const host = new WorkerHost({ reconcile }, { controller: controller as unknown as Controller });
  host.cluster.apply(site());
  let changes = 1;
  host.cluster.fault((request) => {
    if (!isStatus(request) || changes-- <= 0) return;
    host.cluster.update(Site, key, (object) => ({ ...object, status: { others: 1 } }));
    return;
  });
  await host.run();
  const fingerprint = fingerprintsOf(controller)(Site)?.(liveOf(host) as Site) ?? "";
  const identity = identityOf(Site, (liveOf(host) as Site).metadata);
  expect(decodeSeen(host.record().seen as Uint8Array).has(identity, fingerprint)).toBe(true);
});

test("a status whose answer was lost stays, and no Ready=False takes its place", async () => {
  const even = { type: "Even", status: "True", reason: "Counted" };
  const host = hostOf(() => ({ conditions: [even] }));
  let lost = 1;
  host.cluster.fault((request) => {
    if (!isStatus(request) || lost-- <= 0) return undefined;
    return "cut";
  });
  await host.run();
  expect(host.record()).toMatchObject({ outcome: "error", failures: 1 });
  expect(liveOf(host)?.status?.conditions).toMatchObject([even]);
});

test("five repetitions, then conflict", async () => {
  const host = hostOf(() => ({ replicas: 2 }));
  let changes = 0;
  host.cluster.fault((request) => {
    if (!isStatus(request)) return;
    changes += 1;
    host.cluster.update(Site, key, (object) => ({
      ...object,
      spec: { host: `${changes}.example.com` },
    }));
    return;
  });
  expect(await host.run()).toEqual([]);
  expect(host.cluster.requests.filter(isStatus)).toHaveLength(6);
  expect(host.record()).toMatchObject({ outcome: "conflict", failures: 0, postponed: 1 });
});

test("an object that went away during the run is gone, not failed", async () => {
  const host: WorkerHost = hostOf(() => {
    host.cluster.delete(Site, key);
    return { replicas: 2 };
  });
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({ outcome: "gone", failures: 0 });
});

test("an object made anew under the same name during the run does not get the old one's status", async () => {
  const host: WorkerHost = hostOf(() => {
    host.cluster.delete(Site, key);
    host.cluster.apply(site());
    return { replicas: 2 };
  });
  await host.run();
  expect(liveOf(host)?.status).toBeUndefined();
});

test("B44: a kind without the status subresource is told by name, though the server answers like for an object that is gone", async () => {
  const host = hostOf(() => ({ replicas: 2 }));
  const body = { kind: "Status", reason: "NotFound", details: { name: "x", kind: "sites" } };
  host.cluster.fault((request) =>
    isStatus(request) ? { status: 404, headers: {}, body } : undefined,
  );
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record().error).toContain("declare subresources.status");
});

/** What a server answers to an apply with fields that its schema lacks. */
function unknownField(path: string): KubeResponse {
  const message = `failed to create typed patch object (a/x; web.example.com/v1, Kind=Site): ${path}: field not declared in schema`;
  return { status: 500, headers: {}, body: { kind: "Status", message } };
}

test("where the schema has no observedGeneration it is left out, and the process remembers that", async () => {
  let replicas = 1;
  const host = hostOf(() => ({ replicas, conditions: [ready("True")] }));
  host.cluster.fault((request) => {
    const { status } = (request.body ?? {}) as {
      status?: { observedGeneration?: number; conditions?: object[] };
    };
    if (!isStatus(request)) return;
    if (status?.observedGeneration !== undefined) return unknownField(".status.observedGeneration");
    const inCondition = status?.conditions?.some((condition) => "observedGeneration" in condition);
    return inCondition
      ? unknownField('.status.conditions[type="Ready"].observedGeneration')
      : undefined;
  });
  await host.run();
  expect(host.cluster.requests.filter(isStatus)).toHaveLength(3);
  expect(liveOf(host)?.status).toEqual({
    replicas: 1,
    conditions: [{ ...ready("True"), message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }],
  });
  expect(seenNow(host)).toBe(true);
  replicas = 2;
  await host.run();
  expect(host.cluster.requests.filter(isStatus)).toHaveLength(4);
});

test("runs of one batch that are refused at the same time all leave observedGeneration out", async () => {
  const host = hostOf(() => ({ replicas: 1 }));
  host.cluster.apply(site("y"));
  const both = Promise.withResolvers<void>();
  let refused = 0;
  host.cluster.fault(async (request) => {
    const { status } = (request.body ?? {}) as { status?: { observedGeneration?: number } };
    if (!isStatus(request) || status?.observedGeneration === undefined) return undefined;
    refused += 1;
    if (refused === 2) both.resolve();
    await both.promise;
    return unknownField(".status.observedGeneration");
  });
  const answer = await host.invoke([host.message("x"), host.message("y")]);
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(refused).toBe(2);
});

test("what the reconciler itself returns and the schema lacks is refused once", async () => {
  const host = hostOf(() => ({ observedGeneration: 7 }));
  host.cluster.fault((request) =>
    isStatus(request) ? unknownField(".status.observedGeneration") : undefined,
  );
  expect(await host.run()).toEqual(["m1"]);
  expect(host.cluster.requests.filter(isStatus).length).toBeLessThanOrEqual(4);
});

test("any other refusal of the status is the run's error", async () => {
  const host = hostOf(() => ({ replicaz: 1 }));
  host.cluster.fault((request) =>
    isStatus(request) ? unknownField(".status.replicaz") : undefined,
  );
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record().error).toContain(".status.replicaz: field not declared");
});
