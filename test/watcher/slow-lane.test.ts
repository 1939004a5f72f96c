import { expect, test } from "@jest/globals";
import { RecordedMetrics } from "../../shared/testing/recorded-metrics.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import type { Fate } from "../../watcher/forwarder.ts";
import type { PendingEntry } from "../../watcher/pending-entry.ts";
import { SlowLane } from "../../watcher/slow-lane.ts";
import { recordedLog } from "../support/recorded-log.ts";

const KEY = { cluster: "c", controller: "widgets", namespace: "a", name: "w" };

function entry(judgedAt: number): PendingEntry {
  const due = () => true;
  return {
    key: KEY,
    reason: "backfill",
    objects: new Map(),
    deleted: false,
    due,
    waits: 0,
    changedAtMs: judgedAt,
  };
}

/** A lane, and which entries it gave to a forwarder that answers so. */
function laneWith(answer: (lane: SlowLane) => Fate) {
  const clock = new VirtualClock();
  const forwarded: (number | undefined)[] = [];
  const lane: SlowLane = new SlowLane({
    controller: "widgets",
    forwarder: {
      forward: (entries) => {
        forwarded.push(...entries.map(({ changedAtMs }) => changedAtMs));
        return Promise.resolve(entries.map(() => answer(lane)));
      },
    },
    store: { read: () => Promise.resolve({ records: new Map(), unread: [] }) },
    clock,
    serverNowMs: () => clock.nowMs(),
    log: recordedLog().log,
    metrics: new RecordedMetrics(),
    mostUnstarted: 8,
    batchSize: 2,
  });
  const runs = async () => {
    const stopping = new AbortController();
    const running = lane.run(stopping.signal);
    await clock.advance(5_000);
    stopping.abort();
    await clock.advance(1_000);
    await running;
  };
  return { lane, forwarded, runs };
}

test("a request that is put back does not take the place of a newer one", async () => {
  let first = true;
  const { lane, forwarded, runs } = laneWith((adding) => {
    if (!first) return { kind: "covered" };
    // A pass adds the key anew while its first request is on its way.
    first = false;
    adding.add({ entry: entry(2) });
    return { kind: "held" };
  });
  lane.add({ entry: entry(1) });
  await runs();
  expect(forwarded).toEqual([1, 2]);
});

test("of two requests of a key that wait the newer one goes", async () => {
  const { lane, forwarded, runs } = laneWith(() => ({ kind: "covered" }));
  lane.add({ entry: entry(1) });
  lane.add({ entry: entry(2) });
  await runs();
  expect(forwarded).toEqual([2]);
});
