import { expect, test } from "@jest/globals";
import { MAX_IN_FLIGHT } from "../../local/sqs-receive.ts";
import type { SqsChange, SqsState } from "../../local/sqs-store.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { CoreQueue, newCore, only } from "./sqs-fixtures.ts";

const HOUR_MS = 3_600_000;

test("a group waits for the message whose visibility was extended to 15 s, and comes in order then", async () => {
  const queue = await CoreQueue.make({ VisibilityTimeout: "10" });
  for (const body of ["m1", "m2", "m3"]) await queue.send(body);
  const [first] = await queue.receive();
  if (first) await queue.hide(first, 15);
  await queue.clock.advance(12_000);
  expect(await queue.bodies()).toEqual([]);
  await queue.clock.advance(4_000);
  expect(await queue.bodies()).toEqual(["m1", "m2", "m3"]);
});

test("groups with older messages go first, also when others were just filled", async () => {
  const queue = await CoreQueue.make();
  await queue.send("a1", { MessageGroupId: "a" });
  await queue.send("b1", { MessageGroupId: "b" });
  await queue.send("a2", { MessageGroupId: "a" });
  await queue.delete(only(await queue.receive({ MaxNumberOfMessages: 1 })));
  expect(await queue.bodies({ MaxNumberOfMessages: 1 })).toEqual(["b1"]);
});

test("a visibility timeout never reaches beyond 12 hours from the receive", async () => {
  const queue = await CoreQueue.make();
  await queue.send("m1");
  const message = only(await queue.receive({ VisibilityTimeout: 43_200 }));
  await queue.clock.advance(HOUR_MS);
  await expect(queue.hide(message, 11 * 3_600 + 1)).rejects.toMatchObject({
    code: "InvalidParameterValue",
    message: expect.stringContaining("beyond the limit"),
  });
  await queue.hide(message, 11 * 3_600);
});

test("a changed visibility timeout is not remembered for the next receive", async () => {
  const queue = await CoreQueue.make({ VisibilityTimeout: "10" });
  await queue.send("m1");
  await queue.hide(only(await queue.receive()), 100);
  await queue.clock.advance(100_000);
  expect(await queue.bodies()).toEqual(["m1"]);
  await queue.clock.advance(10_000);
  expect(await queue.bodies()).toEqual(["m1"]);
});

test("rejects a change of visibility with a FIFO handle whose time has passed", async () => {
  const queue = await CoreQueue.make({ VisibilityTimeout: "10" });
  await queue.send("m1");
  const message = only(await queue.receive());
  await queue.clock.advance(10_000);
  await expect(queue.hide(message, 5)).rejects.toMatchObject({
    code: "InvalidParameterValue",
    message: expect.stringContaining("The receipt handle has expired"),
  });
});

test("rejects a change of visibility of a message that was freed with MessageNotInflight", async () => {
  const queue = await CoreQueue.make();
  await queue.send("m1");
  const message = only(await queue.receive());
  await queue.hide(message, 0);
  await expect(queue.hide(message, 5)).rejects.toMatchObject({ code: "MessageNotInflight" });
});

test("rejects a change of visibility of a deleted message", async () => {
  const queue = await CoreQueue.make();
  await queue.send("m1");
  const message = only(await queue.receive());
  await queue.delete(message);
  await expect(queue.hide(message, 5)).rejects.toThrow("Message does not exist");
});

test("a handle of a standard queue works after its time, and does nothing after the next receive", async () => {
  const queue = await CoreQueue.make({ VisibilityTimeout: "10" }, { name: "standard" });
  await queue.send("m1");
  await queue.send("m2");
  const [first, second] = await queue.receive();
  await queue.clock.advance(10_000);
  if (first) await queue.delete(first);
  expect(await queue.bodies()).toEqual(["m2"]);
  if (second) await queue.delete(second);
  await queue.clock.advance(10_000);
  expect(await queue.bodies()).toEqual(["m2"]);
});

test("rejects a handle of another queue", async () => {
  const queue = await CoreQueue.make();
  await queue.send("m1");
  const message = only(await queue.receive());
  const other = await CoreQueue.make(
    {},
    { core: queue.core, clock: queue.clock, name: "other.fifo" },
  );
  await expect(other.delete(message)).rejects.toMatchObject({ code: "ReceiptHandleIsInvalid" });
});

test("messages older than the retention period are gone, also from the counts", async () => {
  const queue = await CoreQueue.make({ MessageRetentionPeriod: "60" });
  await queue.send("old");
  await queue.clock.advance(30_000);
  await queue.send("new");
  await queue.clock.advance(30_000);
  const { Attributes } = await queue.call<{ Attributes: object }>("GetQueueAttributes", {
    AttributeNames: ["ApproximateNumberOfMessages"],
  });
  expect(Attributes).toEqual({ ApproximateNumberOfMessages: "1" });
  expect(await queue.bodies()).toEqual(["new"]);
});

test("a new delay holds for messages already in a FIFO queue, and not in a standard one", async () => {
  const fifo = await CoreQueue.make();
  const standard = await CoreQueue.make(
    {},
    { core: fifo.core, clock: fifo.clock, name: "standard" },
  );
  for (const queue of [fifo, standard]) {
    await queue.send("m1");
    await queue.call("SetQueueAttributes", { Attributes: { DelaySeconds: "10" } });
  }
  expect(await fifo.bodies()).toEqual([]);
  expect(await standard.bodies()).toEqual(["m1"]);
  await fifo.clock.advance(10_000);
  expect(await fifo.bodies()).toEqual(["m1"]);
});

