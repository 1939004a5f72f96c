import { expect, test } from "@jest/globals";
import type { Controller } from "../../shared/api/controller.ts";
import { defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import type { Key } from "../../shared/api/object.ts";
import { ReconcileError, TerminalError } from "../../shared/api/result.ts";
import type { KubeRequest, KubeResponse } from "../../shared/kube/wire.ts";
import { type HostOptions, Site, site, WorkerHost } from "../support/worker-host.ts";

/** A host whose reconciler returns or throws what `end` does. */
function hostOf(end: () => unknown, options?: HostOptions): WorkerHost {
  const host = new WorkerHost({ reconcile: async () => end() }, options);
  host.cluster.apply(site());
  return host;
}

function fail(error: unknown): () => never {
  return () => {
    throw error;
  };
}

/** Reads a ConfigMap, which is what the API server's faults in these tests meet. */
const readsConfigMap = async (_site: never, context: never) => {
  const { client } = context as { client: { get: (...args: unknown[]) => Promise<unknown> } };
  await client.get(ConfigMap, "c");
};

function answer(
  status: number,
  body: object = {},
  headers: Record<string, string> = {},
): KubeResponse {
  return { status, headers, body: { kind: "Status", ...body } };
}

function faulty(
  match: (request: KubeRequest) => boolean,
  response: KubeResponse,
  reconcile = readsConfigMap,
) {
  const host = new WorkerHost({ reconcile });
  host.cluster.apply(site());
  host.cluster.fault((request) => (match(request) ? response : undefined));
  return host;
}

const onConfigMaps = ({ path }: KubeRequest) => path.includes("/configmaps");

test("nothing returned: success, no failures, no timer", async () => {
  const host = hostOf(() => undefined);
  host.store.put(host.key(), { epoch: 4, failures: 3, dueAt: 5 });
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({ epoch: 5, failures: 0, outcome: "success" });
  expect(host.record().dueAt).toBeUndefined();
});

test.each([0, 1.5, 600])("requeueAfterSeconds %d: a timer", async (requeueAfterSeconds) => {
  const host = hostOf(() => ({ requeueAfterSeconds }));
  expect(await host.run()).toEqual([]);
  const dueAt = host.clock.nowMs() + requeueAfterSeconds * 1_000;
  expect(host.record()).toMatchObject({ failures: 0, outcome: "requeue_after", dueAt });
});

test.each([
  [{ requeueAfter: 5 }, "no other fields"],
  [{ requeueAfterSeconds: Number.NaN }, "got NaN"],
  [{ requeueAfterSeconds: -1 }, "got -1"],
  [{ requeueAfterSeconds: Number.POSITIVE_INFINITY }, "got Infinity"],
  [{ requeueAfterSeconds: 40_000_000 }, "got 40000000"],
  [{ requeueAfterSeconds: "5" }, 'got "5"'],
  [{ status: [] }, "status to be an object, got []"],
  [{ status: "fine" }, "status to be an object"],
  ["done", 'expected an object or nothing, got "done"'],
  [true, "got true"],
])("B14: the result %j is an error, and nothing of it is used", async (result, text) => {
  const host = hostOf(() => result);
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record().outcome).toBe("error");
  expect(host.record().error).toContain("cannot take the result of reconcile");
  expect(host.record().error).toContain(text);
});

test("an error: failures + 1 and backoff by visibility, with a timer 30 s later (Q8)", async () => {
  const host = hostOf(fail(new Error("no")));
  host.store.put(host.key(), { epoch: 3, failures: 3 });
  expect(await host.run()).toEqual(["m1"]);
  expect(host.queue.visibility.get("h1")).toBe(8);
  expect(host.record()).toMatchObject({ failures: 4, dueAt: host.clock.nowMs() + 38_000 });
});

test("a backoff beyond 120 s: all acknowledged, the timer is the retry", async () => {
  const host = hostOf(fail(new Error("no")));
  host.store.put(host.key(), { epoch: 9, failures: 8 });
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({ failures: 9, dueAt: host.clock.nowMs() + 256_000 });
});

test.each([
  [
    "a circle",
    inCircle(),
    'expected status to be JSON, got "Converting circular structure to JSON"',
  ],
  ["a big integer", { count: 1n }, "expected status to be JSON, got"],
])("a status with %s is an error that says so", async (_, status, text) => {
  const host = hostOf(() => ({ status }));
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record().error).toContain(`cannot take the result of reconcile: ${text}`);
});

function inCircle(): object {
  const circle: { self?: object } = {};
  circle.self = circle;
  return circle;
}

test.each(["thrown text", undefined, null, 7])(
  "thrown %p is an error like any other",
  async (thrown) => {
    const host = hostOf(fail(thrown));
    expect(await host.run()).toEqual(["m1"]);
    expect(host.record()).toMatchObject({ outcome: "error", error: String(thrown) });
  },
);

