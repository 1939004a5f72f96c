import type { Clock } from "../shared/clock.ts";
import type { SqsInput } from "./sqs-input.ts";
import type { SqsQueue } from "./sqs-queue.ts";
import type { SqsChange } from "./sqs-store.ts";

/** What an action knows of its call beside the input. */
export interface SqsCall {
  /** Aborted when nobody waits for the answer any more: a long poll then takes no messages. */
  readonly signal?: AbortSignal;
  /** The X-Ray header of the request, which becomes the message's `AWSTraceHeader`. */
  readonly traceHeader?: string | undefined;
  /** The beginning of queue URLs in this answer. */
  readonly baseUrl?: string;
}

/** The service as its actions see it. */
export interface SqsService {
  readonly clock: Clock;
  readonly newId: () => string;
  /** The server stops: long polls must end. */
  readonly closed: boolean;
  readonly queues: ReadonlyMap<string, SqsQueue>;
  /** The queue that `QueueUrl` names; throws QueueDoesNotExist. The host of the URL does not matter. */
  queueOf(input: SqsInput): SqsQueue;
  /** The queue of an ARN, if it is one of ours. */
  queueByArn(arn: string): SqsQueue | undefined;
  urlOf(name: string, call: SqsCall): string;
  arnOf(name: string): string;
  /** A number that no message has yet. */
  takeSeq(): number;
  /** Keeps and carries out changes, and wakes the long polls of their queues. */
  commit(...changes: readonly SqsChange[]): void;
  /** Removes messages older than the queue's retention period. */
  dropExpired(queue: SqsQueue): void;
  /** Resolves when something happened to the queue, after `ms`, or when the signal is aborted. */
  wait(queue: string, ms: number, signal?: AbortSignal): Promise<void>;
}
