// From a change to its run over real connections, with faults on each of them: nothing is lost, and no
// two runs overlap. The numbers are those of the design's list of reports.
import { expect, jest, test } from "@jest/globals";
import type { Fault } from "../support/fault-proxy.ts";
import {
  copies,
  copiesPerTest,
  copyOf,
  copyTo,
  next,
  put,
  reconciling,
  THROTTLED,
  UNAVAILABLE,
} from "../support/wire-copies.ts";

jest.setTimeout(60_000);

const started = copiesPerTest();

test("B02: a change 5 s after another one runs, though each send comes twice", async () => {
  const made = await started();
  made.queue.plan = ({ action }) => (action === "SendMessageBatch" ? { kind: "twice" } : undefined);
  await put(made, "x", "1");
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x"]);
  await made.cluster.clock.advance(5_000);
  await put(made, "x", "2");
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x"]);
  expect(await copyOf(made, "x")).toBe("2");
});

test("B03: a change during a run leads to exactly one more, though the end of the first is written at the third try", async () => {
  const waiting = Promise.withResolvers<void>();
  let runs = 0;
  const made = await started(
    reconciling(async (object, apply) => {
      runs += 1;
      if (runs === 1) await waiting.promise;
      await copyTo(apply, object, object.data);
    }),
  );
  await put(made, "x", "1");
  await made.cluster.clock.advance(1_000);
  await put(made, "x", "2");
  await made.cluster.clock.advance(1_000);
  next(made.workerTable, "UpdateItem", UNAVAILABLE, { kind: "reset" });
  waiting.resolve();
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x", "reconcile x"]);
  expect(await copyOf(made, "x")).toBe("2");
});

test.each([
  ["answers 503", UNAVAILABLE],
  ["throttles", THROTTLED],
  ["resets the connection", { kind: "reset" }],
  ["loses its answers", { kind: "lose" }],
] as const)(
  "B09: while the queue %s a change is kept, also when the watch breaks off",
  async (_, fault) => {
    const made = await started();
    made.queue.plan = () => fault;
    await put(made, "x", "1");
    await made.cluster.clock.advance(2_000);
    made.cluster.requests.cut();
    await put(made, "y", "1");
    await made.cluster.clock.advance(3_000);
    made.queue.plan = () => undefined;
    await made.until(() => new Set(made.runs).size === 2);
    await made.settled();
    expect([await copyOf(made, "x"), await copyOf(made, "y")]).toEqual(["1", "1"]);
  },
);

test("B10: entries of a batch that are not accepted are sent again, and they alone", async () => {
  const made = await started();
  const refuse = (text: string) => {
    const { Successful } = JSON.parse(text) as { Successful: { Id: string }[] };
    const failed = Successful.slice(0, 3).map(({ Id }) => ({
      Id,
      Code: "InternalError",
      SenderFault: false,
    }));
    return JSON.stringify({ Successful: Successful.slice(3), Failed: failed });
  };
  next(made.queue, "SendMessageBatch", { kind: "alter", body: refuse });
  await Promise.all(Array.from({ length: 10 }, (_, index) => put(made, `x${index}`, "1")));
  await made.settled();
  const batches = made.queue
    .of("SendMessageBatch")
    .map(({ body }) => (JSON.parse(body) as { Entries: object[] }).Entries.length);
  expect(batches).toEqual([10, 3]);
  expect(made.drain()).toHaveLength(10);
});

test("B11, B18: a run that asks for itself 20 times is asked for by its timer, never by the worker, and never with a delay", async () => {
  let runs = 0;
  const made = await started(
    reconciling(async () => {
      runs += 1;
      return runs < 20 ? { requeueAfterSeconds: 1 } : undefined;
    }),
  );
  await put(made, "x", "1");
  await made.cluster.clock.advance(20 * 2_300);
  expect(runs).toBe(20);
  expect(made.workerQueue.seen.filter(({ action }) => action.startsWith("Send"))).toEqual([]);
  const sent = made.queue.seen.filter(({ action }) => action.startsWith("Send"));
  expect(sent.length).toBeGreaterThanOrEqual(20);
  expect(sent.filter(({ body }) => body.includes("DelaySeconds"))).toEqual([]);
});

