import { expect, test } from "@jest/globals";
import { CoreQueue } from "./sqs-fixtures.ts";

const ID = { MessageDeduplicationId: "same" };

test.each([
  { seconds: 5, delivered: [] },
  { seconds: 299, delivered: [] },
  { seconds: 301, delivered: ["second"] },
])(
  "a send with the id of a message deleted long ago is swallowed for five minutes: $seconds s",
  async ({ seconds, delivered }) => {
    const queue = await CoreQueue.make();
    await queue.send("first", ID);
    for (const message of await queue.receive()) await queue.delete(message);
    await queue.clock.advance(seconds * 1_000);
    await queue.send("second", ID);
    expect(await queue.bodies()).toEqual(delivered);
  },
);

test("the five minutes count from the first send, whatever was swallowed meanwhile", async () => {
  const queue = await CoreQueue.make();
  await queue.send("first", ID);
  await queue.clock.advance(200_000);
  await queue.send("swallowed", ID);
  await queue.clock.advance(100_000);
  await queue.send("second", ID);
  expect(await queue.bodies()).toEqual(["first", "second"]);
});

test("a purge does not forget ids, and deleting the queue does", async () => {
  const queue = await CoreQueue.make();
  await queue.send("m1", ID);
  await queue.call("PurgeQueue");
  await queue.send("m2", ID);
  expect(await queue.bodies()).toEqual([]);
  await queue.call("DeleteQueue");
  const again = await CoreQueue.make({}, queue);
  await again.send("m3", ID);
  expect(await again.bodies()).toEqual(["m3"]);
});

test("a deduplication scope that is changed later has no effect", async () => {
  const queue = await CoreQueue.make();
  await queue.call("SetQueueAttributes", { Attributes: { DeduplicationScope: "messageGroup" } });
  await queue.send("m1", { ...ID, MessageGroupId: "a" });
  await queue.send("m2", { ...ID, MessageGroupId: "b" });
  expect(await queue.bodies()).toEqual(["m1"]);
});

test("equal ids of different messages are all kept in the dead-letter queue", async () => {
  const dead = await CoreQueue.make({}, { name: "dead.fifo" });
  const queue = await CoreQueue.make(
    {
      DeduplicationScope: "messageGroup",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: await dead.arn(), maxReceiveCount: 1 }),
    },
    dead,
  );
  await queue.send("m1", { ...ID, MessageGroupId: "a" });
  await queue.send("m2", { ...ID, MessageGroupId: "b" });
  const sent = await queue.receive();
  await queue.clock.advance(31_000);
  expect(await queue.bodies()).toEqual([]);
  const received = await dead.receive();
  expect(received.map(({ Body }) => Body)).toEqual(["m1", "m2"]);
  expect(received.map(({ Attributes }) => Attributes.MessageDeduplicationId)).toEqual(
    sent.map(({ MessageId }) => MessageId),
  );
});
