import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { JournalOptions } from "../../local/journal.ts";
import { SqsCore } from "../../local/sqs-core.ts";
import { SqsJournal } from "../../local/sqs-journal.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { CoreQueue, only, recordingLog } from "./sqs-fixtures.ts";

let dir = "";
let cores: SqsCore[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "sqs-"));
});
afterEach(() => {
  for (const core of cores) core.close();
  cores = [];
  rmSync(dir, { recursive: true });
});

test("messages, attributes, hidden messages and remembered ids are there again after a restart", async () => {
  const clock = new VirtualClock();
  const before = await CoreQueue.make({ VisibilityTimeout: "10" }, { clock, core: open(clock) });
  await before.send("deleted", { MessageDeduplicationId: "same", MessageGroupId: "a" });
  await before.delete(only(await before.receive()));
  await before.send("hidden", { MessageGroupId: "b" });
  const hidden = only(await before.receive());
  await before.send("waiting", { MessageGroupId: "c" });

  const after = new CoreQueue(open(clock), clock, before.url);
  await after.send("swallowed", { MessageDeduplicationId: "same", MessageGroupId: "d" });
  expect(await after.bodies()).toEqual(["waiting"]);
  await clock.advance(9_000);
  expect(await after.bodies()).toEqual([]);
  await after.hide(hidden, 5);
  await clock.advance(5_000);
  const again = await after.receive();
  expect(again.map(({ Body }) => Body)).toEqual(["hidden", "waiting"]);
  expect(again[0]?.Attributes.ApproximateReceiveCount).toBe("2");
});

test("after a kill, what a dead receiver never spoke of comes back at once, and what waits out a timeout of its own does not", async () => {
  const clock = new VirtualClock();
  const before = await CoreQueue.make(
    { VisibilityTimeout: "180" },
    { clock, core: open(clock, { compactBytes: 1_500 }) },
  );
  await before.send("cut off", { MessageGroupId: "a" });
  await before.send("backs off", { MessageGroupId: "b" });
  const [, backsOff] = await before.receive();
  if (backsOff) await before.hide(backsOff, 100);
  await before.send("waits behind it", { MessageGroupId: "a" });

  const after = new CoreQueue(open(clock), clock, before.url);
  expect(await after.bodies()).toEqual([]);
  after.core.giveBackUnheard();
  const received = await after.receive();
  expect(received.map(({ Body }) => Body)).toEqual(["cut off", "waits behind it"]);
  expect(received[0]?.Attributes.ApproximateReceiveCount).toBe("2");
  await clock.advance(100_000);
  expect(await after.bodies()).toEqual(["backs off"]);
});

test("ids that were told to be forgotten swallow nothing, also after a restart", async () => {
  const clock = new VirtualClock();
  const before = await CoreQueue.make({}, { clock, core: open(clock) });
  const same = { MessageDeduplicationId: "same" };
  await before.send("m1", same);
  await before.send("swallowed", same);
  before.core.forgetSent();

  const after = new CoreQueue(open(clock), clock, before.url);
  await after.send("m2", same);
  expect(await after.bodies()).toEqual(["m1", "m2"]);
});

test("what is given back after a kill is received once, and the dead receiver's handle is refused", async () => {
  const clock = new VirtualClock();
  const before = await CoreQueue.make({}, { clock, core: open(clock) });
  await before.send("m1");
  const dead = only(await before.receive());

  open(clock).giveBackUnheard();
  const after = new CoreQueue(open(clock), clock, before.url);
  await expect(after.delete(dead)).rejects.toMatchObject({ code: "InvalidParameterValue" });
  await expect(after.hide(dead, 60)).rejects.toMatchObject({ code: "MessageNotInflight" });
  expect(await after.bodies()).toEqual(["m1"]);
  expect(await after.bodies()).toEqual([]);
});

test("a deleted queue stays deleted, and numbers go on where they were", async () => {
  const clock = new VirtualClock();
  const before = await CoreQueue.make({}, { clock, core: open(clock) });
  const first = (await before.send("m1")) as { SequenceNumber?: string };
  await before.call("DeleteQueue");
  await CoreQueue.make({}, before);

  const after = new CoreQueue(open(clock), clock, before.url);
  const second = (await after.send("m2")) as { SequenceNumber?: string };
  expect(await after.bodies()).toEqual(["m2"]);
  expect(Number(second.SequenceNumber)).toBeGreaterThan(Number(first.SequenceNumber));
});

