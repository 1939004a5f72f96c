import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  type QueueAttributeName,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from "@aws-sdk/client-sqs";

let made = 0;

/** A client of a server on this machine, which repeats nothing. */
export function testClient(endpoint: string): SQSClient {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  return new SQSClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
}

/** A queue of its own for one test, with short calls. */
export class TestQueue {
  readonly url: string;
  readonly client: SQSClient;
  #sent = 0;

  constructor(client: SQSClient, url: string) {
    this.client = client;
    this.url = url;
  }

  /** A FIFO queue, unless `FifoQueue` is given as "false". */
  static async make(
    client: SQSClient,
    attributes: Record<string, string> = {},
  ): Promise<TestQueue> {
    made += 1;
    const { FifoQueue = "true", ...others } = attributes;
    const fifo = FifoQueue === "true";
    const { QueueUrl = "" } = await client.send(
      new CreateQueueCommand({
        QueueName: `test-${process.pid}-${made}${fifo ? ".fifo" : ""}`,
        Attributes: { ...(fifo && { FifoQueue }), ...others },
      }),
    );
    return new TestQueue(client, QueueUrl);
  }

  /** Sends to a group with an id of its own; `more` overrides both. */
  async send(body: string, group = "g", more: Partial<SendMessageCommandInput> = {}) {
    this.#sent += 1;
    return await this.client.send(
      new SendMessageCommand({
        QueueUrl: this.url,
        MessageBody: body,
        ...(this.fifo && {
          MessageGroupId: group,
          MessageDeduplicationId: `id-${this.#sent}`,
        }),
        ...more,
      }),
    );
  }

  /** Receives up to ten messages at once. */
  async receive(more: Partial<ReceiveMessageCommandInput> = {}): Promise<Message[]> {
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({ QueueUrl: this.url, MaxNumberOfMessages: 10, ...more }),
    );
    return Messages;
  }

  async bodies(more: Partial<ReceiveMessageCommandInput> = {}): Promise<(string | undefined)[]> {
    return (await this.receive(more)).map(({ Body }) => Body);
  }

  async delete(message: Message | undefined): Promise<void> {
    const { ReceiptHandle } = message ?? {};
    await this.client.send(new DeleteMessageCommand({ QueueUrl: this.url, ReceiptHandle }));
  }

  async hide(message: Message | undefined, VisibilityTimeout: number): Promise<void> {
    const { ReceiptHandle } = message ?? {};
    await this.client.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: this.url, ReceiptHandle, VisibilityTimeout }),
    );
  }

  async attributes(...AttributeNames: QueueAttributeName[]) {
    const { Attributes = {} } = await this.client.send(
      new GetQueueAttributesCommand({ QueueUrl: this.url, AttributeNames }),
    );
    return Attributes;
  }

  async arn(): Promise<string> {
    return (await this.attributes("QueueArn")).QueueArn ?? "";
  }

  get fifo(): boolean {
    return this.url.endsWith(".fifo");
  }
}
