import type { Acknowledgement } from "../queue/decide-end.ts";
import type { Host } from "./batch.ts";
import type { Deadline } from "./deadline.ts";
import type { MessageGroup } from "./message-groups.ts";
import type { SqsRecord } from "./sqs-event.ts";

/** What an invocation gives to each of its groups. */
export interface Turn {
  readonly deadline: Deadline;
  /** Settles once the first visibility of all messages is set. */
  readonly visible: Promise<unknown>;
}

/** What became of a group: messages to acknowledge, and messages that stay. */
export interface GroupAnswer {
  readonly done: readonly SqsRecord[];
  readonly failed: readonly SqsRecord[];
}

/** After a lock has expired, its key's messages come back with so much room. */
const AFTER_LOCK_MS = 1_000;

/** Another run has the key. None of the messages is acknowledged: that run may have read too early. */
export async function waitForLock(
  { queue, clock }: Host,
  { messages }: MessageGroup,
  { visible }: Turn,
  runUntil: number,
): Promise<GroupAnswer> {
  const seconds = Math.max(1, Math.ceil((runUntil + AFTER_LOCK_MS - clock.nowMs()) / 1_000));
  await visible;
  await queue.changeVisibility(messages.map(({ receiptHandle }) => ({ receiptHandle, seconds })));
  return { done: [], failed: messages };
}

/** Does with the messages of a group what the end decided, once it was written (Q6). */
export async function acknowledge(
  { queue, log }: Host,
  { request, messages }: MessageGroup,
  { visible }: Turn,
  then: Acknowledgement,
): Promise<GroupAnswer> {
  const [first, ...rest] = messages;
  await visible;
  switch (then.kind) {
    case "acknowledge":
      return { done: messages, failed: [] };
    case "retry": {
      if (!first) return { done: [], failed: [] };
      const { receiptHandle } = first;
      await queue.changeVisibility([{ receiptHandle, seconds: then.visibilitySeconds }]);
      return { done: rest, failed: [first] };
    }
    case "dead_letter":
      try {
        await queue.deadLetter(request, then.error);
        return { done: messages, failed: [] };
      } catch (error) {
        // Safe: the messages stay, and the next run decides the same.
        log.error("request that is given up not put into the dead-letter queue", { error });
        return { done: [], failed: messages };
      }
  }
}
