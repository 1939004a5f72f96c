import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { Logger } from "../shared/api/log.ts";
import type { Mapping } from "../shared/api/mapping.ts";
import type { Clock } from "../shared/clock.ts";
import { decodeRequest } from "../shared/queue/request-codec.ts";
import { keptByAnswer } from "./batch-answer.ts";
import type { FunctionPause } from "./function-pause.ts";
import type { FunctionPool } from "./function-pool.ts";
import type { Ended } from "./function-process.ts";

export interface FunctionRunnerOptions {
  readonly name: string;
  readonly queueUrl: string;
  /** Asked before each receive: an edit of the definition changes it. */
  readonly mapping: () => Mapping;
  /** Makes the queue again where somebody deleted it; senders keep what it did not take. */
  readonly ensureQueue: () => Promise<unknown>;
  readonly pool: FunctionPool;
  /** Where it can be paused. */
  readonly pause?: FunctionPause;
  readonly sqs: SQSClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/** As long as a receive may wait. */
const WAIT_SECONDS = 20;

/** After a receive that failed: the queue may be starting anew. */
const RETRY_MS = 1_000;

/** Code that does not load is mended by an edit, sooner than the visibility timeout is over. */
const INIT_RETRY_SECONDS = 5;

/**
 * Works off a queue as Lambda's event source mapping does: batches that mix message groups, at most
 * `maximumConcurrency` invocations at a time, and afterwards all messages deleted that the answer
 * does not name. Runs until the signal is aborted, and then until the last invocation ended; never
 * rejects.
 */
export async function runFunction(
  options: FunctionRunnerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { pool, clock, log, name } = options;
  const running = new Set<Promise<void>>();
  const freed = { resolve: () => {} };
  signal.addEventListener("abort", () => freed.resolve(), { once: true });
  let failure = ""; // Told once for as long as it lasts.
  while (!signal.aborted) {
    if (options.pause?.signal.aborted) {
      await rest(options.pause, running, signal);
      continue;
    }
    if (!pool.free || running.size >= options.mapping().maximumConcurrency) {
      await new Promise<void>((resolve) => {
        freed.resolve = resolve;
      });
      continue;
    }
    const messages = await receive(options, signal);
    if (messages instanceof Error) {
      if (failure !== messages.message)
        log.warn("cannot receive", { function: name, error: messages });
      failure = messages.message;
      await clock.sleep(RETRY_MS, signal);
      continue;
    }
    failure = "";
    if (messages.length === 0) continue;
    const run = invoke(options, messages).finally(() => {
      running.delete(run);
      freed.resolve();
    });
    running.add(run);
  }
  await Promise.all(running);
}

/** Takes no messages until it is resumed, and tells when the last that it had taken has run. */
async function rest(
  pause: FunctionPause,
  running: ReadonlySet<Promise<void>>,
  signal: AbortSignal,
): Promise<void> {
  const resumed = pause.resumed(signal);
  await Promise.race([Promise.all(running), resumed]);
  if (running.size === 0) pause.rested();
  await resumed;
}

async function receive(
  { sqs, queueUrl, mapping, ensureQueue, pause }: FunctionRunnerOptions,
  stop: AbortSignal,
): Promise<readonly Message[] | Error> {
  const signal = pause ? AbortSignal.any([stop, pause.signal]) : stop;
  try {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: mapping().batchSize,
        WaitTimeSeconds: WAIT_SECONDS,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
      }),
      { abortSignal: signal },
    );
    return Messages;
  } catch (error) {
    if (signal.aborted) return [];
    if (error instanceof QueueDoesNotExist) await ensureQueue().catch(() => {}); // Tried again.
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function invoke(options: FunctionRunnerOptions, messages: readonly Message[]): Promise<void> {
  const ended = await options.pool.invoke(eventOf(options, messages));
  const ids = new Set(messages.map(({ MessageId = "" }) => MessageId));
  const kept = ended.type === "response" ? keptByAnswer(ended.body, ids) : ({ all: true } as const);
  if (ended.type === "failed") await noteFailure(options, messages, ended);
  if (kept.all && "why" in kept) {
    options.log.error("the whole batch failed", {
      function: options.name,
      error: kept.why,
      objects: objectsOf(messages),
    });
  }
  if (kept.all) return;
  await acknowledge(
    options,
    messages.filter(({ MessageId = "" }) => !kept.ids.has(MessageId)),
  );
}

async function noteFailure(
  { sqs, queueUrl, log, name }: FunctionRunnerOptions,
  messages: readonly Message[],
  { reason, message, at }: Ended & { type: "failed" },
): Promise<void> {
  log.error("function failed", {
    function: name,
    reason,
    error: message,
    ...(at !== undefined && { at }),
    objects: objectsOf(messages),
  });
  if (reason !== "init") return;
  const Entries = messages.map(({ ReceiptHandle }, index) => ({
    Id: String(index),
    ReceiptHandle,
    VisibilityTimeout: INIT_RETRY_SECONDS,
  }));
  await sqs
    .send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }))
    .catch((error: unknown) => log.warn("cannot change visibility", { function: name, error }));
}

/** Which objects a batch is about: the one that ended a process is among them. */
function objectsOf(messages: readonly Message[]): readonly string[] {
  const names = messages.map(({ Body = "" }) => {
    const request = decodeRequest(Body);
    if ("unreadable" in request) return "unreadable";
    const { namespace, name } = "ok" in request ? request.ok : request.newer;
    return namespace === "" ? name : `${namespace}/${name}`;
  });
  return [...new Set(names)];
}

async function acknowledge(
  { sqs, queueUrl, log, name }: FunctionRunnerOptions,
  messages: readonly Message[],
): Promise<void> {
  if (messages.length === 0) return;
  const Entries = messages.map(({ ReceiptHandle }, index) => ({
    Id: String(index),
    ReceiptHandle,
  }));
  // What cannot be deleted comes back and runs once more, which is harmless.
  await sqs
    .send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
    .catch((error: unknown) => log.warn("cannot delete messages", { function: name, error }));
}

/** The event that Lambda makes of a batch. https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
function eventOf({ name }: FunctionRunnerOptions, messages: readonly Message[]): object {
  return {
    Records: messages.map((message) => ({
      messageId: message.MessageId,
      receiptHandle: message.ReceiptHandle,
      body: message.Body,
      attributes: message.Attributes ?? {},
      messageAttributes: message.MessageAttributes ?? {},
      md5OfBody: message.MD5OfBody,
      eventSource: "aws:sqs",
      eventSourceARN: `arn:aws:sqs:local:000000000000:${name}.fifo`,
      awsRegion: "local",
    })),
  };
}
