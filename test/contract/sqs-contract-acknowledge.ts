import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  SendMessageBatchCommand,
} from "@aws-sdk/client-sqs";
import { expect } from "@jest/globals";
import type { CurrentPeer, Scenario } from "./sqs-contract.ts";
import { TestQueue } from "./sqs-test-queue.ts";

/** Receipt handles, visibility and batches. */
export function acknowledgeContract(current: CurrentPeer, test: Scenario): void {
  test("a visibility timeout of 0 frees a message at once", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("m1");
    await queue.hide((await queue.receive())[0], 0);
    expect(await queue.bodies()).toEqual(["m1"]);
  });

  test("a longer visibility timeout keeps a message hidden, and its handle deletes it then", async () => {
    const queue = await TestQueue.make(current().client, { VisibilityTimeout: "1" });
    await queue.send("m1");
    const [message] = await queue.receive();
    await queue.hide(message, 10);
    await current().advance(1_500);
    expect(await queue.bodies()).toEqual([]);
    await queue.delete(message);
    expect(await queue.attributes("ApproximateNumberOfMessagesNotVisible")).toEqual({
      ApproximateNumberOfMessagesNotVisible: "0",
    });
  });

  test("the handle of an earlier receive deletes nothing", async () => {
    const queue = await TestQueue.make(current().client, { VisibilityTimeout: "1" });
    await queue.send("m1");
    const [stale] = await queue.receive();
    await current().advance(1_500);
    const [fresh] = await queue.receive();
    await expect(queue.delete(stale)).rejects.toMatchObject({ name: "InvalidParameterValue" });
    await queue.hide(fresh, 0);
    expect(await queue.bodies()).toEqual(["m1"]);
  });

  test("a handle is dead on a FIFO queue once the visibility timeout has passed", async () => {
    const queue = await TestQueue.make(current().client, { VisibilityTimeout: "1" });
    await queue.send("m1");
    const [message] = await queue.receive();
    await current().advance(1_500);
    await expect(queue.delete(message)).rejects.toThrow("The receipt handle has expired");
  });

  test("deleting a message twice succeeds", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("m1");
    const [message] = await queue.receive();
    await queue.delete(message);
    await queue.delete(message);
  });

  test("a batch carries out its good entries and answers the bad ones in Failed", async () => {
    const queue = await TestQueue.make(current().client);
    const { Successful = [], Failed = [] } = await queue.client.send(
      new SendMessageBatchCommand({
        QueueUrl: queue.url,
        Entries: [
          { Id: "good", MessageBody: "m1", MessageGroupId: "g", MessageDeduplicationId: "1" },
          {
            Id: "delayed",
            MessageBody: "m2",
            MessageGroupId: "g",
            MessageDeduplicationId: "2",
            DelaySeconds: 5,
          },
          { Id: "other", MessageBody: "m3", MessageGroupId: "h", MessageDeduplicationId: "3" },
        ],
      }),
    );
    expect(Successful.map(({ Id }) => Id)).toEqual(["good", "other"]);
    expect(Failed).toMatchObject([
      { Id: "delayed", Code: "InvalidParameterValue", SenderFault: true },
    ]);
    expect(await queue.bodies()).toEqual(["m1", "m3"]);
  });

  test("batches of visibility changes and deletions answer each entry", async () => {
    const queue = await TestQueue.make(current().client);
    for (const group of ["a", "b"]) await queue.send(`of ${group}`, group);
    const [a, b] = await queue.receive();
    const changed = await queue.client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: queue.url,
        Entries: [
          { Id: "a", ReceiptHandle: a?.ReceiptHandle, VisibilityTimeout: 0 },
          { Id: "bad", ReceiptHandle: "no handle", VisibilityTimeout: 0 },
        ],
      }),
    );
    expect(changed.Successful).toEqual([{ Id: "a" }]);
    expect(changed.Failed).toMatchObject([{ Id: "bad", Code: "ReceiptHandleIsInvalid" }]);
    const [again] = await queue.receive();
    expect(again?.Body).toBe("of a");
    const deleted = await queue.client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: queue.url,
        Entries: [
          { Id: "b", ReceiptHandle: b?.ReceiptHandle },
          { Id: "a", ReceiptHandle: again?.ReceiptHandle },
        ],
      }),
    );
    expect(deleted.Successful).toEqual([{ Id: "b" }, { Id: "a" }]);
  });

  test("the same ReceiveRequestAttemptId answers the same messages again", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("x".repeat(250 * 1_024));
    const attempt = { ReceiveRequestAttemptId: "attempt-1" };
    const [first] = await queue.receive(attempt);
    const [again] = await queue.receive(attempt);
    expect(first?.Body).toHaveLength(250 * 1_024);
    expect(again?.ReceiptHandle).toBe(first?.ReceiptHandle);
    expect(await queue.receive({ ReceiveRequestAttemptId: "attempt-2" })).toEqual([]);
  });
}
