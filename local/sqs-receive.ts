import { SqsError } from "./sqs-error.ts";
import { integerOf, type SqsInput, textOf, textsOf } from "./sqs-input.ts";
import { receivedMessage, type SqsMessage } from "./sqs-message.ts";
import type { SqsQueue } from "./sqs-queue.ts";
import { receiptHandle } from "./sqs-receipt.ts";
import { buryDead } from "./sqs-redrive.ts";
import type { SqsCall, SqsService } from "./sqs-service.ts";

/**
 * Messages in flight at most: beyond that a FIFO queue answers as if it were empty, and a standard
 * queue with OverLimit. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-fifo.html
 */
export const MAX_IN_FLIGHT = 120_000;

/** How long a ReceiveRequestAttemptId can be used again. */
const ATTEMPT_MS = 5 * 60_000;

interface Request {
  readonly max: number;
  readonly visibilityMs: number;
  readonly waitMs: number;
  readonly attemptId: string | undefined;
  readonly asked: { readonly system: readonly string[]; readonly own: readonly string[] };
}

/** Receives that can be repeated by their attempt id; losing them is harmless. */
const attempts = new WeakMap<SqsQueue, Map<string, { atMs: number; messages: SqsMessage[] }>>();

/**
 * The action ReceiveMessage. A long poll ends with the first messages, when its time is over, when
 * its caller is gone (it then takes none) or when the server stops.
 */
export async function receiveMessage(
  core: SqsService,
  input: SqsInput,
  { signal }: SqsCall,
): Promise<object> {
  const request = requestOf(input, core.queueOf(input));
  const endMs = core.clock.monotonicMs() + request.waitMs;
  for (;;) {
    if (signal?.aborted || core.closed) return {};
    const queue = core.queueOf(input); // Again each time: it can be deleted during the wait.
    const messages = take(core, queue, request);
    if (messages.length > 0) return answer(queue, messages, request);
    const leftMs = endMs - core.clock.monotonicMs();
    if (leftMs <= 0) return {};
    const nextMs = (queue.nextVisibleMs() ?? Number.POSITIVE_INFINITY) - core.clock.nowMs();
    await core.wait(queue.name, Math.min(leftMs, Math.max(1, nextMs)), signal);
  }
}

function requestOf(input: SqsInput, queue: SqsQueue): Request {
  const visibility = integerOf(input, "VisibilityTimeout", { min: 0, max: 43_200 });
  const wait = integerOf(input, "WaitTimeSeconds", { min: 0, max: 20 });
  return {
    max: integerOf(input, "MaxNumberOfMessages", { min: 1, max: 10 }) ?? 1,
    visibilityMs: 1_000 * (visibility ?? queue.number("VisibilityTimeout")),
    waitMs: 1_000 * (wait ?? queue.number("ReceiveMessageWaitTimeSeconds")),
    attemptId: textOf(input, "ReceiveRequestAttemptId"),
    asked: {
      system: [
        ...textsOf(input, "AttributeNames"),
        ...textsOf(input, "MessageSystemAttributeNames"),
      ],
      own: textsOf(input, "MessageAttributeNames"),
    },
  };
}

function take(core: SqsService, queue: SqsQueue, request: Request): SqsMessage[] {
  const nowMs = core.clock.nowMs();
  const again = repeated(core, queue, request);
  if (again) return again;
  core.dropExpired(queue);
  if (overLimit(queue, nowMs)) return [];

  let found = queue.deliverable(nowMs, request.max);
  while (buryDead(core, queue, found)) found = queue.deliverable(nowMs, request.max);
  const visibleAtMs = nowMs + request.visibilityMs;
  const steps = found.map(({ seq }) => {
    return { op: "take", seq, receipt: core.newId(), atMs: nowMs, visibleAtMs } as const;
  });
  if (steps.length > 0) core.commit(...steps.map((step) => ({ queue: queue.name, step })));
  const taken = current(queue, steps);
  remember(queue, request, { atMs: nowMs, messages: taken });
  return taken;
}

function overLimit(queue: SqsQueue, nowMs: number): boolean {
  if (queue.size < MAX_IN_FLIGHT || queue.counts(nowMs).inFlight < MAX_IN_FLIGHT) return false;
  if (queue.fifo) return true;
  throw new SqsError("OverLimit", `There are ${MAX_IN_FLIGHT} messages in flight.`);
}

/** The messages of an earlier receive of the same attempt, hidden anew, if none was touched since. */
function repeated(core: SqsService, queue: SqsQueue, request: Request): SqsMessage[] | undefined {
  const earlier = queue.fifo && request.attemptId && attempts.get(queue)?.get(request.attemptId);
  const nowMs = core.clock.nowMs();
  if (!earlier || earlier.atMs + ATTEMPT_MS <= nowMs) return undefined;
  const untouched = earlier.messages.every(
    (message) => queue.message(message.seq) === message && message.visibleAtMs > nowMs,
  );
  if (!untouched) return undefined;
  const visibleAtMs = nowMs + request.visibilityMs;
  for (const { seq } of earlier.messages) {
    core.commit({ queue: queue.name, step: { op: "hide", seq, visibleAtMs } });
  }
  earlier.messages = current(queue, earlier.messages);
  return earlier.messages;
}

function remember(
  queue: SqsQueue,
  { attemptId }: Request,
  receive: { atMs: number; messages: SqsMessage[] },
): void {
  if (!attemptId || receive.messages.length === 0) return;
  const known = attempts.get(queue) ?? new Map();
  attempts.set(queue, known.set(attemptId, receive));
  for (const [id, { atMs }] of known) if (atMs + ATTEMPT_MS <= receive.atMs) known.delete(id);
}

function current(queue: SqsQueue, seqs: readonly { readonly seq: number }[]): SqsMessage[] {
  return seqs.map(({ seq }) => queue.message(seq)).filter((message) => message !== undefined);
}

function answer(queue: SqsQueue, messages: readonly SqsMessage[], { asked }: Request): object {
  return {
    Messages: messages.map((message) => {
      const { seq, receipt = "" } = message;
      return receivedMessage(message, asked, receiptHandle(queue.name, { seq, receipt }));
    }),
  };
}
