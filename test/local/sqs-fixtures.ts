import { SqsCore } from "../../local/sqs-core.ts";
import type { SqsCall } from "../../local/sqs-service.ts";
import type { SqsState } from "../../local/sqs-store.ts";
import type { Logger } from "../../shared/api/log.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";

/** A log that nobody reads. */
export const quietLog: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Ids that are the same in each run. */
export function sequentialIds(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `id-${last}`;
  };
}

/** A log that keeps its warnings and errors. */
export function recordingLog(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string) => void lines.push(message);
  return { lines, debug() {}, info() {}, warn: keep, error: keep };
}

/** A received message, as far as tests look at it. */
export interface Received {
  readonly MessageId: string;
  readonly Body: string;
  readonly ReceiptHandle: string;
  readonly Attributes: Readonly<Record<string, string>>;
}

/** A core on a virtual clock, and one queue of it with short calls. */
export class CoreQueue {
  readonly core: SqsCore;
  readonly clock: VirtualClock;
  readonly url: string;
  #sent = 0;

  constructor(core: SqsCore, clock: VirtualClock, url: string) {
    this.core = core;
    this.clock = clock;
    this.url = url;
  }

  /** A FIFO queue named `q.fifo` unless told otherwise. */
  static async make(
    Attributes: Record<string, string> = {},
    { clock = new VirtualClock(), core = newCore(clock), name = "q.fifo" }: CoreQueueOptions = {},
  ): Promise<CoreQueue> {
    const fifo = name.endsWith(".fifo") ? { FifoQueue: "true" } : {};
    const input = { QueueName: name, Attributes: { ...fifo, ...Attributes } };
    const { QueueUrl } = (await core.call("CreateQueue", input)) as { QueueUrl: string };
    return new CoreQueue(core, clock, QueueUrl);
  }

  /** Calls an action on this queue. */
  async call<T = object>(action: string, input: object = {}, call?: SqsCall): Promise<T> {
    return (await this.core.call(action, { QueueUrl: this.url, ...input }, call)) as T;
  }

  /** Sends with an id of its own, unless told otherwise. */
  async send(body: string, more: Record<string, unknown> = {}) {
    this.#sent += 1;
    const ids = { MessageGroupId: "g", MessageDeduplicationId: `id-${this.#sent}` };
    return await this.call<{ MessageId: string }>("SendMessage", {
      MessageBody: body,
      ...(this.url.endsWith(".fifo") && ids),
      ...more,
    });
  }

  /** Receives up to ten messages with their system attributes. */
  async receive(more: Record<string, unknown> = {}, call?: SqsCall): Promise<Received[]> {
    const input = { MaxNumberOfMessages: 10, AttributeNames: ["All"], ...more };
    const { Messages = [] } = await this.call<{ Messages?: Received[] }>(
      "ReceiveMessage",
      input,
      call,
    );
    return Messages;
  }

  async bodies(more: Record<string, unknown> = {}, call?: SqsCall): Promise<string[]> {
    return (await this.receive(more, call)).map(({ Body }) => Body);
  }

  async delete({ ReceiptHandle }: { ReceiptHandle: string }): Promise<void> {
    await this.call("DeleteMessage", { ReceiptHandle });
  }

  async hide(
    { ReceiptHandle }: { ReceiptHandle: string },
    VisibilityTimeout: number,
  ): Promise<void> {
    await this.call("ChangeMessageVisibility", { ReceiptHandle, VisibilityTimeout });
  }

  async arn(): Promise<string> {
    const input = { AttributeNames: ["QueueArn"] };
    const answer = await this.call<{ Attributes: { QueueArn: string } }>(
      "GetQueueAttributes",
      input,
    );
    return answer.Attributes.QueueArn;
  }
}

interface CoreQueueOptions {
  readonly clock?: VirtualClock;
  readonly core?: SqsCore;
  readonly name?: string;
}

export function newCore(clock: VirtualClock, state?: SqsState): SqsCore {
  return new SqsCore({ clock, newId: sequentialIds(), log: quietLog, state });
}

/** The only element of a list; fails where there is another number of them. */
export function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (list.length !== 1 || first === undefined) {
    throw new Error(`taking the only element: expected 1, got ${list.length}`);
  }
  return first;
}
