import { expect, test } from "@jest/globals";
import { NO_RECORD } from "../../shared/queue/record.ts";
import { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import { RecordedMetrics } from "../../shared/testing/recorded-metrics.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { Backfill } from "../../watcher/backfill.ts";
import type { PendingEntry } from "../../watcher/pending-entry.ts";
import { recordedLog } from "../support/recorded-log.ts";

const KEY = { cluster: "c", controller: "widgets", namespace: "a", name: "web" };

/** A key that revision r2 ran, and that has changed since. */
function changedKey() {
  const clock = new VirtualClock();
  const store = new MemoryRecordStore();
  store.put(KEY, { ...NO_RECORD, epoch: 1, outcome: "success", finishedAt: 1, revision: "r2" });
  const added: string[] = [];
  const add = ({ key }: PendingEntry) => {
    added.push(key.name);
  };
  const object = { identity: "i", fingerprint: "f", deleting: false, keys: [KEY] };
  const backfill = new Backfill({
    cluster: KEY.cluster,
    controller: { name: KEY.controller, onStart: "changed" },
    sources: {
      ready: true,
      listed: true,
      holds: () => true,
      kinds: () => ({ synced: [], unsynced: [] }),
      cached: () => [object],
    },
    store,
    loop: { add },
    lane: { add: ({ entry }) => add(entry), size: 0 },
    serverNowMs: clock.nowMs,
    clock,
    log: recordedLog().log,
    metrics: new RecordedMetrics(),
  });
  const passed = async () => {
    const stopping = new AbortController();
    const running = backfill.run(stopping.signal);
    await clock.advance(1_000);
    stopping.abort();
    await clock.advance(1_000);
    await running;
    return added;
  };
  backfill.deployed("r1");
  return { backfill, passed };
}

test("a pass for a revision looks for nothing that changed: the live watches tell that", async () => {
  const { backfill, passed } = changedKey();
  backfill.deployed("r2");
  expect(await passed()).toEqual([]);
});

test.each(["start", "late"] as const)(
  "%s and a revision at once: all that changed is looked for",
  async (why) => {
    const { backfill, passed } = changedKey();
    backfill.want(why);
    backfill.deployed("r2");
    expect(await passed()).toEqual(["web"]);
  },
);
