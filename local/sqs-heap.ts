/** A priority queue: the entry with the smallest rank comes out first. */
export class SqsHeap<T> {
  readonly #rank: (entry: T) => number;
  #entries: T[] = [];

  constructor(rank: (entry: T) => number) {
    this.#rank = rank;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The first entry, which stays in. */
  peek(): T | undefined {
    return this.#entries[0];
  }

  push(entry: T): void {
    this.#entries.push(entry);
    let index = this.#entries.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#rankAt(parent) <= this.#rankAt(index)) return;
      this.#swap(parent, index);
      index = parent;
    }
  }

  /** Takes out the first entry. */
  pop(): T | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (this.#entries.length > 0 && last !== undefined) {
      this.#entries[0] = last;
      this.#sink();
    }
    return first;
  }

  clear(): void {
    this.#entries = [];
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const child = this.#rankAt(left + 1) < this.#rankAt(left) ? left + 1 : left;
      if (this.#rankAt(index) <= this.#rankAt(child)) return;
      this.#swap(index, child);
      index = child;
    }
  }

  #rankAt(index: number): number {
    const entry = this.#entries[index];
    return entry === undefined ? Number.POSITIVE_INFINITY : this.#rank(entry);
  }

  #swap(a: number, b: number): void {
    const entry = this.#entries[a] as T;
    this.#entries[a] = this.#entries[b] as T;
    this.#entries[b] = entry;
  }
}
