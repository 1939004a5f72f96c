import { DeleteMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { chunksOf } from "../shared/queue/chunks-of.ts";
import { recordId } from "../shared/queue/record-store.ts";
import type { ReconcileRequest } from "../shared/queue/request.ts";
import { type DeadLetter, putBack, takeDeadLetters } from "./dead-letters.ts";
import type { Sender } from "./operate-send.ts";

/** What became of the dead letters of one object. */
export interface RedrivenObject {
  readonly namespace: string;
  readonly name: string;
  readonly letters: number;
  readonly error: string | null;
}

/** What became of a dead-letter queue. */
export interface Redriven {
  /** Objects for which a fresh request is in the queue. */
  readonly objects: readonly RedrivenObject[];
  /** Message ids of those without a readable key, which stay. */
  readonly unreadable: readonly string[];
  /** Objects whose request the queue did not accept; their letters stay. */
  readonly refused: readonly RedrivenObject[];
}

export interface RedriveOptions {
  readonly sqs: SQSClient;
  readonly deadLetterQueueUrl: string;
  readonly sender: Sender;
  /** When the command began, by the clock of SQS. */
  readonly startedAtMs: number;
  /** Letters at most. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly told: (letters: number) => void;
}

/**
 * Moves dead letters back as fresh requests. A letter is deleted only after the queue accepted its
 * request, so that an end at any point leaves a request twice at worst, and loses none. One request
 * stands for all letters of an object that came together. What stays is put back, as do letters of
 * objects whose run failed again meanwhile: else one that fails at once would go round for ever.
 */
export async function redriveLetters(options: RedriveOptions): Promise<Redriven> {
  const { sqs, deadLetterQueueUrl, limit, signal, told } = options;
  const done = new Outcome();
  const kept: DeadLetter[] = [];
  try {
    for (let taken = 0; taken < limit && !signal.aborted; ) {
      const queueUrl = deadLetterQueueUrl;
      const letters = await takeDeadLetters(sqs, { queueUrl, limit: limit - taken });
      if (letters.length === 0) break;
      const [again, fresh] = splitBy(letters, (letter) => done.cameBack(letter, options));
      taken += fresh.length;
      kept.push(...again, ...(await redriveSome(options, fresh, done)));
      told(taken);
    }
  } finally {
    await putBack(sqs, deadLetterQueueUrl, kept);
  }
  return done.result();
}

/** Resolves to the letters that stay. */
async function redriveSome(
  { sqs, deadLetterQueueUrl, sender }: RedriveOptions,
  letters: readonly DeadLetter[],
  done: Outcome,
): Promise<readonly DeadLetter[]> {
  if (letters.length === 0) return [];
  const groups = lettersByObject(letters);
  const accepted = await sender.send(
    groups.map(({ request }) => ({ ...request, reason: "redrive" as const })),
  );
  const moved = groups.filter((_group, index) => accepted[index]);
  const refused = groups.filter((_group, index) => !accepted[index]);
  await deleteLetters(
    sqs,
    deadLetterQueueUrl,
    moved.flatMap((group) => group.letters),
  );
  const unreadable = letters.filter(({ request }) => request === undefined);
  done.add({ moved, refused, unreadable });
  return [...unreadable, ...refused.flatMap((group) => group.letters)];
}

interface Group {
  readonly request: ReconcileRequest;
  readonly letters: DeadLetter[];
}

/** The letters with a readable key, by object. */
export function lettersByObject(letters: readonly DeadLetter[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const letter of letters) {
    if (!letter.request) continue;
    const id = recordId(letter.request);
    const group = groups.get(id) ?? { request: letter.request, letters: [] };
    group.letters.push(letter);
    groups.set(id, group);
  }
  return [...groups.values()];
}

/** What is told of the letters of an object. */
export function objectOf({ request, letters }: Group): RedrivenObject {
  const { namespace, name } = request;
  const error = letters.find((letter) => letter.error !== undefined)?.error ?? null;
  return { namespace, name, letters: letters.length, error };
}

/** One that cannot be deleted comes back, and its object runs once more. */
async function deleteLetters(
  sqs: SQSClient,
  QueueUrl: string,
  letters: readonly DeadLetter[],
): Promise<void> {
  for (const part of chunksOf(letters, 10)) {
    const Entries = part.map(({ receiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
    }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}

function splitBy<T>(all: readonly T[], belongs: (each: T) => boolean): readonly [T[], T[]] {
  const groups = Object.groupBy(all, (each) => (belongs(each) ? "yes" : "no"));
  return [groups.yes ?? [], groups.no ?? []];
}

/** The clock that a place goes by is right to about that. */
const CLOCK_MS = 1_000;

/** Counts over all batches. */
class Outcome {
  readonly #moved = new Map<string, RedrivenObject>();
  readonly #refused: RedrivenObject[] = [];
  readonly #unreadable: string[] = [];

  /** Whether the letter may be of a run that this command asked for. */
  cameBack({ request, sentAtMs }: DeadLetter, { startedAtMs }: RedriveOptions): boolean {
    if (request === undefined || !this.#moved.has(recordId(request))) return false;
    return sentAtMs > startedAtMs - CLOCK_MS;
  }

  add(batch: {
    readonly moved: readonly Group[];
    readonly refused: readonly Group[];
    readonly unreadable: readonly DeadLetter[];
  }): void {
    for (const group of batch.moved) {
      const id = recordId(group.request);
      const now = objectOf(group);
      const before = this.#moved.get(id);
      const letters = now.letters + (before?.letters ?? 0);
      this.#moved.set(id, { ...now, letters, error: now.error ?? before?.error ?? null });
    }
    this.#refused.push(...batch.refused.map(objectOf));
    this.#unreadable.push(...batch.unreadable.map(({ messageId }) => messageId));
  }

  result(): Redriven {
    return {
      objects: [...this.#moved.values()],
      refused: this.#refused,
      unreadable: this.#unreadable,
    };
  }
}
