import { expect, test } from "@jest/globals";
import { defineController } from "../../shared/api/controller.ts";
import { NO_RECORD, type Outcome } from "../../shared/queue/record.ts";
import { RevisionGuard } from "../../watcher/revision-guard.ts";
import { Widget, widget } from "../support/watcher-objects.ts";
import { CLUSTER, type WatcherStage, watcherStage } from "../support/watcher-stage.ts";

/** So many widgets, each reconciled by revision r1, and a watcher that leads. */
async function deployed(count: number) {
  const made = watcherStage(
    defineController({ name: "widgets", for: Widget, maxConcurrentReconciles: 4 }),
  );
  made.cluster.serve(Widget);
  for (let number = 0; number < count; number += 1) {
    made.cluster.apply(widget(`w${number}`));
    await made.ran({ namespace: "a", name: `w${number}` });
  }
  await made.store.putRevision(CLUSTER, "widgets", "r1");
  return { ...made, ...(await startReading(made)) };
}

/** The watcher reads the revisions from the table. */
function startReading(made: WatcherStage) {
  return made.start({ revisions: undefined });
}

/** Runs what is queued once, as the function would, and forgets it. */
async function work(
  stage: WatcherStage,
  revision: string,
  outcome: (name: string) => Outcome = () => "success",
) {
  const sent = stage.queue.sent.splice(0);
  for (const { request, swallowed } of sent) {
    if (!swallowed) await stage.ran(request, { revision, outcome: outcome(request.name) });
  }
  return sent.length;
}

test("a new revision runs every key, no faster than runs start", async () => {
  const stage = await deployed(30);
  expect(stage.queue.sent).toEqual([]);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  await stage.clock.advance(12_000);
  // 2 x 4 may wait unstarted, and a batch of 2 goes each second in any case.
  expect(stage.queue.sent.length).toBeGreaterThanOrEqual(8);
  expect(stage.queue.sent.length).toBeLessThanOrEqual(8 + 2 * 12);
  for (let second = 0; second < 10; second += 1) {
    await work(stage, "r2");
    await stage.clock.advance(1_000);
  }
  const revisions = Array.from(
    { length: 30 },
    (_, number) => stage.store.record(stage.key({ namespace: "a", name: `w${number}` }))?.revision,
  );
  expect(new Set(revisions)).toEqual(new Set(["r2"]));
  await stage.stop();
});

test("nothing starts: a batch goes each second all the same", async () => {
  const stage = await deployed(40);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  await stage.clock.advance(10_000);
  const before = stage.queue.sent.length;
  await stage.clock.advance(5_000);
  expect(stage.queue.sent.length - before).toBe(10);
  await stage.stop();
});

test("the backfill of a revision repeats until a pass finds no key that old code ran last", async () => {
  const stage = await deployed(3);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  await stage.clock.advance(12_000);
  // An environment of the old code was still alive.
  expect(await work(stage, "r1")).toBe(3);
  await stage.clock.advance(30_000);
  expect(await work(stage, "r2")).toBe(3);
  await stage.clock.advance(600_000);
  expect(stage.queue.sent).toEqual([]);
  await stage.stop();
});

test("what old code is at work on when the pass repeats is run by the new code once that has ended", async () => {
  const stage = await deployed(1);
  const w0 = { namespace: "a", name: "w0" };
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  await stage.clock.advance(12_000);
  expect(await work(stage, "r1")).toBe(1);
  await stage.running(w0);
  await stage.clock.advance(40_000);
  expect(stage.queue.sent).toEqual([]);
  const { epoch } = stage.store.record(stage.key(w0)) ?? NO_RECORD;
  const finishedAt = stage.clock.nowMs();
  const end = { epoch, outcome: "success", failures: 0, finishedAt, revision: "r1" } as const;
  await stage.store.end(stage.key(w0), end);
  await stage.clock.advance(5_000);
  expect(stage.queue.drain()).toEqual(["a/w0 backfill"]);
  await stage.stop();
});