test("a new delay leaves messages in flight hidden for their time", async () => {
  const queue = await CoreQueue.make({ VisibilityTimeout: "100" });
  await queue.send("m1");
  await queue.receive();
  await queue.call("SetQueueAttributes", { Attributes: { DelaySeconds: "10" } });
  await queue.clock.advance(99_000);
  expect(await queue.bodies()).toEqual([]);
  await queue.clock.advance(1_000);
  expect(await queue.bodies()).toEqual(["m1"]);
});

test("the move to a FIFO dead-letter queue sets the time of sending anew and keeps id and receive count", async () => {
  const dead = await CoreQueue.make({}, { name: "dead.fifo" });
  const RedrivePolicy = JSON.stringify({
    deadLetterTargetArn: await dead.arn(),
    maxReceiveCount: 2,
  });
  const queue = await CoreQueue.make({ RedrivePolicy, VisibilityTimeout: "10" }, dead);
  const { MessageId } = await queue.send("bad");
  for (let n = 0; n < 2; n += 1) {
    expect(await queue.bodies()).toEqual(["bad"]);
    await queue.clock.advance(10_000);
  }
  expect(await queue.bodies()).toEqual([]);
  const message = only(await dead.receive());
  expect(message.MessageId).toBe(MessageId);
  expect(message.Attributes).toMatchObject({
    SentTimestamp: String(queue.clock.nowMs()),
    ApproximateReceiveCount: "3",
    DeadLetterQueueSourceArn: await queue.arn(),
  });
});

test.each([
  { name: "q.fifo", outcome: [] },
  { name: "standard", outcome: "OverLimit" },
])("$name with 120,000 messages in flight answers $outcome", async ({ name, outcome }) => {
  const clock = new VirtualClock();
  const core = newCore(clock, loaded(crowd(name, clock.nowMs())));
  const queue = new CoreQueue(core, clock, `http://x/000000000000/${name}`);
  const answer = await queue.bodies().catch(({ code }) => code);
  expect(answer).toEqual(outcome);
});

test("a long poll whose caller is gone takes no message", async () => {
  const queue = await CoreQueue.make();
  const gone = new AbortController();
  const poll = queue.bodies({ WaitTimeSeconds: 20 }, { signal: gone.signal });
  await queue.clock.advance(1_000);
  gone.abort();
  await queue.send("m1");
  expect(await poll).toEqual([]);
  expect(await queue.bodies()).toEqual(["m1"]);
});

test("a stop ends all long polls at once and refuses further calls", async () => {
  const queue = await CoreQueue.make();
  const polls = [queue.bodies({ WaitTimeSeconds: 20 }), queue.bodies({ WaitTimeSeconds: 20 })];
  await queue.clock.advance(1_000);
  queue.core.close();
  expect(await Promise.all(polls)).toEqual([[], []]);
  await expect(queue.send("m1")).rejects.toMatchObject({ code: "ServiceUnavailable", status: 503 });
});

test("a long poll on a queue that is deleted meanwhile fails", async () => {
  const queue = await CoreQueue.make();
  const poll = queue.bodies({ WaitTimeSeconds: 20 });
  await queue.clock.advance(1_000);
  await Promise.all([
    expect(poll).rejects.toMatchObject({ code: "QueueDoesNotExist" }),
    queue.call("DeleteQueue"),
  ]);
});

test("a long poll lasts its time though the wall clock steps back", async () => {
  const queue = await CoreQueue.make();
  const poll = queue.bodies({ WaitTimeSeconds: 10 });
  await queue.clock.advance(1_000);
  queue.clock.step(-HOUR_MS);
  await queue.clock.advance(9_000);
  expect(await poll).toEqual([]);
});

test("a batch without a group id in one entry fails as a whole, as recorded from AWS", async () => {
  const queue = await CoreQueue.make();
  const entry = { MessageBody: "m", MessageDeduplicationId: "1" };
  const Entries = [
    { Id: "a", ...entry, MessageGroupId: "g" },
    { Id: "b", ...entry },
  ];
  await expect(queue.call("SendMessageBatch", { Entries })).rejects.toMatchObject({
    code: "MissingParameter",
  });
  expect(await queue.bodies()).toEqual([]);
});

test("the X-Ray header of a send becomes the trace header of its message", async () => {
  const queue = await CoreQueue.make();
  const input = { MessageBody: "m", MessageGroupId: "g", MessageDeduplicationId: "1" };
  await queue.call("SendMessage", input, { traceHeader: "Root=1-a" });
  expect(only(await queue.receive()).Attributes.AWSTraceHeader).toBe("Root=1-a");
});

function* crowd(queue: string, nowMs: number): Generator<SqsChange> {
  yield { queue, step: { op: "create", attributes: {}, atMs: nowMs } };
  yield {
    queue,
    step: { op: "set", attributes: { MessageRetentionPeriod: "345600" }, atMs: nowMs },
  };
  const common = { body: "b", receiveCount: 1, receipt: "r", sentAtMs: nowMs };
  for (let seq = 1; seq <= MAX_IN_FLIGHT + 1; seq += 1) {
    const inFlight = seq <= MAX_IN_FLIGHT;
    const visibleAtMs = inFlight ? nowMs + HOUR_MS : nowMs;
    const message = { ...common, id: `${seq}`, groupId: `${seq}`, seq, visibleAtMs };
    yield { queue, step: { op: "add", message } };
  }
}

function loaded(changes: Iterable<SqsChange>): SqsState {
  return { load: () => changes, append() {}, full: false, compact() {}, close() {} };
}
