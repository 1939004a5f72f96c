import { expect } from "@jest/globals";
import type { CurrentPeer, Scenario } from "./sqs-contract.ts";
import { TestQueue } from "./sqs-test-queue.ts";

/** Message groups: order, locks and the prefix rule. */
export function fifoContract(current: CurrentPeer, test: Scenario): void {
  test("one receive answers several messages of a group, in order", async () => {
    const queue = await TestQueue.make(current().client);
    for (let n = 1; n <= 8; n += 1) await queue.send(`m${n}`);
    expect(await queue.bodies()).toEqual(["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"]);
  });

  test("one receive answers a group first and then others, though they were sent in turns", async () => {
    const queue = await TestQueue.make(current().client);
    for (const body of ["a1", "b1", "a2", "b2", "a3"]) await queue.send(body, body[0]);
    expect(await queue.bodies()).toEqual(["a1", "a2", "a3", "b1", "b2"]);
  });

  test("a group is locked while a message of it is in flight", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("m1");
    await queue.send("m2");
    expect(await queue.bodies({ MaxNumberOfMessages: 1 })).toEqual(["m1"]);
    await queue.send("m3");
    expect(await queue.bodies()).toEqual([]);
  });

  test("other groups are served while one is locked", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("a1", "a");
    await queue.send("a2", "a");
    await queue.send("b1", "b");
    expect(await queue.bodies({ MaxNumberOfMessages: 1 })).toEqual(["a1"]);
    expect(await queue.bodies()).toEqual(["b1"]);
  });

  test("a group with a long backlog does not hold up another one while it is locked", async () => {
    const queue = await TestQueue.make(current().client);
    for (let n = 0; n < 30; n += 1) await queue.send(`hot${n}`, "hot");
    await queue.send("cold", "cold");
    await queue.receive();
    expect(await queue.bodies()).toEqual(["cold"]);
  });

  test("of two receives at once on one group only one gets messages", async () => {
    const queue = await TestQueue.make(current().client);
    for (let n = 0; n < 20; n += 1) await queue.send(`m${n}`);
    const counts = (await Promise.all([queue.receive(), queue.receive()])).map((all) => all.length);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 10]);
  });

  test("deleting all messages in flight frees the rest of the group", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("m1");
    await queue.send("m2");
    const [first] = await queue.receive({ MaxNumberOfMessages: 1 });
    await queue.delete(first);
    expect(await queue.bodies()).toEqual(["m2"]);
  });

  test("deleting some of the messages in flight leaves the group locked", async () => {
    const queue = await TestQueue.make(current().client);
    for (const body of ["m1", "m2", "m3"]) await queue.send(body);
    const [first] = await queue.receive({ MaxNumberOfMessages: 2 });
    await queue.delete(first);
    expect(await queue.bodies()).toEqual([]);
  });

  test("after the visibility timeout the same message comes first, with a higher receive count", async () => {
    const queue = await TestQueue.make(current().client, { VisibilityTimeout: "1" });
    await queue.send("m1");
    await queue.send("m2");
    expect(await queue.bodies({ MaxNumberOfMessages: 1 })).toEqual(["m1"]);
    await current().advance(1_500);
    const [again, next] = await queue.receive({
      MessageSystemAttributeNames: ["ApproximateReceiveCount"],
    });
    expect([again?.Body, again?.Attributes?.ApproximateReceiveCount]).toEqual(["m1", "2"]);
    expect([next?.Body, next?.Attributes?.ApproximateReceiveCount]).toEqual(["m2", "1"]);
  });

  const cases = [
    { hidden: 0, delivered: [] },
    { hidden: 1, delivered: ["m0"] },
    { hidden: 2, delivered: ["m0", "m1"] },
  ];
  for (const { hidden, delivered } of cases) {
    test(`only messages before the first one in flight are delivered: message ${hidden} of 3`, async () => {
      const queue = await TestQueue.make(current().client, { VisibilityTimeout: "1" });
      for (const body of ["m0", "m1", "m2"]) await queue.send(body);
      const messages = await queue.receive();
      await queue.hide(messages[hidden], 30);
      await current().advance(1_500);
      expect(await queue.bodies()).toEqual(delivered);
    });
  }

  test("messages wait behind the first one whose visibility was extended, and then come in order", async () => {
    const queue = await TestQueue.make(current().client, { VisibilityTimeout: "1" });
    for (const body of ["m1", "m2", "m3"]) await queue.send(body);
    const [first] = await queue.receive();
    await queue.hide(first, 3);
    await current().advance(1_500);
    expect(await queue.bodies()).toEqual([]);
    await current().advance(2_000);
    expect(await queue.bodies()).toEqual(["m1", "m2", "m3"]);
  });

  test("messages received too often go to the dead-letter queue, and their group goes on", async () => {
    const { client, advance } = current();
    const dead = await TestQueue.make(client);
    const queue = await TestQueue.make(client, {
      VisibilityTimeout: "1",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: await dead.arn(), maxReceiveCount: 1 }),
    });
    const { MessageId } = await queue.send("bad");
    expect(await queue.bodies()).toEqual(["bad"]);
    await queue.send("good");
    await advance(1_500);
    expect(await queue.bodies()).toEqual(["good"]);
    const [message] = await dead.receive({ MessageSystemAttributeNames: ["All"] });
    expect([message?.Body, message?.MessageId]).toEqual(["bad", MessageId]);
    expect(message?.Attributes).toMatchObject({
      MessageGroupId: "g",
      DeadLetterQueueSourceArn: await queue.arn(),
    });
  });
}