test("what old code ran first after the pass is run by the new code once the old can live no more", async () => {
  const stage = await deployed(0);
  stage.cluster.apply(widget("fresh"));
  await stage.clock.advance(200);
  const [asked] = stage.queue.sent.splice(0);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  await stage.clock.advance(12_000);
  // The pass asked for a key that never ran: by the id of the request that old code holds.
  expect(stage.queue.sent.splice(0).every(({ swallowed }) => swallowed)).toBe(true);
  await stage.ran(asked?.request ?? { namespace: "", name: "" }, { revision: "r1" });
  await stage.clock.advance(930_000);
  expect(stage.queue.sent).toEqual([]);
  await stage.clock.advance(30_000);
  expect(await work(stage, "r2")).toBe(1);
  await stage.clock.advance(1_800_000);
  expect(stage.queue.sent).toEqual([]);
  await stage.stop();
});

test("a request whose run does not start is given up after 15 min, and asked for anew", async () => {
  const stage = await deployed(1);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  await stage.clock.advance(890_000);
  expect(stage.queue.drain()).toEqual(["a/w0 backfill"]);
  await stage.clock.advance(600_000);
  expect(stage.queue.drain()).toEqual(["a/w0 backfill"]);
  await stage.stop();
});

test("what ran meanwhile leaves the slow lane", async () => {
  const stage = await deployed(30);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  await stage.clock.advance(10_000);
  const sent = stage.queue.sent.length;
  for (let number = 0; number < 30; number += 1) {
    await stage.ran({ namespace: "a", name: `w${number}` }, { revision: "r2" });
  }
  await stage.clock.advance(15_000);
  expect(sent).toBeLessThan(30);
  expect(stage.metrics.of("SlowRequests", { controller: "widgets" })).toEqual([0]);
  await stage.stop();
});

test("only the first 20 runs of a revision judge it", () => {
  const guard = new RevisionGuard("r2");
  for (let run = 0; run < 20; run += 1) guard.note(run % 3 === 0);
  for (let run = 0; run < 20; run += 1) guard.note(true);
  expect(guard.tripped).toBe(false);
});

test("a function that stays old is not run without end: the passes get rarer", async () => {
  const stage = await deployed(1);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  let runs = 0;
  for (let minute = 0; minute < 60; minute += 1) {
    await stage.clock.advance(60_000);
    runs += await work(stage, "r1");
  }
  expect(runs).toBeGreaterThan(5);
  expect(runs).toBeLessThan(12);
  await stage.stop();
});

test("a new revision is stopped and alarms when 10 of its first 20 runs fail", async () => {
  const stage = await deployed(60);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  await stage.clock.advance(10_000);
  let runs = 0;
  for (let second = 0; second < 30; second += 1) {
    runs += await work(stage, "r2", () => "error");
    await stage.clock.advance(1_000);
  }
  expect(runs).toBeLessThan(40);
  expect(stage.metrics.of("RevisionStopped", { controller: "widgets" })).toEqual([1]);
  expect(stage.log.filter(({ level }) => level === "error")).toMatchObject([
    { message: expect.stringContaining("10 of the first 20 runs"), fields: { revision: "r2" } },
  ]);
  // Live changes go on, and so does the next revision.
  stage.cluster.apply(widget("w59", { size: 2 }));
  await stage.clock.advance(200);
  expect(stage.queue.drain()).toEqual(["a/w59 change"]);
  await stage.store.putRevision(CLUSTER, "widgets", "r3");
  await stage.clock.advance(12_000);
  expect(stage.metrics.of("RevisionStopped", { controller: "widgets" })).toEqual([0]);
  expect(stage.queue.sent.length).toBeGreaterThan(0);
  await stage.stop();
});

