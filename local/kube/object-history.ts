import type { StoreEvent } from "./store.ts";

interface Entry {
  readonly event: StoreEvent;
  readonly atMs: number;
}

/** How far back a history goes. */
export interface HistoryLimits {
  readonly events: number;
  readonly ageMs: number;
}

/** The recent changes of one kind, oldest first. */
export class ObjectHistory {
  readonly #limits: HistoryLimits;
  #entries: Entry[] = [];
  /** Entries before this one are gone; they are cut off by and by. */
  #start = 0;
  /** Versions before this one are forgotten. */
  #since: number;

  constructor(since: number, limits: HistoryLimits) {
    this.#since = since;
    this.#limits = limits;
  }

  /** The oldest version from which all changes are known. */
  get since(): number {
    return this.#since;
  }

  add(event: StoreEvent, atMs: number): void {
    this.#entries.push({ event, atMs });
    this.forgetOld(atMs);
  }

  /** Changes after a version, oldest first; undefined where some of them are forgotten. */
  after(version: number): readonly StoreEvent[] | undefined {
    if (version < this.#since) return undefined;
    const first = this.#indexAfter(version);
    return this.#entries.slice(first).map(({ event }) => event);
  }

  forgetOld(nowMs: number): void {
    const { events, ageMs } = this.#limits;
    for (let entry = this.#entries[this.#start]; entry; entry = this.#entries[this.#start]) {
      const many = this.#entries.length - this.#start > events;
      if (!many && nowMs - entry.atMs <= ageMs) break;
      this.#since = entry.event.version;
      this.#start += 1;
    }
    this.#trim();
  }

  /** Forgets what came before a version. */
  compact(version: number): void {
    this.#start = this.#indexAfter(version);
    this.#since = Math.max(this.#since, version);
    this.#trim();
  }

  /** Cutting off a front that is half of all keeps the cost of an entry constant. */
  #trim(): void {
    if (this.#start * 2 <= this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#start);
    this.#start = 0;
  }

  #indexAfter(version: number): number {
    let low = this.#start;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle];
      if (entry && entry.event.version <= version) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
