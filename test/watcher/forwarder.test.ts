import { expect, test } from "@jest/globals";
import { noMetrics } from "../../shared/telemetry/metrics.ts";
import { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { ForwardLoop } from "../../watcher/forward-loop.ts";
import { Forwarder } from "../../watcher/forwarder.ts";
import type { PendingEntry } from "../../watcher/pending-entry.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { WatcherQueue } from "../support/watcher-queue.ts";

function entry(name: string): PendingEntry {
  return {
    key: { cluster: "test", controller: "widgets", namespace: "a", name },
    reason: "change",
    objects: new Map(),
    deleted: true,
    waits: 0,
  };
}

function forwarder() {
  const clock = new VirtualClock();
  const queue = new WatcherQueue(clock);
  const made = new Forwarder({
    controller: "widgets",
    store: new MemoryRecordStore(),
    queue,
    clock,
    serverNowMs: clock.nowMs,
    newId: () => "id",
    metrics: noMetrics,
    leading: () => true,
    covered: () => false,
  });
  return { clock, queue, made };
}

const going = () => new AbortController().signal;
const inDoubt = { inDoubt: true };

test("a key that another call is forwarding is busy, whoever asks; the others go", async () => {
  const { queue, made, clock } = forwarder();
  let release = () => {};
  queue.delay = () =>
    new Promise((resolve) => {
      release = resolve;
    });
  const first = made.forward([entry("web")], going(), inDoubt);
  await clock.advance(0);
  queue.delay = async () => {};
  const second = await made.forward([entry("web"), entry("other")], going(), inDoubt);
  expect(second).toEqual([{ kind: "busy" }, { kind: "sent", epoch: 0 }]);
  release();
  expect(await first).toEqual([{ kind: "sent", epoch: 0 }]);
  expect(await made.forward([entry("web")], going(), inDoubt)).toEqual([
    { kind: "sent", epoch: 0 },
  ]);
});

test("nothing is sent once the signal is aborted, and a send on its way is not waited for", async () => {
  const { queue, made, clock } = forwarder();
  const stopping = new AbortController();
  queue.delay = () => new Promise(() => {});
  const first = made.forward([entry("web")], stopping.signal, inDoubt);
  await clock.advance(0);
  stopping.abort();
  expect(await first).toEqual([{ kind: "failed" }]);
  expect(await made.forward([entry("new")], stopping.signal, inDoubt)).toEqual([
    { kind: "stopped" },
  ]);
  expect(queue.sent).toEqual([]);
});

test("no more than 8 batches are on their way at once; what is beyond waits", async () => {
  const { queue, made, clock } = forwarder();
  let sending = 0;
  queue.delay = () => {
    sending += 1;
    return new Promise(() => {});
  };
  const { log } = recordedLog();
  const loop = new ForwardLoop({ controller: "widgets", forwarder: made, clock, log });
  for (let count = 0; count < 900; count += 1) loop.add(entry(`w${count}`));
  const stopping = new AbortController();
  const running = loop.run(stopping.signal);
  await clock.advance(100);
  expect([sending, loop.waiting]).toEqual([8, 100]);
  stopping.abort();
  await clock.advance(0);
  await running;
});
