import { createHash } from "node:crypto";
import { SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { expect } from "@jest/globals";
import type { CurrentPeer, Scenario } from "./sqs-contract.ts";
import { TestQueue } from "./sqs-test-queue.ts";

/** Deduplication. How long it lasts is tested where the clock is virtual. */
export function dedupContract(current: CurrentPeer, test: Scenario): void {
  test("a second send with the id of a waiting message answers that message's id and delivers nothing", async () => {
    const queue = await TestQueue.make(current().client);
    const first = await queue.send("m1", "g", { MessageDeduplicationId: "same" });
    const second = await queue.send("m2", "g", { MessageDeduplicationId: "same" });
    expect(second.MessageId).toBe(first.MessageId);
    expect(second.SequenceNumber).toBe(first.SequenceNumber);
    expect(second.MD5OfMessageBody).toBe(createHash("md5").update("m2").digest("hex"));
    expect(await queue.bodies()).toEqual(["m1"]);
  });

  test("an id stays remembered after its message was received and deleted, in every group", async () => {
    const queue = await TestQueue.make(current().client);
    const first = await queue.send("m1", "a", { MessageDeduplicationId: "same" });
    await queue.delete((await queue.receive())[0]);
    const second = await queue.send("m2", "b", { MessageDeduplicationId: "same" });
    expect(second.MessageId).toBe(first.MessageId);
    expect(await queue.bodies()).toEqual([]);
  });

  test("with the scope of a message group the same id in two groups is two messages", async () => {
    const queue = await TestQueue.make(current().client, {
      DeduplicationScope: "messageGroup",
      FifoThroughputLimit: "perMessageGroupId",
    });
    for (const group of ["a", "b", "a"]) {
      await queue.send(`of ${group}`, group, { MessageDeduplicationId: "same" });
    }
    expect(await queue.bodies()).toEqual(["of a", "of b"]);
  });

  test("content-based deduplication takes the SHA-256 of the body, and an explicit id goes before", async () => {
    const queue = await TestQueue.make(current().client, { ContentBasedDeduplication: "true" });
    const byContent = { MessageDeduplicationId: undefined };
    await queue.send("same", "g", byContent);
    await queue.send("same", "g", byContent);
    await queue.send("same", "g", { MessageDeduplicationId: "other" });
    await queue.send("different", "g", {
      MessageDeduplicationId: createHash("sha256").update("same").digest("hex"),
    });
    expect(await queue.bodies()).toEqual(["same", "same"]);
  });

  test("equal ids in one batch are one message, and both entries succeed", async () => {
    const queue = await TestQueue.make(current().client);
    const entry = { MessageBody: "m", MessageGroupId: "g", MessageDeduplicationId: "same" };
    const { Successful = [], Failed = [] } = await queue.client.send(
      new SendMessageBatchCommand({
        QueueUrl: queue.url,
        Entries: [
          { Id: "1", ...entry },
          { Id: "2", ...entry },
        ],
      }),
    );
    expect(Failed).toEqual([]);
    expect(Successful.map(({ Id }) => Id)).toEqual(["1", "2"]);
    expect(Successful[1]?.MessageId).toBe(Successful[0]?.MessageId);
    expect(await queue.bodies()).toEqual(["m"]);
  });
}
