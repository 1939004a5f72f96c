import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { Clock } from "../clock.ts";

/** When a server says that it answered, and when we asked and heard of it by our monotonic clock. */
export interface AnswerTimes {
  /** The Date header, parsed: milliseconds since 1970, cut to whole seconds by the server. */
  readonly dateMs: number;
  readonly sentMs: number;
  readonly receivedMs: number;
}

export interface AnswerObserver {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly observe: (answer: AnswerTimes) => void;
}

/** Tells the observer of every answer of a client, those of failed and repeated attempts included. */
export function observeAnswers(
  client: DynamoDBClient | SQSClient,
  { clock, observe }: AnswerObserver,
): void {
  // The stacks differ only in the types of input and output, which stay untouched here.
  const stack = client.middlewareStack as DynamoDBClient["middlewareStack"];
  stack.add(
    (next) => async (args) => {
      const sentMs = clock.monotonicMs();
      const result = await next(args);
      const dateMs = Date.parse(dateHeader(result.response));
      if (!Number.isNaN(dateMs)) observe({ dateMs, sentMs, receivedMs: clock.monotonicMs() });
      return result;
    },
    // Innermost: below retries, signing and the deserializer that throws on errors.
    { name: "observeAnswers", step: "deserialize", priority: "low" },
  );
}

function dateHeader(response: unknown): string {
  const { headers } = (response ?? {}) as { headers?: { readonly date?: string } };
  return headers?.date ?? "";
}
