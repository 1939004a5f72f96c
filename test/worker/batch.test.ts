import { expect, test } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { idle } from "../../shared/testing/virtual-clock.ts";
import { Site, site, WorkerHost } from "../support/worker-host.ts";

/** A promise that a test settles. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

const ids = ({ batchItemFailures }: { batchItemFailures: readonly { itemIdentifier: string }[] }) =>
  batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

test("a run that ends well leaves a record without a lock, and its message is acknowledged by the answer", async () => {
  const host = new WorkerHost({});
  host.cluster.apply(site());
  const answer = await host.invoke([host.message("x", { changedAtMs: host.clock.nowMs() - 250 })]);
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(host.record()).toMatchObject({
    epoch: 1,
    failures: 0,
    outcome: "success",
    revision: "r1",
  });
  expect(host.record().runId).toBeUndefined();
  expect(host.queue.deleted).toEqual([]);
  expect(host.counted("ReconcileTotal")).toBe(1);
  expect(host.counted("QueueLagSeconds")).toBe(0.25);
});

test("before anything else all messages become invisible for the time left and 10 s", async () => {
  const seen: unknown[] = [];
  const host: WorkerHost = new WorkerHost({
    reconcile: async () => void seen.push(Object.fromEntries(host.queue.visibility)),
  });
  host.cluster.apply(site());
  await host.invoke([host.message(), host.message("y")], 29_500);
  expect(seen).toEqual([{ h1: 40, h2: 40 }]);
});

test("Q7: several messages of a key are one run, all acknowledged when it ends well", async () => {
  let runs = 0;
  const host = new WorkerHost({
    reconcile: async () => {
      runs += 1;
    },
  });
  host.cluster.apply(site());
  const answer = await host.invoke([host.message(), host.message(), host.message()]);
  expect(ids(answer)).toEqual([]);
  expect(runs).toBe(1);
});

test("Q7, B13: if it fails, the first message waits out the backoff and the rest are acknowledged", async () => {
  const host = new WorkerHost({
    reconcile: async () => {
      throw new Error("no");
    },
  });
  host.cluster.apply(site());
  const answer = await host.invoke([host.message(), host.message(), host.message()]);
  expect(ids(answer)).toEqual(["m1"]);
  expect(host.queue.visibility.get("h1")).toBe(1);
  expect(host.record()).toMatchObject({
    failures: 1,
    outcome: "error",
    error: "no",
    retryHandle: "h1",
  });
});

test("B15: the retry of a failed message runs in the same environment", async () => {
  let fails = true;
  const host = new WorkerHost({
    reconcile: async () => {
      if (fails) throw new Error("no");
    },
  });
  host.cluster.apply(site());
  expect(await host.run()).toEqual(["m1"]);
  fails = false;
  expect(await host.run()).toEqual([]);
  expect(host.record()).toMatchObject({ epoch: 2, failures: 0, outcome: "success" });
});

test("Q4: a locked start makes all messages wait for the lock and acknowledges none", async () => {
  const host = new WorkerHost({ reconcile: () => Promise.reject(new Error("must not run")) });
  host.cluster.apply(site());
  const runUntil = host.clock.nowMs() + 4_200;
  host.store.put(host.key(), { epoch: 3, failures: 1, runId: "other", runUntil });
  expect(ids(await host.invoke([host.message(), host.message()]))).toEqual(["m1", "m2"]);
  expect(Object.fromEntries(host.queue.visibility)).toEqual({ h1: 6, h2: 6 });
  expect(host.record()).toEqual({ epoch: 3, failures: 1, runId: "other", runUntil });
});

test("Q2: a failed start does not run, and its messages are left to their visibility timeout", async () => {
  const host = new WorkerHost({ reconcile: () => Promise.reject(new Error("must not run")) });
  host.cluster.apply(site());
  host.store.failNext("start");
  expect(await host.run()).toEqual(["m1"]);
  expect(host.cluster.requests).toEqual([]);
  expect(host.queue.calls).toEqual(["visibility 1"]);
});

test("Q6: nothing is acknowledged when the end was not written", async () => {
  const host = new WorkerHost({});
  host.cluster.apply(site());
  host.store.failNext("end");
  expect(ids(await host.invoke([host.message(), host.message()]))).toEqual(["m1", "m2"]);
  expect(host.queue.deleted).toEqual([]);
});

test("Q5: a run that lost its record changes nothing and acknowledges nothing", async () => {
  const host: WorkerHost = new WorkerHost({
    reconcile: async () => {
      host.store.put(host.key(), { epoch: 7, failures: 2, runId: "other", runUntil: 1 });
    },
  });
  host.cluster.apply(site());
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record()).toEqual({ epoch: 7, failures: 2, runId: "other", runUntil: 1 });
  expect(host.counted("LostRecords")).toBe(1);
});

test("Q12: an unreadable message goes to the dead-letter queue and is acknowledged", async () => {
  const host = new WorkerHost({});
  expect(ids(await host.invoke([host.raw("not JSON"), host.raw("{}")]))).toEqual([]);
  expect(host.queue.deadLetters).toHaveLength(2);
  expect(host.queue.deadLetters[0]?.error).toContain("not JSON");
});

test("Q12: an unreadable message stays when the dead-letter queue does not take it", async () => {
  const host = new WorkerHost({});
  host.queue.refusesDeadLetters = true;
  expect(ids(await host.invoke([host.raw("not JSON")]))).toEqual(["m1"]);
});

test("Q12: a message for another controller or cluster stays, visible again in 60 s", async () => {
  const host = new WorkerHost({});
  const messages = [
    host.message("x", { controller: "future" }),
    host.message("x", { cluster: "b" }),
  ];
  expect(ids(await host.invoke(messages))).toEqual(["m1", "m2"]);
  expect(Object.fromEntries(host.queue.visibility)).toEqual({ h1: 60, h2: 60 });
  expect(host.counted("VersionSkew")).toBe(2);
});

test("Q12: a message of a newer version is run by its key", async () => {
  const host = new WorkerHost({});
  host.cluster.apply(site());
  const body = JSON.stringify({ version: 9, ...host.key(), reason: "starlight", extra: true });
  expect(ids(await host.invoke([host.raw(body)]))).toEqual([]);
  expect(host.record()).toMatchObject({ epoch: 1, outcome: "success" });
  expect(host.counted("VersionSkew")).toBe(1);
});

test("groups run in parallel, and one that ended is acknowledged while others still run", async () => {
  const slow = gate();
  const host = new WorkerHost({
    reconcile: async ({ metadata }: { metadata: { name: string } }) => {
      if (metadata.name === "slow") await slow.opened;
    },
  } as never);
  for (const name of ["slow", "x", "y"]) host.cluster.apply(site(name));
  const answer = host.invoke([host.message("slow"), host.message("x"), host.message("y")]);
  await host.clock.advance(200);
  expect(host.queue.deleted).toEqual(["h2", "h3"]);
  expect(host.queue.calls).toEqual(["visibility 3", "delete 2"]);
  slow.open();
  expect(ids(await answer)).toEqual([]);
  expect(host.queue.deleted).toEqual(["h2", "h3"]);
});

test("one group's failure leaves the others alone", async () => {
  const host = new WorkerHost({
    reconcile: async ({ metadata }: { metadata: { name: string } }) => {
      if (metadata.name === "bad") throw new Error("no");
    },
  } as never);
  for (const name of ["bad", "x"]) host.cluster.apply(site(name));
  expect(ids(await host.invoke([host.message("x"), host.message("bad")]))).toEqual(["m2"]);
});

test("a key whose last run never ended starts after the other groups have ended, and runs alone", async () => {
  const order: string[] = [];
  const host: WorkerHost = new WorkerHost({
    reconcile: async ({ metadata }: { metadata: { name: string } }) => {
      order.push(metadata.name);
      await host.clock.sleep(1_000);
      order.push(`${metadata.name} ended`);
    },
  } as never);
  for (const name of ["crashed", "x"]) host.cluster.apply(site(name));
  host.store.put(host.key("crashed"), { epoch: 1, failures: 1, runId: "dead", runUntil: 1 });
  const answer = host.invoke([host.message("crashed"), host.message("x")]);
  await host.clock.advance(3_000);
  expect(ids(await answer)).toEqual([]);
  expect(order).toEqual(["x", "x ended", "crashed", "crashed ended"]);
  expect(host.counted("Crashed")).toBe(1);
});

test("of several such keys the one that failed least runs first, so that none waits behind a killer for ever", async () => {
  const order: string[] = [];
  const host = new WorkerHost({
    reconcile: ({ metadata }: { metadata: { name: string } }) => void order.push(metadata.name),
  } as never);
  for (const name of ["killer", "bystander"]) host.cluster.apply(site(name));
  const dead = { epoch: 1, runId: "dead", runUntil: 1 };
  host.store.put(host.key("killer"), { ...dead, failures: 3 });
  host.store.put(host.key("bystander"), { ...dead, failures: 1 });
  await host.invoke([host.message("killer"), host.message("bystander")]);
  expect(order).toEqual(["bystander", "killer"]);
});

test("with less than half the timeout left such a key goes back without a start, visible in 1 s", async () => {
  const host: WorkerHost = new WorkerHost({ reconcile: () => host.clock.sleep(16_000) });
  for (const name of ["crashed", "x"]) host.cluster.apply(site(name));
  const dead = { epoch: 1, failures: 1, runId: "dead", runUntil: 1 };
  host.store.put(host.key("crashed"), dead);
  const answer = host.invoke([host.message("crashed"), host.message("x")]);
  await host.clock.advance(16_000);
  expect(ids(await answer)).toEqual(["m1"]);
  expect(host.queue.visibility.get("h1")).toBe(1);
  expect(host.record("crashed")).toEqual(dead);
});

test("a crashed run counts as a failure although nobody wrote its end", async () => {
  const host = new WorkerHost({ reconcile: () => Promise.reject(new Error("no")) });
  host.cluster.apply(site());
  host.store.put(host.key(), { epoch: 1, failures: 1, runId: "dead", runUntil: 1 });
  expect(await host.run()).toEqual(["m1"]);
  expect(host.record()).toMatchObject({ epoch: 2, failures: 2 });
});

test("Q4: the signal comes 2 s before the deadline, and calls are refused from then on", async () => {
  const errors: unknown[] = [];
  const host: WorkerHost = new WorkerHost({
    reconcile: async (_object: never, context: never) => {
      const { signal, client } = context as { signal: AbortSignal; client: never };
      await host.clock.sleep(60_000, signal);
      const get = (client as { get: (...args: unknown[]) => Promise<unknown> }).get;
      await get(
        { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps", scope: "Namespaced" },
        "c",
      ).catch((error) => errors.push(error.message));
      throw new Error("out of time");
    },
  });
  host.cluster.apply(site());
  const answer = host.invoke([host.message()]);
  await host.clock.advance(27_999);
  expect(errors).toEqual([]);
  await host.clock.advance(1);
  expect(ids(await answer)).toEqual(["m1"]);
  expect(errors).toEqual([
    expect.stringContaining("cannot get ConfigMap a/c: expected more than 2000 ms"),
  ]);
  expect(host.record()).toMatchObject({ outcome: "error", failures: 1 });
});

test("Q4: a call is refused by the clock even if the process was frozen and no timer fired", async () => {
  const host: WorkerHost = new WorkerHost({
    reconcile: async (_object: never, context: never) => {
      host.clock.step(29_000); // The wall clock, as after a freeze; no sleeper wakes.
      const { apply, signal } = context as {
        apply: (...args: unknown[]) => Promise<unknown>;
        signal: AbortSignal;
      };
      expect(signal.aborted).toBe(false);
      await apply(
        { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps", scope: "Namespaced" },
        { metadata: { name: "c" } },
      );
    },
  });
  host.cluster.apply(site());
  await host.run();
  expect(host.record().error).toContain("cannot get ConfigMap a/c");
  expect(host.writes()).toEqual([]);
});

test.each(["reconcile", "finalize", "tell of"])(
  "Q4: a machine that stood still while it read does not begin to %s",
  async (call) => {
    const options = { name: "site", for: Site, finalizer: "web.example.com/f" } as const;
    const controller = defineController(options) as unknown as Controller;
    const begun: string[] = [];
    const host = new WorkerHost(
      {
        reconcile: async () => void begun.push("reconcile"),
        finalize: async () => void begun.push("finalize"),
        gone: async () => void begun.push("tell of"),
      } as never,
      { controller },
    );
    if (call !== "tell of")
      host.cluster.apply(site("x", { metadata: { finalizers: ["web.example.com/f"] } }));
    if (call === "finalize") host.cluster.delete(Site, { namespace: "a", name: "x" });
    // By the wall clock alone: timers come late to a machine that wakes.
    host.cluster.fault(() => {
      host.clock.step(60_000);
      return undefined;
    });
    await host.run();
    expect(begun).toEqual([]);
    expect(host.record()).toMatchObject({ outcome: "error" });
    expect(host.record().error).toMatch(new RegExp(`cannot ${call} x.*expected more than 2000 ms`));
  },
);

test("Q4: what has not settled 0.5 s before the deadline ends the process, after acknowledging what ended", async () => {
  const host = new WorkerHost({
    reconcile: ({ metadata }: { metadata: { name: string } }) =>
      metadata.name === "stuck" ? new Promise<void>(() => {}) : Promise.resolve(),
  } as never);
  for (const name of ["stuck", "x"]) host.cluster.apply(site(name));
  let answered = false;
  void host.invoke([host.message("stuck"), host.message("x")]).then(() => {
    answered = true;
  });
  await host.clock.advance(29_499);
  expect(host.exits).toEqual([]);
  await host.clock.advance(1);
  expect(host.exits).toEqual([1]);
  expect(host.queue.deleted).toEqual(["h2"]);
  await host.clock.advance(10_000);
  expect(answered).toBe(false);
  expect(host.record("stuck").runId).toBe("run-1");
});

test("a message that could not be deleted early is tried once more before the process ends", async () => {
  const host = new WorkerHost({
    reconcile: ({ metadata }: { metadata: { name: string } }) =>
      metadata.name === "stuck" ? new Promise<void>(() => {}) : Promise.resolve(),
  } as never);
  for (const name of ["stuck", "x"]) host.cluster.apply(site(name));
  host.queue.refusesDeletes = true;
  void host.invoke([host.message("stuck"), host.message("x")]);
  await host.clock.advance(1_000);
  expect(host.queue.deleted).toEqual([]);
  host.queue.refusesDeletes = false;
  await host.clock.advance(29_000);
  await idle();
  expect(host.queue.deleted).toEqual(["h2"]);
  expect(host.exits).toEqual([1]);
});

test("an invocation is independent of what an earlier one left: nothing sleeps after the answer", async () => {
  const host = new WorkerHost({});
  host.cluster.apply(site());
  await host.run();
  expect(host.clock.nextMs()).toBeUndefined();
});