test("a reconciler that throws before it returns a promise fails its run alone", async () => {
  const host = new WorkerHost({
    reconcile: () => {
      throw new Error("at once");
    },
  });
  host.cluster.apply(site());
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record().error).toBe("at once");
});

test("a TerminalError: no retry, failures unchanged, a Warning event, and Ready=False", async () => {
  const host = hostOf(fail(new TerminalError("spec.host is outside the zone")));
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({ failures: 0, outcome: "terminal_error" });
  expect(host.record().dueAt).toBeUndefined();
  expect(host.counted("TerminalErrors")).toBe(1);
  expect(events(host)).toMatchObject([
    { type: "Warning", reason: "TerminalError", note: "spec.host is outside the zone" },
  ]);
  expect(conditionsOf(host)).toMatchObject([
    {
      type: "Ready",
      status: "False",
      reason: "TerminalError",
      message: "spec.host is outside the zone",
    },
  ]);
});

test("an error sets Ready=False and keeps what the status said before", async () => {
  let error: Error | undefined;
  const host = new WorkerHost({
    reconcile: async () => {
      if (error) throw error;
      const conditions = [
        { type: "Ready", status: "True", reason: "Ready" },
        { type: "Synced", status: "True", reason: "Synced" },
      ];
      return { status: { replicas: 3, conditions } };
    },
  });
  host.cluster.apply(site());
  await host.run();
  error = new Error("no");
  await host.run();
  expect(host.cluster.get(Site, key())?.status).toMatchObject({
    replicas: 3,
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: "Ready", status: "False", reason: "Error", message: "no" }),
      expect.objectContaining({ type: "Synced", status: "True" }),
    ]),
  });
  const { body } = host.cluster.requests.findLast(({ path }) => path.endsWith("/status")) ?? {};
  const { status } = body as { status: { conditions: { type: string }[] } };
  expect(status.conditions.map(({ type }) => type)).toEqual(["Synced", "Ready"]);
});

test("a ReconcileError writes the status that it carries", async () => {
  const host = hostOf(fail(new ReconcileError("no", { status: { phase: "Waiting" } })));
  expect(await host.run()).toEqual(["m1"]);
  expect(host.cluster.get(Site, key())?.status).toMatchObject({ phase: "Waiting" });
  expect(host.record()).toMatchObject({ failures: 1, outcome: "error", error: "no" });
});

test("a status that cannot be written does not hide the error", async () => {
  const host = hostOf(fail(new Error("the cause")));
  host.cluster.fault(({ path }) => (path.endsWith("/status") ? answer(500) : undefined));
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record().error).toBe("the cause");
});

test.each([429, 503])(
  "%d: throttled, all acknowledged, timer after Retry-After",
  async (status) => {
    const host = faulty(onConfigMaps, answer(status, {}, { "retry-after": "7" }));
    expect(await host.run()).toEqual([]);
    expect(host.record()).toMatchObject({ failures: 0, outcome: "throttled", postponed: 1 });
    expect((host.record().dueAt ?? 0) - host.clock.nowMs()).toBeGreaterThanOrEqual(7_000);
    expect(host.writes()).toEqual([]); // No status, no event: the server asked for less.
  },
);

test("429 of an eviction is an answer, not throttling", async () => {
  const causes = [{ reason: "DisruptionBudget", message: "needs 2 healthy pods" }];
  const host = faulty(onConfigMaps, answer(429, { details: { causes } }));
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record()).toMatchObject({ failures: 1, outcome: "error" });
});

test("409 that the code of the reconciler met: conflict, from 1 s by timer, failures unchanged", async () => {
  const host = faulty(onConfigMaps, answer(409, { reason: "Conflict" }));
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({
    failures: 0,
    outcome: "conflict",
    dueAt: host.clock.nowMs() + 1_000,
  });
});

test("a name that is taken is an error, for it stays taken", async () => {
  const host = faulty(onConfigMaps, answer(409, { reason: "AlreadyExists" }));
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record()).toMatchObject({ failures: 1, outcome: "error" });
});

test("a namespace that terminates: like success", async () => {
  const host = new WorkerHost({
    reconcile: async (_site: never, context: never) => {
      const { apply } = context as { apply: (...args: unknown[]) => Promise<unknown> };
      await apply(ConfigMap, { metadata: { name: "c" } });
    },
  });
  host.cluster.apply(site());
  host.cluster.terminating("a");
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({ failures: 0, outcome: "success" });
});

test("403: backoff, and a Warning event in the definition's own words", async () => {
  const host = faulty(onConfigMaps, answer(403, { reason: "Forbidden" }));
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record()).toMatchObject({ failures: 1, outcome: "error" });
  const text =
    "may not get configmaps in namespace a, which owns: [ConfigMap] asks for: deploy the roles of controller site again";
  expect(events(host)).toMatchObject([{ type: "Warning", reason: "Forbidden", note: text }]);
});

