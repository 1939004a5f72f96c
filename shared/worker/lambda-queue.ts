import { randomUUID } from "node:crypto";
import { systemClock } from "../clock.ts";
import type { RequestQueue } from "../queue/request-queue.ts";
import { createSqsClient } from "../queue/sqs-client.ts";
import { createSqsRequestQueue } from "../queue/sqs-request-queue.ts";
import { createLogger } from "../telemetry/log.ts";
import { noMetrics } from "../telemetry/metrics.ts";

/** Queues by their URL: caches that are safe to lose. */
const queues = new Map<string, RequestQueue>();

/** The queue behind a URL, for senders; made once a process. */
export function queueFor(queueUrl: string): { queue: RequestQueue; newId: () => string } {
  const newId = randomUUID;
  const queue = queues.get(queueUrl) ?? sendingTo(queueUrl, newId);
  queues.set(queueUrl, queue);
  return { queue, newId };
}

function sendingTo(queueUrl: string, newId: () => string): RequestQueue {
  const clock = systemClock;
  const log = createLogger({
    write: (line) => void process.stdout.write(`${line}\n`),
    nowMs: clock.nowMs,
  });
  const common = { clock, random: Math.random, newId, log, metrics: noMetrics };
  return createSqsRequestQueue({ ...common, client: createSqsClient(), queueUrl });
}
