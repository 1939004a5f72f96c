import { expect, test } from "@jest/globals";
import { createDeadline } from "../../shared/worker/deadline.ts";
import { site, WorkerHost } from "../support/worker-host.ts";

const dead = { epoch: 1, failures: 1, runId: "dead", runUntil: 1 };

/** A worker whose runs take so many milliseconds, by name. */
function taking(times: Readonly<Record<string, number>>): WorkerHost {
  const host: WorkerHost = new WorkerHost({
    reconcile: async ({ metadata }: { metadata: { name: string } }) => {
      const ms = times[metadata.name] ?? 0;
      if (ms > 0) await host.clock.sleep(ms);
    },
  } as never);
  for (const name of Object.keys(times)) host.cluster.apply(site(name));
  return host;
}

/** Begins an invocation; tells whether it has answered. */
function invoked(host: WorkerHost, names: readonly string[]): () => boolean {
  let answered = false;
  void host.invoke(names.map((name) => host.message(name))).then(() => {
    answered = true;
  });
  return () => answered;
}

test("the first visibility of all messages overtakes no later one, however slow it is", async () => {
  const host = new WorkerHost({ reconcile: () => Promise.reject(new Error("no")) });
  for (const name of ["failing", "locked"]) host.cluster.apply(site(name));
  const runUntil = host.clock.nowMs() + 60_000;
  host.store.put(host.key("locked"), { ...dead, runUntil });
  host.queue.delay = (call) => host.clock.sleep(call === "visibility 3" ? 5_000 : 0);
  const answer = host.invoke([
    host.message("failing"),
    host.message("locked"),
    host.message("x", { controller: "future" }),
  ]);
  await host.clock.advance(6_000);
  await answer;
  expect(Object.fromEntries(host.queue.visibility)).toEqual({ h1: 1, h2: 61, h3: 60 });
});

test("Q4: no answer while the first visibility is on its way, though nothing ran", async () => {
  const host = taking({ x: 0 });
  host.store.failNext("start");
  host.queue.delay = () => host.clock.sleep(5_000);
  const answered = invoked(host, ["x"]);
  await host.clock.advance(4_999);
  expect(answered()).toBe(false);
  await host.clock.advance(1);
  expect(answered()).toBe(true);
});

test("Q4: no answer while an early acknowledgement is on its way", async () => {
  const host = taking({ x: 0, slow: 150 });
  host.queue.delay = async (call) => {
    if (call.startsWith("delete")) await host.clock.sleep(5_000);
  };
  const answered = invoked(host, ["x", "slow"]);
  await host.clock.advance(5_099);
  expect([host.queue.calls, answered()]).toEqual([["visibility 2", "delete 1"], false]);
  await host.clock.advance(1);
  expect(answered()).toBe(true);
});

test("an early acknowledgement that hangs does not cost the answer", async () => {
  const host = taking({ x: 0, slow: 150 });
  host.queue.delay = async (call) => {
    if (call.startsWith("delete")) await new Promise(() => {});
  };
  const answered = invoked(host, ["x", "slow"]);
  await host.clock.advance(29_499);
  expect(answered()).toBe(false);
  await host.clock.advance(1);
  expect([answered(), host.exits]).toEqual([true, []]);
});

test("what ended just before the answer is acknowledged by the answer, without a call", async () => {
  const host = taking({ x: 0, slow: 50 });
  const answered = invoked(host, ["x", "slow"]);
  await host.clock.advance(50);
  expect(answered()).toBe(true);
  expect(host.queue.calls).toEqual(["visibility 2"]);
});

test("groups that end later than others are acknowledged early, too", async () => {
  const host = taking({ x: 0, y: 1_000, slow: 5_000 });
  invoked(host, ["x", "y", "slow"]);
  await host.clock.advance(200);
  expect(host.queue.deleted).toEqual(["h1"]);
  await host.clock.advance(1_000);
  expect(host.queue.deleted).toEqual(["h1", "h2"]);
  await host.clock.advance(5_000);
});

test("Q4: the process ends 0.2 s before the deadline, whether or not the last acknowledgements are answered", async () => {
  const host = taking({ x: 0, stuck: 60_000 });
  host.queue.delay = async (call) => {
    if (call.startsWith("delete")) await new Promise(() => {});
  };
  invoked(host, ["x", "stuck"]);
  await host.clock.advance(29_799);
  expect(host.exits).toEqual([]);
  await host.clock.advance(1);
  expect(host.exits).toEqual([1]);
});

test("keys whose last run ended run together", async () => {
  const host = taking({ slow: 5_000, x: 0 });
  for (const name of ["slow", "x"]) host.store.put(host.key(name), { epoch: 1, failures: 0 });
  invoked(host, ["slow", "x"]);
  await host.clock.advance(200);
  expect(host.queue.deleted).toEqual(["h2"]);
  await host.clock.advance(5_000);
});

test("where all last runs never ended, the first runs however little time is left, or none ever would", async () => {
  const host = taking({ one: 0, other: 0 });
  for (const name of ["one", "other"]) host.store.put(host.key(name), dead);
  const answer = await host.invoke([host.message("one"), host.message("other")], 10_000);
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "m2" }] });
  expect([host.record("one").epoch, host.record("other").epoch]).toEqual([2, 1]);
});

test("Q4: a wall clock that was set back gives no run more time, though its signal is late", () => {
  let monotonicMs = 0;
  const sleep = () => new Promise<void>(() => {});
  const clock = { nowMs: () => -60_000, monotonicMs: () => monotonicMs, sleep };
  const deadline = createDeadline(clock, 30_000);
  monotonicMs = 27_999;
  deadline.check("get");
  monotonicMs = 28_000;
  expect(() => deadline.check("get")).toThrow("got 2000");
});

test.each([
  ["24", ["m1"], true],
  ["25", [], false],
])("a failed message that was received %s times", async (received, failed, waits) => {
  const host = new WorkerHost({ reconcile: () => Promise.reject(new Error("no")) });
  host.cluster.apply(site());
  const message = { ...host.message(), attributes: { ApproximateReceiveCount: received } };
  const { batchItemFailures } = await host.invoke([message]);
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(failed);
  expect(host.record().retryHandle !== undefined).toBe(waits);
  expect(host.record().dueAt).toBeDefined();
});