test("403: a server that guards owner references asks for delete, which is told", async () => {
  const message =
    'configmaps "c" is forbidden: cannot set an ownerRef on a resource you can\'t delete: , <nil>';
  const host = faulty(onConfigMaps, answer(403, { reason: "Forbidden", message }));
  await host.run();
  const text =
    'may not change the owner of configmaps in namespace a, for this cluster asks for delete: add uses: [use(ConfigMap, "delete")], and deploy the roles';
  expect(events(host)).toMatchObject([{ type: "Warning", reason: "Forbidden", note: text }]);
});

test("maxAttempts: given up into the dead-letter queue, no timer, all acknowledged", async () => {
  const controller = defineController({
    name: "site",
    for: Site,
    maxAttempts: 3,
  }) as unknown as Controller;
  const host = hostOf(fail(new Error("no")), { controller });
  host.store.put(host.key(), { epoch: 2, failures: 2 });
  expect(await host.run()).toEqual([]);
  expect(host.queue.deadLetters).toMatchObject([{ request: { name: "x" }, error: "no" }]);
  expect(host.record()).toMatchObject({ outcome: "given_up", failures: 3 });
  expect(host.record().dueAt).toBeUndefined();
});

test("given up, but the dead-letter queue takes nothing: the messages stay", async () => {
  const controller = defineController({
    name: "site",
    for: Site,
    maxAttempts: 1,
  }) as unknown as Controller;
  const host = hostOf(fail(new Error("no")), { controller });
  host.queue.refusesDeadLetters = true;
  expect(await host.run()).toEqual(["m1"]);
});

test("an object that is not there: gone, and the reconciler is told its key", async () => {
  const gone: Key[] = [];
  const host = new WorkerHost({ gone: async (name: Key) => void gone.push(name) } as never);
  expect(await host.run()).toEqual([]);
  expect(gone).toEqual([key()]);
  expect(host.record()).toMatchObject({ outcome: "gone", failures: 0 });
  expect(host.record().expiresAt).toBeGreaterThan(host.clock.nowMs() / 1_000);
});

test("a 404 of the kind is an error, not gone", async () => {
  const host = hostOf(() => undefined);
  host.cluster.unserve(Site);
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record()).toMatchObject({ outcome: "error", failures: 1 });
});

test("B12: another object of the same name: the old one is told gone, and failures begin anew", async () => {
  const gone: Key[] = [];
  const host = new WorkerHost({
    gone: async (name: Key) => void gone.push(name),
    reconcile: () => Promise.reject(new Error("no")),
  } as never);
  host.cluster.apply(site());
  host.store.put(host.key(), { epoch: 9, failures: 8, uid: "the old one", outcome: "error" });
  expect(await host.run()).toEqual(["m1"]);
  expect(gone).toEqual([key()]);
  expect(host.record()).toMatchObject({
    failures: 1,
    uid: host.cluster.get(Site, key())?.metadata.uid,
  });
});

test.each(["gone", "released"] as const)(
  "another object of a name whose last run ended %s: nothing is told gone again",
  async (outcome) => {
    const host = new WorkerHost({ gone: () => Promise.reject(new Error("told")) } as never);
    host.cluster.apply(site());
    host.store.put(host.key(), { epoch: 9, failures: 0, uid: "the old one", outcome });
    expect(await host.run()).toEqual([]);
  },
);

test("an object outside the namespaces: released, and nothing is written", async () => {
  const controller = defineController({
    name: "site",
    for: Site,
    namespaces: ["b"],
    finalizer: "web.example.com/dns",
  }) as unknown as Controller;
  const host = hostOf(fail(new Error("must not run")), { controller });
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({ outcome: "released", failures: 0 });
  expect(host.writes()).toEqual([]);
});

test("a call that the reconciler did not await is refused once its run has ended", async () => {
  const errors: string[] = [];
  const host: WorkerHost = new WorkerHost({
    reconcile: async (_site: never, context: never) => {
      void host.clock
        .sleep(10)
        .then(() => readsConfigMap(undefined as never, context))
        .catch((error) => errors.push(error.message));
    },
  });
  host.cluster.apply(site());
  await host.run();
  await host.clock.advance(10);
  expect(errors).toEqual([
    "cannot get ConfigMap a/c: expected a run, got one that has ended; await every call",
  ]);
});

function key(): Key {
  return { namespace: "a", name: "x" };
}

function events(host: WorkerHost): readonly unknown[] {
  return host.cluster.requests
    .filter(({ method, path }) => method === "POST" && path.endsWith("/events"))
    .map(({ body }) => body);
}

function conditionsOf(host: WorkerHost): unknown {
  return host.cluster.get(Site, key())?.status?.conditions;
}
