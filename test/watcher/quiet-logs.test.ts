import { expect, test } from "@jest/globals";
import type { Logger } from "../../shared/api/log.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { outage } from "../../watcher/outage.ts";
import { repeatsOnce } from "../../watcher/repeats-once.ts";
import { sparseLog } from "../../watcher/sparse-log.ts";

function recorded() {
  const lines: string[] = [];
  const at =
    (level: string): Logger["info"] =>
    (message, fields = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const log = { debug: () => {}, info: at("info"), warn: at("warn"), error: at("error") };
  return { lines, log, clock: new VirtualClock() };
}

test("a warning that repeats is written once, until it says something else or all was well", async () => {
  const { lines, log, clock } = recorded();
  const quiet = repeatsOnce(log, clock);
  const warn = async (error: string) => {
    quiet.warn("cannot reach it", { error });
    await clock.advance(60_000);
  };
  for (let count = 0; count < 100; count += 1) await warn("refused");
  await warn("timeout");
  quiet.info("reached");
  await warn("timeout");
  await clock.advance(600_000);
  await warn("timeout");
  const timeout = 'warn cannot reach it {"error":"timeout"}';
  expect(lines).toEqual([
    'warn cannot reach it {"error":"refused"}',
    timeout,
    "info reached {}",
    timeout,
    timeout,
  ]);
});

test("of a message that comes in masses five lines a minute are written, and how many were not", async () => {
  const { lines, log, clock } = recorded();
  const sparse = sparseLog(log, clock);
  for (let name = 0; name < 1_000; name += 1) sparse.error("not accepted", { name });
  await clock.advance(60_000);
  sparse.error("not accepted", { name: "last" });
  expect(lines).toHaveLength(6);
  expect(lines[5]).toBe('error not accepted {"name":"last","omitted":995}');
});

test("work that fails is reported when it begins to fail and when it is over", async () => {
  const { lines, log, clock } = recorded();
  const reported = outage({ what: "timers", log, clock });
  reported.over();
  for (let count = 0; count < 10; count += 1) {
    reported.failed("no table");
    await clock.advance(1_000);
  }
  reported.over();
  reported.over();
  expect(lines).toEqual([
    'error work of the watcher fails; it is tried again until it succeeds {"what":"timers","error":"no table"}',
    'info work of the watcher succeeds again {"what":"timers","seconds":10}',
  ]);
});
