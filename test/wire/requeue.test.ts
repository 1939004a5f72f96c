// The worker over real connections, with faults on each of them: what a run meets decides when the next
// one comes. The numbers are those of the design's list of reports.
import { expect, jest, test } from "@jest/globals";
import { TerminalError } from "../../shared/api/result.ts";
import type { Exchange, Fault } from "../support/fault-proxy.ts";
import {
  copies,
  copiesPerTest,
  copying,
  copyOf,
  copyTo,
  next,
  put,
  reconciling,
  THROTTLED,
  UNAVAILABLE,
} from "../support/wire-copies.ts";
import type { WirePlatform } from "../support/wire-platform.ts";

jest.setTimeout(60_000);

const started = copiesPerTest();

/** What the worker asks of the API server: watchers name no objects. */
const ofWorker = ({ path }: Exchange) => path.includes("/configmaps/");

/** Befalls the worker's next requests of the API server. */
function nextOfKube({ cluster }: WirePlatform, ...faults: readonly Fault[]): void {
  const left = [...faults];
  cluster.requests.plan = (exchange) => (ofWorker(exchange) ? left.shift() : undefined);
}

const runsOf = ({ runs }: WirePlatform, name: string) =>
  runs.filter((run) => run === `reconcile ${name}`).length;

test("B13: of four messages of one object in a batch that fails, the first waits and the rest are gone", async () => {
  let fails = true;
  const made = await started(
    reconciling(async () => {
      if (fails) throw new Error("no");
    }),
  );
  made.pause();
  for (let count = 0; count < 3; count += 1) await made.request("x");
  await put(made, "x", "1");
  await made.until(() => made.queued === 4);
  made.resume();
  await made.until(() => runsOf(made, "x") === 1 && made.queued === 1);
  fails = false;
  await made.until(() => runsOf(made, "x") === 2);
  await made.settled();
  expect(runsOf(made, "x")).toBe(2);
});

test("B14, B15: of three objects in a batch the one that fails stays alone, and runs again in the same process", async () => {
  let fails = true;
  const made = await started(
    reconciling(async (object, apply) => {
      if (object.metadata.name === "b" && fails) throw new Error("no");
      await copyTo(apply, object, object.data);
    }),
  );
  made.pause();
  for (const name of ["a", "b", "c"]) await put(made, name, "1");
  await made.until(() => made.queued === 3);
  made.resume();
  await made.until(() => made.queued === 1 && runsOf(made, "b") === 1);
  expect([await copyOf(made, "a"), await copyOf(made, "b"), await copyOf(made, "c")]).toEqual([
    "1",
    undefined,
    "1",
  ]);
  fails = false;
  await made.settled();
  expect(await copyOf(made, "b")).toBe("1");
  expect(runsOf(made, "b")).toBe(2);
});

test.each([429, 503])(
  "B16: an API server that answers %s is asked again after what it says, and nothing is given up",
  async (status) => {
    const made = await started();
    const later: Fault = { kind: "answer", status, headers: { "retry-after": "5" } };
    made.cluster.requests.plan = (exchange) => (ofWorker(exchange) ? later : undefined);
    for (const name of ["a", "b", "c"]) await put(made, name, "1");
    await made.cluster.clock.advance(20_000);
    const asked = made.cluster.requests.seen
      .filter(ofWorker)
      .filter(({ path }) => path.endsWith("/a"));
    const gaps = asked.slice(1).map(({ atMs }, index) => atMs - (asked[index]?.atMs ?? 0));
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.filter((gap) => gap < 5_000)).toEqual([]);
    expect(await made.record("a")).toMatchObject({ outcome: "throttled", failures: 0 });
    made.cluster.requests.plan = () => undefined;
    await made.until(
      async () => (await copyOf(made, "a")) === "1" && (await copyOf(made, "c")) === "1",
    );
    expect(made.deadLetters).toEqual([]);
  },
);

test("B16: a table that throttles for 20 s costs runs, not requests", async () => {
  const made = await started();
  made.workerTable.plan = () => THROTTLED;
  for (const name of ["a", "b", "c"]) await put(made, name, "1");
  await made.cluster.clock.advance(10_000);
  expect(made.runs).toEqual([]);
  made.workerTable.plan = () => undefined;
  await made.until(
    async () => (await copyOf(made, "a")) === "1" && (await copyOf(made, "c")) === "1",
  );
  expect(made.deadLetters).toEqual([]);
});

test("B16: 100 objects at once, two at a time, over a table that refuses every third call, all run and none is given up", async () => {
  const made = await started(copying, copies({ maxConcurrentReconciles: 2 }));
  let calls = 0;
  made.workerTable.plan = () => {
    calls += 1;
    return calls % 3 === 0 ? UNAVAILABLE : undefined;
  };
  const names = Array.from({ length: 100 }, (_, index) => `x${index}`);
  for (const name of names) await put(made, name, "1");
  await made.settled();
  expect(new Set(made.drain())).toEqual(new Set(names.map((name) => `reconcile ${name}`)));
  expect(made.deadLetters).toEqual([]);
});

