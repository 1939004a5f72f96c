import type { BatchResultErrorEntry } from "@aws-sdk/client-sqs";
import type { Clock } from "../clock.ts";
import { chunksOf } from "./chunks-of.ts";

/** An entry of a batch, with the id by which the answer names it. */
export interface BatchEntry<E> {
  readonly Id: string;
  readonly entry: E;
}

export interface BatchCall<E> {
  /** One call of SQS with at most 10 entries; resolves to the answer's `Failed`. */
  readonly call: (
    entries: readonly BatchEntry<E>[],
  ) => Promise<readonly BatchResultErrorEntry[] | undefined>;
  /** Told of each entry that was given up, with the service's own words. */
  readonly refused: (entry: E, reason: { readonly code: string; readonly message: string }) => void;
  readonly clock: Pick<Clock, "sleep">;
  readonly random: () => number;
}

/**
 * Sends entries in batches of 10. SQS answers 200 and lists single entries under `Failed`; the SDK
 * repeats whole calls only. So those entries are sent again alone, unless the fault is theirs.
 * Resolves to whether each was accepted, in the order given; never rejects.
 */
export async function inBatches<E>(
  entries: readonly E[],
  batch: BatchCall<E>,
): Promise<readonly boolean[]> {
  const named = entries.map((entry, index) => ({ Id: String(index), entry }));
  const batches = chunksOf(named, ENTRIES_A_CALL);
  const refused = new Set(
    (await Promise.all(batches.map((part) => sendBatch(part, batch)))).flat(),
  );
  return named.map(({ Id }) => !refused.has(Id));
}

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const ENTRIES_A_CALL = 10;
const TRIES = 4;
const FIRST_PAUSE_MS = 100;

/** Resolves to the ids of entries that were given up. */
async function sendBatch<E>(
  batch: readonly BatchEntry<E>[],
  { call, refused, clock, random }: BatchCall<E>,
): Promise<readonly string[]> {
  let left = batch;
  const givenUp: string[] = [];
  for (let tries = 1; left.length > 0; tries += 1) {
    const failed = await failedOf(left, call);
    const again: BatchEntry<E>[] = [];
    for (const each of left) {
      const error = failed.get(each.Id);
      if (error && !error.permanent && tries < TRIES) again.push(each);
      else if (error) {
        refused(each.entry, error);
        givenUp.push(each.Id);
      }
    }
    left = again;
    if (left.length > 0)
      await clock.sleep(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + random() / 2));
  }
  return givenUp;
}

interface EntryError {
  readonly code: string;
  readonly message: string;
  /** Sent again it would be refused again. */
  readonly permanent: boolean;
}

async function failedOf<E>(
  entries: readonly BatchEntry<E>[],
  call: BatchCall<E>["call"],
): Promise<ReadonlyMap<string, EntryError>> {
  try {
    const failed = (await call(entries)) ?? [];
    return new Map(failed.map((each) => [each.Id ?? "", entryError(each)]));
  } catch (error) {
    // The whole call failed, after the SDK's own repetitions: none is known to be accepted.
    const { name: code, message } = error instanceof Error ? error : new Error(String(error));
    return new Map(entries.map(({ Id }) => [Id, { code, message, permanent: false }]));
  }
}

function entryError({ Code = "", Message = "", SenderFault }: BatchResultErrorEntry): EntryError {
  const throttled = /throttl/i.test(Code);
  return { code: Code, message: Message, permanent: SenderFault === true && !throttled };
}
