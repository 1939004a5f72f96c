/**
 * How long SQS remembers a deduplication id, from the first send on.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagededuplicationid-property.html
 */
export const DEDUPLICATION_MS = 5 * 60_000;

/** The first message that was sent with a deduplication id. */
export interface SqsOriginal {
  readonly key: string;
  readonly messageId: string;
  readonly seq: number;
  readonly untilMs: number;
}

/**
 * The deduplication ids of a queue, remembered for five minutes.
 *
 * It knows nothing of the messages: an id stays remembered when its message was received, deleted
 * or purged, and a swallowed send does not prolong it.
 */
export class DedupMemory {
  readonly #originals = new Map<string, SqsOriginal>();

  /** The first message sent with this key, if that was less than five minutes ago. */
  find(key: string, nowMs: number): SqsOriginal | undefined {
    const original = this.#originals.get(key);
    return original && original.untilMs > nowMs ? original : undefined;
  }

  /** Remembers a message as the first of its key, and forgets those that are over. */
  add(original: SqsOriginal, nowMs: number): void {
    this.#originals.delete(original.key); // Back to the end: the map stays in order of time.
    this.#originals.set(original.key, original);
    for (const { key, untilMs } of this.#originals.values()) {
      if (untilMs > nowMs) break;
      this.#originals.delete(key);
    }
  }

  clear(): void {
    this.#originals.clear();
  }

  /** All that is remembered at this moment, oldest first. */
  list(nowMs: number): SqsOriginal[] {
    return [...this.#originals.values()].filter(({ untilMs }) => untilMs > nowMs);
  }
}
