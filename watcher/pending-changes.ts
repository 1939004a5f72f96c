import { recordId } from "../shared/queue/record-store.ts";
import { mergedEntries, type PendingEntry } from "./pending-entry.ts";

/** How long a change waits for others of its key. */
export const LINGER_MS = 50;

/** So many waiting keys are worth a batch at once: BatchGetItem reads 100. */
export const BATCH_KEYS = 100;

interface Waiting {
  entry: PendingEntry;
  readonly readyAtMs: number;
}

/**
 * The keys of a controller that wait to be forwarded, each with all that changed for it. What is
 * taken out is taken whole; what comes later makes a new entry, whatever becomes of the first.
 */
export class PendingChanges {
  /** In the order in which they become ready, for all wait equally long. */
  readonly #fresh = new Map<string, Waiting>();
  /** Put back: each waits for a time of its own. */
  readonly #held = new Map<string, Waiting>();

  get size(): number {
    return this.#fresh.size + this.#held.size;
  }

  /** @param nowMs Monotonic, as everywhere here. */
  add(entry: PendingEntry, nowMs: number): void {
    const id = recordId(entry.key);
    const waiting = this.#held.get(id) ?? this.#fresh.get(id);
    if (waiting) waiting.entry = mergedEntries(waiting.entry, entry);
    else this.#fresh.set(id, { entry, readyAtMs: nowMs + LINGER_MS });
  }

  /** Takes an entry back that could not be sent yet: not before `readyAtMs`. What came meanwhile is newer. */
  putBack(entry: PendingEntry, readyAtMs: number): void {
    const id = recordId(entry.key);
    const newer = this.#fresh.get(id) ?? this.#held.get(id);
    this.#fresh.delete(id);
    this.#held.set(id, {
      entry: newer ? mergedEntries(entry, newer.entry) : entry,
      readyAtMs,
    });
  }

  /** Takes out the entries that are ready, at most a batch. Those of busy keys stay. */
  take(nowMs: number, busy: (id: string) => boolean): readonly PendingEntry[] {
    const taken: PendingEntry[] = [];
    const full = this.#fresh.size >= BATCH_KEYS;
    for (const map of [this.#held, this.#fresh]) {
      for (const [id, waiting] of map) {
        if (taken.length >= BATCH_KEYS) return taken;
        if (waiting.readyAtMs > nowMs && !(full && map === this.#fresh)) {
          if (map === this.#fresh) break;
          continue;
        }
        map.delete(id);
        if (busy(id)) this.putBack(waiting.entry, nowMs + LINGER_MS);
        else taken.push(waiting.entry);
      }
    }
    return taken;
  }

  /** When `take` will have something; undefined where nothing waits. */
  readyAtMs(): number | undefined {
    const [first] = this.#fresh.values();
    const fresh = this.#fresh.size >= BATCH_KEYS ? 0 : first?.readyAtMs;
    let least = fresh ?? Number.POSITIVE_INFINITY;
    for (const { readyAtMs } of this.#held.values()) least = Math.min(least, readyAtMs);
    return Number.isFinite(least) ? least : undefined;
  }

  clear(): void {
    this.#fresh.clear();
    this.#held.clear();
  }
}