test.each([1, 20, 150])(
  "a last line that lacks %d bytes is cut off, and nothing else is lost",
  async (bytes) => {
    const clock = new VirtualClock();
    const before = await CoreQueue.make({}, { clock, core: open(clock) });
    await before.send("m1");
    await before.send("m2");
    const journal = readFileSync(file());
    writeFileSync(file(), journal.subarray(0, -bytes));

    const log = recordingLog();
    const after = new CoreQueue(open(clock, { log }), clock, before.url);
    expect(log.lines).toEqual(["sqs journal ended in a torn line, which is cut off"]);
    await after.send("m3", { MessageDeduplicationId: "third" });
    expect(await new CoreQueue(open(clock), clock, before.url).bodies()).toEqual(["m1", "m3"]);
  },
);

test("a journal torn within its first line begins anew", () => {
  writeFileSync(file(), '{"sqsJ');
  open(new VirtualClock());
  expect(readFileSync(file(), "utf8")).toBe('{"sqsJournal":1}\n');
});

test("rejects a journal of another version", () => {
  writeFileSync(file(), '{"sqsJournal":2}\n');
  expect(() => open(new VirtualClock())).toThrow(/expected a journal of version 1, got .*--fresh/);
});

test("a line in the middle that is no JSON is skipped and reported", async () => {
  const clock = new VirtualClock();
  const before = await CoreQueue.make({}, { clock, core: open(clock) });
  appendFileSync(file(), '[{"queue"\n');
  await before.send("m1");
  const log = recordingLog();
  const after = new CoreQueue(open(clock, { log }), clock, before.url);
  expect(await after.bodies()).toEqual(["m1"]);
  expect(log.lines).toEqual(["sqs journal has lines that were skipped"]);
});

test.each(["SendMessage", "DeleteMessage", "ReceiveMessage"])(
  "%s fails while the disk is full and has no effect, now and after a restart; then all goes on",
  async (action) => {
    const clock = new VirtualClock();
    const disk = new Disk();
    const queue = await CoreQueue.make({}, { clock, core: open(clock, disk) });
    await queue.send("m1", { MessageGroupId: "a" });
    const { ReceiptHandle } = only(await queue.receive());
    await queue.send("m2", { MessageGroupId: "b" });
    const ids = { MessageGroupId: "c", MessageDeduplicationId: "c" };

    disk.full = true;
    const input = { MessageBody: "m3", ReceiptHandle, ...ids };
    await expect(queue.call(action, input)).rejects.toMatchObject({
      code: "InternalFailure",
      status: 500,
    });
    disk.full = false;
    await queue.send("m4", { MessageGroupId: "d" });
    const after = new CoreQueue(open(clock), clock, queue.url);
    for (const each of [queue, after]) expect(await each.bodies()).toEqual(["m2", "m4"]);
    await clock.advance(30_000);
    for (const each of [queue, after]) expect(await each.bodies()).toEqual(["m1", "m2", "m4"]);
  },
);

test("a disk that is full is told once, however many calls fail, and once more when it is not", async () => {
  const clock = new VirtualClock();
  const disk = new Disk();
  const lines: string[] = [];
  const note = (message: string) => void lines.push(message);
  const log = { debug() {}, info: note, warn: note, error: note };
  const queue = await CoreQueue.make({}, { clock, core: open(clock, { write: disk.write, log }) });
  for (const full of [true, false, true, false]) {
    disk.full = full;
    for (const body of ["m1", "m2"]) await queue.send(body).catch(() => {});
  }
  const [fails, works] = [
    "sqs journal cannot be written: what needs it fails",
    "sqs journal can be written again",
  ];
  expect(lines).toEqual([fails, works, fails, works]);
});

test("a call that a full disk fails says what to do", async () => {
  const disk = new Disk();
  const clock = new VirtualClock();
  const queue = await CoreQueue.make({}, { clock, core: open(clock, disk) });
  disk.full = true;
  await expect(queue.send("m1")).rejects.toThrow(
    `SendMessage failed: cannot keep the queues in ${file()}: expected a file that can be written, got ENOSPC; make space on its disk`,
  );
});

test("a folder that cannot be one is told in one line", () => {
  writeFileSync(join(dir, "taken"), "");
  expect(() => new SqsJournal({ dir: join(dir, "taken"), log: recordingLog() })).toThrow(
    /^cannot keep the queues in .*sqs\.jsonl: expected a file that can be written, got EEXIST; make it one$/,
  );
});

test("a batch that meets a full disk fails as a whole, and its repetition brings each message once", async () => {
  const clock = new VirtualClock();
  const disk = new Disk();
  const queue = await CoreQueue.make({}, { clock, core: open(clock, disk) });
  const Entries = ["a", "b"].map((id) => ({
    Id: id,
    MessageBody: id,
    MessageGroupId: id,
    MessageDeduplicationId: id,
  }));
  disk.full = true;
  await expect(queue.call("SendMessageBatch", { Entries })).rejects.toMatchObject({
    code: "InternalFailure",
  });
  disk.full = false;
  await queue.call("SendMessageBatch", { Entries });
  expect(await queue.bodies()).toEqual(["a", "b"]);
});

