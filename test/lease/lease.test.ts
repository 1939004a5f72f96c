import { expect, test } from "@jest/globals";
import { idle } from "../../shared/testing/virtual-clock.ts";
import { Platform, untilAborted } from "./platform.ts";

const CUT = { happens: false, answer: "error" } as const;
const SILENT = { happens: false, answer: "silence" } as const;

test("the first process leads at once, on a fresh item of term 1", async () => {
  const platform = new Platform();
  platform.start("a");
  await platform.clock.advance(0);
  expect(platform.leading).toEqual(["a"]);
  expect(platform.store.record).toEqual({
    holder: "a",
    version: "a-1",
    durationMs: 15_000,
    term: 1,
    clusterUid: "uid-1",
  });
});

test("a standby never leads while the leader renews, and each renewal has a new version", async () => {
  const platform = new Platform();
  platform.start("a");
  await platform.clock.advance(0);
  platform.start("b");
  const versions = new Set<string | undefined>();
  for (let minute = 0; minute < 60; minute += 1) {
    await platform.clock.advance(60_000);
    versions.add(platform.store.record?.version);
  }
  expect(platform.history).toEqual(["0 a leads"]);
  expect(versions.size).toBe(60);
});

test.each([["answers errors", CUT] as const, ["hangs", SILENT] as const])(
  "a leader whose store %s stops 10 s after its last renewal, and a standby leads 15 s after it",
  async (_how, fault) => {
    const platform = new Platform();
    let cut = false;
    platform.start("a", { store: platform.connection(() => (cut ? fault : undefined)) });
    await platform.clock.advance(0);
    platform.start("b");
    await platform.clock.advance(5_000); // Renewals were sent at 2 s and at 4 s.
    cut = true;
    await platform.clock.advance(8_999);
    expect(platform.leading).toEqual(["a"]);
    await platform.clock.advance(1);
    expect(platform.leading).toEqual([]);
    await platform.clock.advance(4_999);
    expect(platform.leading).toEqual([]);
    await platform.clock.advance(2_001);
    expect(platform.leading).toEqual(["b"]);
    expect(platform.store.record?.term).toBe(2);
    expect(platform.overlaps).toEqual([]);
  },
);

test("the renew deadline counts from before the last renewal was sent, not from its answer", async () => {
  const platform = new Platform();
  const slow = { happens: true, answer: "truth", answerDelayMs: 4_500 } as const;
  const faults = [undefined, undefined, slow]; // The renewal at 2 s is answered at 6.5 s.
  const fault = () => (faults.length > 0 ? faults.shift() : CUT);
  platform.start("a", { store: platform.connection(fault) });
  await platform.clock.advance(11_999);
  expect(platform.leading).toEqual(["a"]);
  await platform.clock.advance(1);
  expect(platform.leading).toEqual([]);
});

test("a claim whose answer takes longer than half the renew deadline does not count", async () => {
  const platform = new Platform();
  const faults = [undefined, { happens: true, answer: "truth", answerDelayMs: 5_500 } as const];
  platform.start("a", { store: platform.connection(() => faults.shift()) });
  await platform.clock.advance(10_000);
  expect(platform.history).toEqual(["7 a leads"]); // By the next read, and a claim of its own.
});

test("one failed renewal changes nothing", async () => {
  const platform = new Platform();
  const faults = [undefined, undefined, CUT, undefined, CUT, CUT];
  const a = platform.start("a", { store: platform.connection(() => faults.shift()) });
  await platform.clock.advance(60_000);
  expect(platform.history).toEqual(["0 a leads"]);
  expect(a.counted.get("LeaseFailures")).toBe(3);
});

test("a renewal that happened but was answered by an error is found by the next read", async () => {
  const platform = new Platform();
  const faults = [undefined, undefined, { happens: true, answer: "error" } as const];
  platform.start("a", { store: platform.connection(() => faults.shift()) });
  await platform.clock.advance(60_000);
  expect(platform.history).toEqual(["0 a leads"]);
});

test("a renewal that the client repeated, and so is told false, does not end the term", async () => {
  const platform = new Platform();
  let lie = false;
  const store = {
    read: platform.store.read,
    write: async (...write: Parameters<typeof platform.store.write>) =>
      (await platform.store.write(...write)) && !lie,
  };
  platform.start("a", { store });
  await platform.clock.advance(1_000);
  lie = true;
  await platform.clock.advance(1_000); // The renewal, and the one after the read, are both told false.
  lie = false;
  await platform.clock.advance(60_000);
  expect(platform.store.record?.term).toBe(1);
  expect(platform.leading).toEqual(["a"]);
});

test("a process that stops gives the lease back, and a standby leads at its next look", async () => {
  const platform = new Platform();
  const a = platform.start("a");
  await platform.clock.advance(0);
  platform.start("b");
  await platform.clock.advance(5_000);
  a.stop();
  await idle();
  await a.ended;
  expect(platform.store.record?.holder).toBe("");
  expect(a.lease.held).toBe(false);
  await platform.clock.advance(2_400);
  expect(platform.leading).toEqual(["b"]);
  expect([a.terms, platform.replicas.get("b")?.terms]).toEqual([[1], [2]]);
});

test("the lease is given back only after what led has ended", async () => {
  const platform = new Platform();
  const slow = async (signal: AbortSignal) => {
    await untilAborted(signal);
    await platform.clock.sleep(3_000);
  };
  const a = platform.start("a", { lead: slow });
  await platform.clock.advance(1_000);
  a.stop();
  await platform.clock.advance(2_900);
  expect(platform.store.record?.holder).toBe("a");
  await platform.clock.advance(100);
  await a.ended;
  expect(platform.store.record?.holder).toBe("");
});

