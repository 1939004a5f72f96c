import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SendMessageCommandInput,
} from "@aws-sdk/client-sqs";
import { expect } from "@jest/globals";
import type { CurrentPeer, Scenario } from "./sqs-contract.ts";
import { TestQueue } from "./sqs-test-queue.ts";

interface WrongSend {
  readonly wrong: string;
  readonly more: Partial<SendMessageCommandInput>;
  readonly name: string;
}

/** What is refused, and with which error. */
export function errorContract(current: CurrentPeer, test: Scenario): void {
  test("rejects calls on a queue that does not exist with QueueDoesNotExist", async () => {
    const get = new GetQueueUrlCommand({ QueueName: "no-such-queue.fifo" });
    await expect(current().client.send(get)).rejects.toMatchObject({ name: "QueueDoesNotExist" });
  });

  test("rejects a FIFO queue whose name does not end in .fifo", async () => {
    const create = new CreateQueueCommand({
      QueueName: "plain",
      Attributes: { FifoQueue: "true" },
    });
    await expect(current().client.send(create)).rejects.toThrow();
  });

  const wrongSends: readonly WrongSend[] = [
    { wrong: "no group", more: { MessageGroupId: undefined }, name: "MissingParameter" },
    {
      wrong: "no deduplication id",
      more: { MessageDeduplicationId: undefined },
      name: "InvalidParameterValue",
    },
    {
      wrong: "a group of 129 characters",
      more: { MessageGroupId: "g".repeat(129) },
      name: "InvalidParameterValue",
    },
    {
      wrong: "an id of 129 characters",
      more: { MessageDeduplicationId: "d".repeat(129) },
      name: "InvalidParameterValue",
    },
    {
      wrong: "a space in an id",
      more: { MessageDeduplicationId: "a b" },
      name: "InvalidParameterValue",
    },
    { wrong: "a delay", more: { DelaySeconds: 1 }, name: "InvalidParameterValue" },
    { wrong: "a delay of 900 s", more: { DelaySeconds: 900 }, name: "InvalidParameterValue" },
    {
      wrong: "a body of 1 MiB + 1",
      more: { MessageBody: "x".repeat(1_048_577) },
      name: "InvalidParameterValue",
    },
    {
      wrong: "a control character",
      more: { MessageBody: "a\u0000b" },
      name: "InvalidMessageContents",
    },
  ];
  for (const { wrong, more, name } of wrongSends) {
    test(`rejects a send to a FIFO queue with ${wrong}`, async () => {
      const queue = await TestQueue.make(current().client);
      await expect(queue.send("m1", "g", more)).rejects.toMatchObject({ name });
      expect(await queue.bodies()).toEqual([]);
    });
  }

  test("takes ids of 128 legal characters and a delay of 0", async () => {
    const queue = await TestQueue.make(current().client);
    const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    const id = punctuation.padEnd(128, "aZ9");
    await queue.send("m1", id, { MessageDeduplicationId: id, DelaySeconds: 0 });
    const [message] = await queue.receive({ MessageSystemAttributeNames: ["MessageGroupId"] });
    expect(message?.Attributes).toEqual({ MessageGroupId: id });
  });

  const wrongBatches = [
    { ids: [], name: "EmptyBatchRequest" },
    { ids: ["a", "a"], name: "BatchEntryIdsNotDistinct" },
    { ids: ["not legal"], name: "InvalidBatchEntryId" },
    { ids: Array.from({ length: 11 }, (_, n) => `${n}`), name: "TooManyEntriesInBatchRequest" },
  ];
  for (const { ids, name } of wrongBatches) {
    test(`rejects a batch with ${ids.length} entries with ${name}`, async () => {
      const queue = await TestQueue.make(current().client);
      const send = new SendMessageBatchCommand({
        QueueUrl: queue.url,
        Entries: ids.map((Id, index) => ({
          Id,
          MessageBody: "m",
          MessageGroupId: "g",
          MessageDeduplicationId: `${index}`,
        })),
      });
      await expect(current().client.send(send)).rejects.toMatchObject({ name });
      expect(await queue.bodies()).toEqual([]);
    });
  }

  test("rejects an empty batch of deletions with EmptyBatchRequest", async () => {
    const { url: QueueUrl } = await TestQueue.make(current().client);
    const remove = new DeleteMessageBatchCommand({ QueueUrl, Entries: [] });
    await expect(current().client.send(remove)).rejects.toMatchObject({
      name: "EmptyBatchRequest",
    });
  });

  test("rejects a batch of more than 1 MiB with BatchRequestTooLong", async () => {
    const { url: QueueUrl } = await TestQueue.make(current().client, { FifoQueue: "false" });
    const MessageBody = "x".repeat(600_000);
    const send = new SendMessageBatchCommand({
      QueueUrl,
      Entries: ["a", "b"].map((Id) => ({ Id, MessageBody })),
    });
    await expect(current().client.send(send)).rejects.toMatchObject({
      name: "BatchRequestTooLong",
    });
  });

  test("rejects a handle that is none with ReceiptHandleIsInvalid", async () => {
    const queue = await TestQueue.make(current().client);
    const bad = { ReceiptHandle: "no handle" };
    await expect(queue.delete(bad)).rejects.toMatchObject({ name: "ReceiptHandleIsInvalid" });
    await expect(queue.hide(bad, 1)).rejects.toMatchObject({ name: "ReceiptHandleIsInvalid" });
  });

  test("rejects a visibility timeout of more than 12 hours", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("m1");
    const [message] = await queue.receive();
    const change = new ChangeMessageVisibilityCommand({
      QueueUrl: queue.url,
      ReceiptHandle: message?.ReceiptHandle,
      VisibilityTimeout: 43_201,
    });
    await expect(current().client.send(change)).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });

  const wrongReceives = [
    { MaxNumberOfMessages: 11 },
    { MaxNumberOfMessages: 0 },
    { WaitTimeSeconds: 21 },
  ];
  for (const more of wrongReceives) {
    test(`rejects a receive with ${JSON.stringify(more)}`, async () => {
      const { url: QueueUrl } = await TestQueue.make(current().client);
      const receive = new ReceiveMessageCommand({ QueueUrl, ...more });
      await expect(current().client.send(receive)).rejects.toMatchObject({
        name: "InvalidParameterValue",
      });
    });
  }

  test("rejects an attribute that does not exist with InvalidAttributeName", async () => {
    const { url: QueueUrl } = await TestQueue.make(current().client);
    const get = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["NoSuch" as "All"] });
    await expect(current().client.send(get)).rejects.toMatchObject({
      name: "InvalidAttributeName",
    });
  });
}
