import { recordId } from "../shared/queue/record-store.ts";
import type { ReconcileRequest } from "../shared/queue/request.ts";
import { uniqueCause } from "../shared/queue/request-codec.ts";
import type { RequestQueue } from "../shared/queue/request-queue.ts";
import { createSqsRequestQueue } from "../shared/queue/sqs-request-queue.ts";
import { noMetrics } from "../shared/telemetry/metrics.ts";
import type { CommandContext } from "./command-context.ts";
import { commandLog, type Place } from "./operate-place.ts";

/** Sends requests to one queue. */
export interface Sender {
  /**
   * Sends requests with unique ids (Q10), and lets those go at once whose earlier request waits out a
   * backoff (step 5). Resolves to whether each was accepted, in the order given.
   */
  readonly send: (requests: readonly ReconcileRequest[]) => Promise<readonly boolean[]>;
}

/** Sends to the queue of a controller. */
export function senderTo(place: Place, queueUrl: string, context: CommandContext): Sender {
  const { clock, newId } = context;
  const queue = createSqsRequestQueue({
    client: place.sqs,
    queueUrl,
    clock,
    random: Math.random,
    newId,
    log: commandLog(context),
    metrics: noMetrics,
  });
  return {
    send: async (requests) => {
      const outgoing = requests.map((request) => ({ request, cause: uniqueCause(newId) }));
      const accepted = await queue.send(outgoing);
      await wakeWaiting(place, queue, requests);
      return accepted;
    },
  };
}

/** A group is locked while its first message waits: the new request would wait behind it. */
async function wakeWaiting(
  { store }: Place,
  queue: RequestQueue,
  requests: readonly ReconcileRequest[],
): Promise<void> {
  const { records } = await store.read(requests);
  const handles = requests.flatMap((request) => records.get(recordId(request))?.retryHandle ?? []);
  await Promise.all(handles.map((handle) => queue.wake(handle)));
}