test("B17: a run that nears its deadline runs alone, though the queue refused to hide its message for longer", async () => {
  const made = await started(
    reconciling(async (object, apply) => {
      await made.cluster.clock.sleep(7_000);
      await copyTo(apply, object, object.data);
    }),
  );
  made.workerQueue.plan = () => UNAVAILABLE;
  await put(made, "x", "1");
  await made.until(() => runsOf(made, "x") === 1);
  await put(made, "x", "2");
  made.workerQueue.plan = () => undefined;
  await made.until(async () => (await copyOf(made, "x")) === "2");
  await made.settled();
});

test("B17: a run that does not end is given up before its deadline, and the next one waits for its lock", async () => {
  let hangs = true;
  const made = await started(
    reconciling(async (object, apply) => {
      if (hangs) return new Promise(() => {});
      await copyTo(apply, object, object.data);
    }),
  );
  await put(made, "x", "1");
  await made.until(() => made.exits === 1, 15_000);
  const { runUntil = 0 } = await made.record("x");
  expect(runUntil).toBeGreaterThan(made.cluster.clock.nowMs());
  hangs = false;
  made.forgetRuns(); // They ended with the process.
  await made.until(() => made.runs.length === 2);
  expect(made.cluster.clock.nowMs()).toBeGreaterThanOrEqual(runUntil);
  await made.settled();
  expect(await copyOf(made, "x")).toBe("1");
});

test("B17: messages that come a second time while their run goes on start no other one", async () => {
  const waiting = Promise.withResolvers<void>();
  const made = await started(
    reconciling(async (object, apply) => {
      await waiting.promise;
      await copyTo(apply, object, object.data);
    }),
  );
  made.workerQueue.plan = () => UNAVAILABLE; // So it hears nothing of those who receive.
  await put(made, "x", "1");
  await made.until(() => runsOf(made, "x") === 1);
  const starts = () => made.workerTable.of("UpdateItem").length;
  const before = starts();
  made.sqs.core.giveBackUnheard();
  await made.until(() => starts() > before);
  await made.cluster.clock.advance(2_000); // A run that was begun would have been noted.
  expect(runsOf(made, "x")).toBe(1);
  made.workerQueue.plan = () => undefined;
  waiting.resolve();
  await made.until(async () => (await copyOf(made, "x")) === "1");
  await made.settled();
});

test.each([
  ["is refused", UNAVAILABLE],
  ["is not answered", { kind: "lose" }],
  ["meets a reset", { kind: "reset" }],
] as const)(
  "Q2, Q5: where a start or an end %s once or five times, the object runs in the end",
  async (_, fault) => {
    const made = await started();
    next(made.workerTable, "UpdateItem", fault);
    await put(made, "x", "1");
    await made.settled();
    expect(await copyOf(made, "x")).toBe("1");
    expect(runsOf(made, "x")).toBe(1);
    next(made.workerTable, "UpdateItem", ...Array(5).fill(fault));
    await put(made, "x", "2");
    await made.until(async () => (await copyOf(made, "x")) === "2");
    await made.settled();
    expect(await made.record("x")).toMatchObject({ outcome: "success", failures: 0 });
  },
);

test("a start and an end that are carried out twice are one run", async () => {
  const made = await started();
  made.workerTable.plan = () => ({ kind: "twice" });
  await put(made, "x", "1");
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x"]);
  expect(await made.record("x")).toMatchObject({ outcome: "success", failures: 0 });
});

test("B53: the Event of a run that fails for good is taken at once, for its time has six digits of a second", async () => {
  const made = await started(
    reconciling(async () => {
      throw new TerminalError("no such size");
    }),
  );
  await put(made, "x", "1");
  await made.settled();
  const events = made.cluster.requests.seen.filter(({ path }) => path.endsWith("/events"));
  const bodies = events.map(({ body }) => JSON.parse(body) as { eventTime: string });
  expect(bodies.map(({ eventTime }) => eventTime)).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  ]);
  expect(made.metrics.of("EventFailures", { controller: "copy" })).toEqual([]);
});

test.each([
  ["breaks off in its body", { kind: "cut", afterBytes: 50 }],
  ["is a 500", { kind: "answer", status: 500 }],
  ["never comes", { kind: "lose" }],
] as const)("an answer of the API server that %s is an error with a backoff", async (_, fault) => {
  const made = await started();
  nextOfKube(made, fault, fault, fault, fault);
  await put(made, "x", "1");
  await made.until(async () => (await made.record("x")).outcome === "error");
  await made.until(async () => (await copyOf(made, "x")) === "1");
  await made.settled();
  expect(await made.record("x")).toMatchObject({ outcome: "success", failures: 0 });
});

test("an API server that says nothing costs one run its time, and then the object runs", async () => {
  const made = await started(copying);
  nextOfKube(made, { kind: "silence" });
  await put(made, "x", "1");
  await made.until(async () => (await copyOf(made, "x")) === "1");
  await made.settled();
  expect(await made.record("x")).toMatchObject({ outcome: "success", failures: 0 });
});

test("acknowledgements that are lost or refused cost another look, and no run", async () => {
  const made = await started();
  made.workerQueue.plan = ({ action }) =>
    action.startsWith("Delete") || action.startsWith("Change") ? { kind: "lose" } : undefined;
  for (const name of ["a", "b", "c"]) await put(made, name, "1");
  await made.until(() => made.runs.length >= 3);
  made.workerQueue.plan = () => undefined;
  await made.settled();
  expect(new Set(made.drain())).toEqual(new Set(["reconcile a", "reconcile b", "reconcile c"]));
});
