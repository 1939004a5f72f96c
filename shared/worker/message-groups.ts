import type { Logger } from "../api/log.ts";
import { recordId } from "../queue/record-store.ts";
import type { ReconcileRequest } from "../queue/request.ts";
import { decodeRequest } from "../queue/request-codec.ts";
import type { SqsRecord } from "./sqs-event.ts";

/** The messages of one key in a batch: one run serves them all (Q7). */
export interface MessageGroup {
  /** Of the first message. */
  readonly request: ReconcileRequest;
  /** At least one, in the order of the batch. */
  readonly messages: readonly SqsRecord[];
}

/** The messages of a batch by what is to be done with them. */
export interface SortedBatch {
  readonly groups: readonly MessageGroup[];
  /** Of another controller or cluster than this code serves (Q12): they stay in the queue. */
  readonly strangers: readonly SqsRecord[];
  /** Without a readable key (Q12), with the reason. */
  readonly unreadable: readonly { readonly message: SqsRecord; readonly why: string }[];
  /** How many are of a newer version than this code writes; they are run by their keys. */
  readonly newerCount: number;
}

/** Sorts a batch for the controller of a cluster. */
export function sortBatch(
  records: readonly SqsRecord[],
  served: { readonly cluster: string; readonly controller: string },
  log: Logger,
): SortedBatch {
  const groups = new Map<string, { request: ReconcileRequest; messages: SqsRecord[] }>();
  const strangers: SqsRecord[] = [];
  const unreadable: { message: SqsRecord; why: string }[] = [];
  let newerCount = 0;
  for (const message of records) {
    const decoded = decodeRequest(message.body);
    if ("unreadable" in decoded) {
      unreadable.push({ message, why: decoded.unreadable });
      continue;
    }
    const request = "ok" in decoded ? decoded.ok : decoded.newer;
    if ("newer" in decoded) newerCount += 1;
    if (request.cluster !== served.cluster || request.controller !== served.controller) {
      const { cluster, controller } = request;
      log.warn("request for another controller stays in the queue", {
        for: { cluster, controller },
      });
      strangers.push(message);
      continue;
    }
    const group = groups.get(recordId(request)) ?? { request, messages: [] };
    groups.set(recordId(request), group);
    group.messages.push(message);
  }
  return { groups: [...groups.values()], strangers, unreadable, newerCount };
}