test("giving back takes at most 2 s where the store hangs", async () => {
  const platform = new Platform();
  let cut = false;
  const a = platform.start("a", { store: platform.connection(() => (cut ? SILENT : undefined)) });
  await platform.clock.advance(1_000);
  cut = true;
  a.stop();
  await platform.clock.advance(2_000);
  await a.ended;
  expect(a.logged.at(-1)).toBe(
    "warn could not release the lease, a standby waits until it expires",
  );
});

test("a process that stops while its first claim is on its way gives back what it may have got", async () => {
  const platform = new Platform();
  const faults = [undefined, { happens: true, answer: "silence" } as const];
  const a = platform.start("a", { store: platform.connection(() => faults.shift()) });
  await platform.clock.advance(1_000);
  expect(platform.store.record?.holder).toBe("a");
  a.stop();
  await idle();
  await a.ended;
  expect([platform.store.record?.holder, platform.history]).toEqual(["", []]);
});

test("the process exits when what led does not stop before the lease ends, and never leads twice", async () => {
  const platform = new Platform();
  let cut = false;
  const store = platform.connection(() => (cut ? CUT : undefined));
  const a = platform.start("a", { store, lead: () => new Promise(() => {}) });
  await platform.clock.advance(1_000);
  cut = true;
  await platform.clock.advance(13_999);
  expect(a.exits).toBe(0);
  await platform.clock.advance(1);
  expect(a.exits).toBe(1);
  cut = false;
  await platform.clock.advance(60_000);
  expect(a.terms).toEqual([1]);
});

test("a lease whose leader never ends is not given back", async () => {
  const platform = new Platform();
  const a = platform.start("a", { lead: () => new Promise(() => {}) });
  await platform.clock.advance(1_000);
  a.stop();
  await platform.clock.advance(20_000);
  expect([a.exits, platform.store.record?.holder]).toEqual([1, "a"]);
});

test("rejects with the error of what led, after giving the lease back", async () => {
  const platform = new Platform();
  const a = platform.start("a", { lead: () => Promise.reject(new Error("no sources")) });
  await platform.clock.advance(0);
  await expect(a.ended).rejects.toThrow("no sources");
  expect(platform.store.record?.holder).toBe("");
});

test("where what led just ends, the lease is given back and tried for again", async () => {
  const platform = new Platform();
  const a = platform.start("a", { lead: () => platform.clock.sleep(10_000) });
  await platform.clock.advance(25_000);
  expect(platform.history).toEqual([
    "0 a leads",
    "10 a stops",
    "12 a leads",
    "22 a stops",
    "24 a leads",
  ]);
  expect(a.terms).toEqual([1, 2, 3]);
});

test("an item deleted by hand ends the term, and one duration passes before anybody leads", async () => {
  const platform = new Platform();
  platform.start("a");
  await platform.clock.advance(0);
  platform.start("b");
  await platform.clock.advance(5_000);
  platform.store.record = undefined;
  await platform.clock.advance(30_000);
  expect(platform.history.slice(0, 2)).toEqual(["0 a leads", "6 a stops"]);
  expect(platform.leading).toHaveLength(1);
  expect(platform.overlaps).toEqual([]);
  expect(platform.store.record).toMatchObject({ term: 2 });
});

test("refuses the lease of another cluster of the same name, and says so once", async () => {
  const platform = new Platform();
  platform.start("a");
  await platform.clock.advance(0);
  const b = platform.start("b", { clusterUid: "uid-2" });
  platform.replicas.get("a")?.stop();
  await platform.clock.advance(60_000);
  expect(b.terms).toEqual([]);
  expect(b.logged).toEqual([expect.stringMatching(/^error the lease belongs to another cluster/)]);
  expect(b.counted.get("LeaseRefused")).toBeGreaterThan(20);
});

test("of many standbys one leads", async () => {
  const platform = new Platform();
  const a = platform.start("a");
  await platform.clock.advance(0);
  for (const name of ["b", "c", "d", "e"]) platform.start(name);
  await platform.clock.advance(5_000);
  a.stop();
  await platform.clock.advance(20_000);
  expect(platform.leading).toHaveLength(1);
  expect(platform.overlaps).toEqual([]);
});

test("fails when the times would let two lead, or leave no room for a retry", async () => {
  const { Lease } = await import("../../shared/lease/lease.ts");
  const make = (times: object) => () => new Lease({ holder: "a", times } as never);
  expect(make({ durationMs: 10_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 })).toThrow(
    "expected duration > renew deadline, got 10000, 10000 and 2000 ms",
  );
  expect(make({ durationMs: 15_000, renewDeadlineMs: 4_000, retryPeriodMs: 2_000 })).toThrow(
    "expected room for two retries before the renew deadline",
  );
});

test("L4: a leader whose every write is answered to its repetition only leads on, in one term", async () => {
  const platform = new Platform();
  let repeated = false;
  const fault = () => (repeated ? ({ happens: true, answer: "repeated" } as const) : undefined);
  platform.start("a", { store: platform.connection(fault) });
  await platform.clock.advance(0);
  platform.start("b");
  repeated = true;
  await platform.clock.advance(60_000);
  expect(platform.history).toEqual(["0 a leads"]);
});

test("L4: so it begins to lead, too", async () => {
  const platform = new Platform();
  platform.start("a", {
    store: platform.connection(() => ({ happens: true, answer: "repeated" })),
  });
  await platform.clock.advance(10_000);
  expect(platform.leading).toEqual(["a"]);
});
