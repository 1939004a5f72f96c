import { expect, test } from "@jest/globals";
import { NO_RECORD } from "../../shared/queue/record.ts";
import { RecordedMetrics } from "../../shared/testing/recorded-metrics.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import type { Fate } from "../../watcher/forwarder.ts";
import type { PendingEntry } from "../../watcher/pending-entry.ts";
import { RevisionGuard } from "../../watcher/revision-guard.ts";
import { SlowLane } from "../../watcher/slow-lane.ts";
import { recordedLog } from "../support/recorded-log.ts";

const KEY = { cluster: "c", controller: "widgets", namespace: "a", name: "w" };

const change: PendingEntry = {
  key: KEY,
  reason: "change",
  objects: new Map(),
  deleted: false,
  waits: 0,
};

/** Asked for by a pass that read a record of this epoch, and due only as long as that stands. */
function judgedAt(epoch: number): PendingEntry {
  return { ...change, reason: "backfill", due: (record) => record.epoch === epoch };
}

/** At which epochs of the record an entry would be sent. */
function dueAt({ due = () => true }: PendingEntry): readonly number[] {
  return [1, 2, 3].filter((epoch) => due({ ...NO_RECORD, epoch }));
}

/** A lane, and when the entries were due that it gave to a forwarder that answers so. */
function laneWith(answer: (lane: SlowLane) => Fate) {
  const clock = new VirtualClock();
  const forwarded: (readonly number[])[] = [];
  const lane: SlowLane = new SlowLane({
    controller: "widgets",
    forwarder: {
      forward: (entries) => {
        forwarded.push(...entries.map(dueAt));
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

test("a request that is put back asks with the one that came meanwhile", async () => {
  let first = true;
  const { lane, forwarded, runs } = laneWith((adding) => {
    if (!first) return { kind: "covered" };
    // A pass adds the key anew while its first request is on its way.
    first = false;
    adding.add({ entry: judgedAt(2) });
    return { kind: "held" };
  });
  lane.add({ entry: judgedAt(1) });
  await runs();
  expect(forwarded).toEqual([[1], [1, 2]]);
});

test.each([
  ["the record as either judged it is enough", judgedAt(1), judgedAt(2), [1, 2]],
  ["whichever was read first", judgedAt(2), judgedAt(1), [1, 2]],
  ["what a change asks for goes in any case", change, judgedAt(2), [1, 2, 3]],
  ["and whichever came first", judgedAt(2), change, [1, 2, 3]],
])("of two requests of a key that wait none is lost: %s", async (_, first, second, due) => {
  const { lane, forwarded, runs } = laneWith(() => ({ kind: "covered" }));
  lane.add({ entry: first });
  lane.add({ entry: second });
  await runs();
  expect(forwarded).toEqual([due]);
});

test("what a change asks for goes also where a revision is stopped", async () => {
  const { lane, forwarded, runs } = laneWith(() => ({ kind: "covered" }));
  const guard = new RevisionGuard("r2");
  for (let run = 0; run < 10; run += 1) guard.note(true);
  const stopped = { ...KEY, name: "stopped" };
  lane.add({ entry: { ...judgedAt(2), key: stopped }, guard });
  lane.add({ entry: { ...judgedAt(3), key: stopped } });
  lane.add({ entry: judgedAt(2), guard });
  lane.add({ entry: change });
  await runs();
  expect(forwarded).toEqual([[1, 2, 3]]);
});