test("runs that die count as failed", async () => {
  const stage = await deployed(60);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  for (let second = 0; second < 60; second += 1) {
    await stage.clock.advance(1_000);
    for (const { request } of stage.queue.sent.splice(0)) {
      await stage.running(request, stage.clock.nowMs() + 500);
    }
  }
  expect(stage.metrics.of("RevisionStopped", { controller: "widgets" })).toEqual([1]);
  await stage.stop();
});

test("a few failures do not stop a revision", async () => {
  const stage = await deployed(60);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  for (let second = 0; second < 60; second += 1) {
    await stage.clock.advance(1_000);
    await work(stage, "r2", (name) => (name.endsWith("1") ? "error" : "success"));
  }
  expect(stage.metrics.of("RevisionStopped", { controller: "widgets" })).toEqual([0]);
  await stage.stop();
});

test("a start with the revision of the last runs requests nothing, another one all keys", async () => {
  const stage = await deployed(3);
  await stage.stop();
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  const { stop } = await startReading(stage);
  await stage.clock.advance(5_000);
  expect([...stage.queue.drain()].sort()).toEqual([
    "a/w0 backfill",
    "a/w1 backfill",
    "a/w2 backfill",
  ]);
  await stop();
});

test("a key whose last run died is requested at a start with another revision, too", async () => {
  const stage = await deployed(2);
  await stage.stop();
  await stage.running({ namespace: "a", name: "w0" }, stage.clock.nowMs() - 1);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  const { stop } = await startReading(stage);
  await stage.clock.advance(5_000);
  expect([...stage.queue.drain()].sort()).toEqual(["a/w0 backfill", "a/w1 backfill"]);
  await stop();
});

test("the next revision runs a key whose run died and is not tried again, whichever code that was", async () => {
  const stage = await deployed(2);
  const [died, back] = [
    { namespace: "a", name: "w0" },
    { namespace: "a", name: "w1" },
  ];
  await stage.running(died, stage.clock.nowMs() - 1);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  for (let second = 0; second < 40; second += 1) {
    await stage.clock.advance(1_000);
    await work(stage, "r2");
  }
  expect(stage.store.record(stage.key(died))).toMatchObject({ revision: "r2" });
  // A run of r2 dies, and r1 comes back, which made the last run before r2.
  stage.patch(back, { revision: "r1", runId: "dead", runUntil: 1 });
  await stage.store.putRevision(CLUSTER, "widgets", "r1");
  await stage.clock.advance(12_000);
  expect([...stage.queue.drain()].sort()).toEqual(["a/w0 backfill", "a/w1 backfill"]);
  await stage.stop();
});

test("a key that dies of a new revision is not requested again and again", async () => {
  const stage = await deployed(1);
  await stage.store.putRevision(CLUSTER, "widgets", "r2");
  const requests: string[] = [];
  for (let second = 0; second < 600; second += 1) {
    await stage.clock.advance(1_000);
    for (const { request } of stage.queue.sent.splice(0)) {
      requests.push(request.name);
      await stage.running(request, stage.clock.nowMs() + 500);
    }
  }
  expect(requests).toEqual(["w0"]);
  await stage.stop();
});

test("revisions that cannot be read delay the backfill, not live changes", async () => {
  const stage = await deployed(2);
  await stage.stop();
  const revisions = stage.store.revisions;
  stage.store.revisions = () => Promise.reject(new Error("no table"));
  stage.cluster.apply(widget("w0", { size: 2 }));
  const { stop } = await startReading(stage);
  await stage.clock.advance(10_000);
  expect(stage.queue.drain()).toEqual([]);
  stage.cluster.apply(widget("w1", { size: 2 }));
  await stage.clock.advance(200);
  expect(stage.queue.drain()).toEqual(["a/w1 change"]);
  stage.store.revisions = revisions;
  await stage.clock.advance(5_000);
  expect(stage.queue.sent.map(({ request }) => request.name)).toContain("w0");
  await stop();
});