test("a journal that has grown is compacted, and the same is there after a restart", async () => {
  const clock = new VirtualClock();
  const core = open(clock, { compactBytes: 20_000 });
  const before = await CoreQueue.make({ DelaySeconds: "0" }, { clock, core });
  await before.send("stays", { MessageDeduplicationId: "stays" });
  for (let n = 0; n < 300; n += 1) {
    await before.send("goes", { MessageGroupId: "other", MessageDeduplicationId: `other-${n}` });
    const received = await before.receive({ VisibilityTimeout: 0, MaxNumberOfMessages: 2 });
    expect(received).toHaveLength(2);
    const [, goes] = await before.receive({ MaxNumberOfMessages: 2 });
    if (goes) await before.delete(goes);
    await clock.advance(30_000);
  }
  expect(statSync(file()).size).toBeLessThan(50_000);
  const after = new CoreQueue(open(clock), clock, before.url);
  const message = only(await after.receive());
  expect([message.Body, message.Attributes.ApproximateReceiveCount]).toEqual(["stays", "601"]);
});

test("numbers go on after a compaction in which no message was left", async () => {
  const clock = new VirtualClock();
  const before = await CoreQueue.make({}, { clock, core: open(clock, { compactBytes: 1 }) });
  await before.send("m1", { MessageDeduplicationId: "first" });
  await before.send("m2", { MessageDeduplicationId: "second" });
  for (const message of await before.receive()) await before.delete(message);
  await clock.advance(400_000);
  await before.call("PurgeQueue");

  const after = new CoreQueue(open(clock), clock, before.url);
  expect(await after.send("m3")).toMatchObject({ SequenceNumber: "3".padStart(20, "0") });
});

test("a compaction that fails leaves the journal as it was", async () => {
  const clock = new VirtualClock();
  const log = recordingLog();
  const main = new Set<number>();
  const write: JournalOptions["write"] = (fd, bytes, offset) => {
    if (main.size === 0) main.add(fd);
    if (!main.has(fd)) throw new Error("ENOSPC");
    return writeSync(fd, bytes, offset);
  };
  const queue = await CoreQueue.make(
    {},
    { clock, core: open(clock, { write, log, compactBytes: 600 }) },
  );
  for (const body of ["m1", "m2", "m3", "m4", "m5"]) await queue.send(body);
  expect(log.lines[0]).toBe("sqs journal could not be compacted");
  const after = new CoreQueue(open(clock), clock, queue.url);
  expect(await after.bodies()).toEqual(["m1", "m2", "m3", "m4", "m5"]);
});

test("everything acknowledged before a kill -9 is there afterwards", async () => {
  const writer = new URL("./sqs-journal-writer.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [writer, dir], { stdio: ["ignore", "pipe", "inherit"] });
  let acknowledged = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line);
    if (acknowledged >= 500) break;
  }
  child.kill("SIGKILL");
  await once(child, "exit");

  const clock = new VirtualClock(Date.now() + 1_000); // After the writer's clock.
  const queue = new CoreQueue(open(clock), clock, "http://x/000000000000/q.fifo");
  const bodies = new Set<string>();
  for (let found = await queue.bodies(); found.length > 0; found = await queue.bodies()) {
    for (const body of found) bodies.add(body);
  }
  const lost = Array.from({ length: acknowledged }, (_, n) => String(n + 1)).filter(
    (body) => !bodies.has(body),
  );
  expect(lost).toEqual([]);
}, 20_000);

function file(): string {
  return join(dir, "sqs.jsonl");
}

function open(clock: VirtualClock, options: Partial<JournalOptions> = {}): SqsCore {
  const log = options.log ?? recordingLog();
  const write = options.write;
  const state = new SqsJournal({
    dir,
    log,
    ...(write && { write }),
    ...(options.compactBytes && { compactBytes: options.compactBytes }),
  });
  let last = 0;
  const prefix = `s${cores.length}`;
  const newId = () => {
    last += 1;
    return `${prefix}-${last}`;
  };
  const core = new SqsCore({ clock, newId, log, state });
  cores.push(core);
  return core;
}

/** A disk that can be full: it then takes half of what it is given, and fails. */
class Disk {
  full = false;
  write = (fd: number, bytes: Buffer, offset: number): number => {
    if (!this.full) return writeSync(fd, bytes, offset);
    if (offset > 0) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    return writeSync(fd, bytes, 0, Math.ceil(bytes.length / 2));
  };
}
