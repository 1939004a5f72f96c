import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { JournalOptions } from "../../local/journal.ts";
import { ObjectJournal } from "../../local/kube/object-journal.ts";
import type { MemoryObjectStore } from "../../local/kube/object-store.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { CONFIG_MAPS, configMap, memoryStore, put, remove } from "./kube-store-fixtures.ts";
import { recordingLog } from "./sqs-fixtures.ts";

let dir = "";
let stores: MemoryObjectStore[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kube-store-"));
});
afterEach(() => {
  for (const store of stores) store.close();
  stores = [];
  rmSync(dir, { recursive: true });
});

test("objects and the version are there again after a restart, and history is forgotten", () => {
  const before = open();
  put(before, configMap("a", { data: { x: "ä\n" } }));
  put(before, configMap("b"));
  remove(before, "b");

  const after = open();
  expect(after.list(CONFIG_MAPS, "")).toEqual(before.list(CONFIG_MAPS, ""));
  expect(after.version).toBe(4);
  expect(after.since(CONFIG_MAPS, 3)).toBeUndefined();
  expect(after.since(CONFIG_MAPS, 4)).toEqual([]);
  expect(put(after, configMap("c"))?.version).toBe(5);
});

test.each([1, 30, 200])(
  "a last line that lacks %d bytes is cut off, and versions that may be lost are not given again",
  (bytes) => {
    const before = open();
    put(before, configMap("a"));
    put(before, configMap("b"));
    truncateSync(file(), statSync(file()).size - bytes);

    const log = recordingLog();
    const after = open({ log });
    expect(log.lines).toEqual(["kube journal ended in a torn line, which is cut off"]);
    expect(names(after)).toEqual(["a"]);
    expect(put(after, configMap("c"))?.version).toBe(1_003);
    expect(after.since(CONFIG_MAPS, 3)).toBeUndefined();
    const again = open();
    expect(names(again)).toEqual(["a", "c"]);
    expect(again.version).toBe(1_003);
  },
);

test("rejects a journal of another version", () => {
  writeFileSync(file(), '{"kubeJournal":2}\n');
  expect(() => open()).toThrow(/cannot read the objects of .*: expected a journal of version 1/);
});

test("a write fails while the disk is full and has no effect, now and after a restart", () => {
  let full = false;
  const write: JournalOptions["write"] = (fd, bytes, offset) => {
    if (!full) return writeSync(fd, bytes, offset);
    if (offset > 0) throw new Error("ENOSPC: no space left on device");
    return writeSync(fd, bytes, 0, Math.ceil(bytes.length / 2));
  };
  const store = open({ write });
  const told: number[] = [];
  store.subscribe(CONFIG_MAPS, ({ version }) => told.push(version));
  put(store, configMap("a"));
  full = true;
  expect(() => put(store, configMap("b"))).toThrow("ENOSPC");
  expect(() => remove(store, "a")).toThrow("ENOSPC");
  full = false;
  put(store, configMap("c"));
  for (const each of [store, open()]) expect(names(each)).toEqual(["a", "c"]);
  expect(told).toEqual([2, store.version]);
});

test("a journal that has grown is compacted, and the version stays", () => {
  const before = open({ compactBytes: 10_000 });
  put(before, configMap("stays"));
  for (let n = 0; n < 300; n += 1) put(before, configMap("changes", { data: { n: String(n) } }));
  remove(before, "changes");
  expect(statSync(file()).size).toBeLessThan(20_000);
  const after = open();
  expect(names(after)).toEqual(["stays"]);
  expect(after.version).toBe(before.version);
});

test("a version is not lost by a compaction after which no object has it", () => {
  const before = open({ compactBytes: 1 });
  put(before, configMap("a"));
  remove(before, "a");
  expect(open().version).toBe(3);
  put(before, configMap("b"));
  put(before, configMap("b", { data: {} }));
  remove(before, "b");
  expect(open().version).toBe(6);
});

test("everything acknowledged before a kill -9 is there afterwards, and versions go on", async () => {
  const writer = new URL("./kube-store-writer.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [writer, dir], { stdio: ["ignore", "pipe", "inherit"] });
  let acknowledged = 0;
  let version = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    [acknowledged = 0, version = 0] = line.split(" ").map(Number);
    if (acknowledged >= 500) break;
  }
  child.kill("SIGKILL");
  await once(child, "exit");

  const store = open();
  const there = new Set(names(store));
  const wrong = Array.from({ length: acknowledged }, (_, n) => n + 1).filter(
    (n) => there.has(String(n)) !== (n % 2 === 1),
  );
  expect(wrong).toEqual([]);
  expect(store.version).toBeGreaterThanOrEqual(version);
  expect(put(store, configMap("next"))?.version).toBe(store.version);
}, 20_000);

function file(): string {
  return join(dir, "kube.jsonl");
}

function names(store: MemoryObjectStore): string[] {
  return store.list(CONFIG_MAPS, "").map(({ metadata }) => metadata.name);
}

function open(options: Partial<JournalOptions> = {}): MemoryObjectStore {
  const journal = new ObjectJournal({ dir, log: recordingLog(), ...options });
  const store = memoryStore(new VirtualClock(), journal);
  stores.push(store);
  return store;
}