test("B12: an object that was deleted and made again while its request waited begins anew", async () => {
  let fails = true;
  const made = await started(
    reconciling(async () => {
      if (fails) throw new Error("no");
    }),
  );
  await put(made, "x", "1");
  await made.cluster.clock.advance(8_000);
  expect((await made.record("x")).failures).toBeGreaterThan(1);
  const { uid } = await made.record("x");
  made.pause();
  await made.cluster.remove("x");
  await put(made, "x", "2");
  fails = false;
  await made.cluster.clock.advance(1_000);
  made.resume();
  await made.cluster.clock.advance(10_000);
  await made.settled();
  expect(await made.record("x")).toMatchObject({ failures: 0, outcome: "success" });
  expect((await made.record("x")).uid).not.toBe(uid);
});

test("B30: a deletion that only a list shows is told, though the predicate throws", async () => {
  let throws = false;
  const predicate = () => {
    if (throws) throw new Error("cannot read what is gone");
    return true;
  };
  const made = await started({}, copies({ owns: [], predicate }));
  await put(made, "x", "1");
  await made.settled();
  throws = true;
  const gone = { kind: "Status", code: 410, reason: "Expired", status: "Failure" };
  const left: Fault[] = [{ kind: "answer", status: 410, body: JSON.stringify(gone) }];
  made.cluster.requests.plan = ({ query }) => (query.get("watch") ? left.shift() : undefined);
  made.cluster.requests.cut();
  await made.cluster.remove("x");
  await made.until(async () => (await made.record("x")).outcome === "gone");
});

test("B33: a source whose list is forbidden is named by the readiness, and found when it is allowed", async () => {
  const made = await started();
  made.cluster.requests.plan = () => ({ kind: "answer", status: 403, body: `{ "code": 403 }` });
  const second = await made.watch();
  await made.cluster.clock.advance(5_000);
  const states = () => second.watcher.health().sources.map(({ state }) => state);
  expect(states()).toEqual(["unavailable", "unavailable"]);
  expect(JSON.stringify(second.watcher.health())).toContain("403 forbidden: cannot list");
  made.cluster.requests.plan = () => undefined;
  await made.cluster.clock.advance(15_000);
  expect(states()).toEqual(["synced", "synced"]);
});

test("B37: a name of 253 characters has ids that the queue takes", async () => {
  const name = `a${"b".repeat(247)}.copied`.slice(0, 248);
  const made = await started();
  await put(made, name, "1");
  await made.settled();
  expect(made.drain()).toEqual([`reconcile ${name}`]);
  expect(await copyOf(made, name)).toBe("1");
});

test("B38: an object whose run takes long holds up no other one", async () => {
  const waiting = Promise.withResolvers<void>();
  const made = await started(
    reconciling(async ({ metadata }) => {
      if (metadata.name === "slow") await waiting.promise;
    }),
  );
  await put(made, "slow", "1");
  await made.cluster.clock.advance(500);
  await put(made, "quick", "1");
  await made.cluster.clock.advance(2_000);
  expect(made.drain()).toEqual(["reconcile quick", "reconcile slow"]);
  expect(await made.record("quick")).toMatchObject({ outcome: "success" });
  waiting.resolve();
  await made.settled();
});

test("B39: a run that writes the time each time runs once for each change", async () => {
  const made = await started(
    reconciling((object, apply) =>
      copyTo(apply, object, { time: String(made.cluster.clock.nowMs()) }),
    ),
  );
  await put(made, "x", "1");
  await made.settled();
  await put(made, "x", "2");
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x", "reconcile x"]);
});
