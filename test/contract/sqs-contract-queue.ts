import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueUrlCommand,
  ListDeadLetterSourceQueuesCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  SetQueueAttributesCommand,
  StartMessageMoveTaskCommand,
} from "@aws-sdk/client-sqs";
import { expect } from "@jest/globals";
import type { CurrentPeer, Scenario } from "./sqs-contract.ts";
import { TestQueue } from "./sqs-test-queue.ts";

/** Queues, their attributes, and what a receive says of a message. */
export function queueContract(current: CurrentPeer, test: Scenario): void {
  test("a new queue has the attributes it was given, and can be found by its name", async () => {
    const queue = await TestQueue.make(current().client, { VisibilityTimeout: "45" });
    const QueueName = queue.url.split("/").at(-1);
    expect(await queue.attributes("All")).toMatchObject({
      FifoQueue: "true",
      VisibilityTimeout: "45",
      DelaySeconds: "0",
      MessageRetentionPeriod: "345600",
      ContentBasedDeduplication: "false",
    });
    const found = await current().client.send(new GetQueueUrlCommand({ QueueName }));
    expect(found.QueueUrl).toBe(queue.url);
    const { QueueUrls } = await current().client.send(
      new ListQueuesCommand({ QueueNamePrefix: QueueName }),
    );
    expect(QueueUrls).toEqual([queue.url]);
  });

  test("creating a queue again succeeds with equal attributes and fails with others", async () => {
    const { client } = current();
    const { url } = await TestQueue.make(client, { VisibilityTimeout: "45" });
    const QueueName = url.split("/").at(-1);
    const create = (VisibilityTimeout: string) =>
      client.send(
        new CreateQueueCommand({ QueueName, Attributes: { FifoQueue: "true", VisibilityTimeout } }),
      );
    expect((await create("45")).QueueUrl).toBe(url);
    await expect(create("46")).rejects.toMatchObject({ name: "QueueNameExists" });
  });

  test("attributes can be changed, and a deleted queue is gone", async () => {
    const { client } = current();
    const queue = await TestQueue.make(client);
    const QueueUrl = queue.url;
    await client.send(
      new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: "77" } }),
    );
    expect(await queue.attributes("VisibilityTimeout")).toEqual({ VisibilityTimeout: "77" });
    await client.send(new DeleteQueueCommand({ QueueUrl }));
    await expect(queue.send("m1")).rejects.toMatchObject({ name: "QueueDoesNotExist" });
  });

  test("a receive answers the system attributes it is asked for, by either name", async () => {
    const { client } = current();
    const queue = await TestQueue.make(client);
    const sent = await queue.send("m1", "g1", {
      MessageDeduplicationId: "d1",
      MessageSystemAttributes: {
        AWSTraceHeader: {
          DataType: "String",
          StringValue: "Root=1-5759e988-bd862e3fe1be46a994272793",
        },
      },
    });
    const [message] = await queue.receive({ MessageSystemAttributeNames: ["All"] });
    expect(message?.Attributes).toMatchObject({
      MessageGroupId: "g1",
      MessageDeduplicationId: "d1",
      SequenceNumber: sent.SequenceNumber,
      ApproximateReceiveCount: "1",
      SentTimestamp: expect.stringMatching(/^\d{13}$/),
      ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      AWSTraceHeader: "Root=1-5759e988-bd862e3fe1be46a994272793",
    });
    await queue.hide(message, 0);
    const [again] = await queue.receive({ MessageSystemAttributeNames: ["MessageGroupId"] });
    expect(again?.Attributes).toEqual({ MessageGroupId: "g1" });
    await queue.hide(again, 0);
    const [third] = await queue.receive({ AttributeNames: ["All"] });
    expect(third?.Attributes).toMatchObject({ MessageGroupId: "g1", ApproximateReceiveCount: "3" });
  });

  test("message attributes of all types come back with the digest that was answered at the send", async () => {
    const queue = await TestQueue.make(current().client);
    const MessageAttributes = {
      text: { DataType: "String", StringValue: "grüße" },
      count: { DataType: "Number.int", StringValue: "42" },
      bytes: { DataType: "Binary", BinaryValue: new Uint8Array([0, 1, 254]) },
    };
    const sent = await queue.send("m1", "g", { MessageAttributes });
    const [message] = await queue.receive({ MessageAttributeNames: ["All"] });
    expect(message?.MessageAttributes).toEqual(MessageAttributes);
    // By the algorithm of the SQS developer guide, calculated by another program.
    expect(sent.MD5OfMessageAttributes).toBe("0d294f58c9de0a88b2d1a30b9ce8dadc");
    expect(message?.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
  });

  test("the approximate counts tell visible, hidden and delayed messages apart", async () => {
    const queue = await TestQueue.make(current().client, { FifoQueue: "false" });
    for (const body of ["m1", "m2", "m3"]) await queue.send(body);
    await queue.send("later", "", { DelaySeconds: 60 });
    await queue.receive({ MaxNumberOfMessages: 1 });
    expect(
      await queue.attributes(
        "ApproximateNumberOfMessages",
        "ApproximateNumberOfMessagesNotVisible",
        "ApproximateNumberOfMessagesDelayed",
      ),
    ).toEqual({
      ApproximateNumberOfMessages: "2",
      ApproximateNumberOfMessagesNotVisible: "1",
      ApproximateNumberOfMessagesDelayed: "1",
    });
  });

  test("a standard queue delays single messages", async () => {
    const queue = await TestQueue.make(current().client, { FifoQueue: "false" });
    await queue.send("later", "", { DelaySeconds: 1 });
    await queue.send("now");
    expect(await queue.bodies()).toEqual(["now"]);
    await current().advance(1_500);
    expect(await queue.bodies()).toEqual(["later"]);
  });

  test("a FIFO queue delays every message by the delay of the queue", async () => {
    const queue = await TestQueue.make(current().client, { DelaySeconds: "1" });
    await queue.send("m1");
    expect(await queue.bodies()).toEqual([]);
    await current().advance(1_500);
    expect(await queue.bodies()).toEqual(["m1"]);
  });

  test("a purge takes all messages", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("m1");
    await queue.client.send(new PurgeQueueCommand({ QueueUrl: queue.url }));
    expect(await queue.bodies()).toEqual([]);
  });

  test("a move task brings messages of a dead-letter queue back as new ones", async () => {
    const { client, advance } = current();
    const dead = await TestQueue.make(client);
    const queue = await TestQueue.make(client, {
      VisibilityTimeout: "1",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: await dead.arn(), maxReceiveCount: 1 }),
    });
    const sources = await client.send(
      new ListDeadLetterSourceQueuesCommand({ QueueUrl: dead.url }),
    );
    expect(sources.queueUrls).toEqual([queue.url]);
    await queue.send("m1");
    await queue.receive();
    await advance(1_500);
    expect(await queue.bodies()).toEqual([]);
    await client.send(new StartMessageMoveTaskCommand({ SourceArn: await dead.arn() }));
    const [message] = await queue.receive({
      WaitTimeSeconds: 2,
      MessageSystemAttributeNames: ["ApproximateReceiveCount"],
    });
    expect([message?.Body, message?.Attributes?.ApproximateReceiveCount]).toEqual(["m1", "1"]);
    expect(await dead.bodies()).toEqual([]);
  });
}
