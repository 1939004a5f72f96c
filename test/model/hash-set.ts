/** Looked up once: a global costs much where tests run, in a context of their own. */
const { imul } = Math;

/** Of a slot: the two halves of the hash, and the index. */
const WORDS = 3;

/** A set of numbered texts of which it keeps 64 bits of a hash each. */
export class HashSet {
  #slots = new Uint32Array(WORDS << 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of the text: 0 for the first that came, and what `size` was for one that is new. */
  indexOf(text: string): number {
    if (2 * this.#size >= this.#slots.length / WORDS) this.#grow();
    const [high, low] = hashOf(text);
    const index = put(this.#slots, { high, low, index: this.#size });
    if (index === this.#size) this.#size += 1;
    return index;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#slots.length * 2);
    for (let at = 0; at < this.#slots.length; at += WORDS) {
      const high = this.#slots[at] ?? 0;
      const low = this.#slots[at + 1] ?? 0;
      const index = this.#slots[at + 2] ?? 0;
      if (high !== 0 || low !== 0) put(larger, { high, low, index });
    }
    this.#slots = larger;
  }
}

/** The index that stands with the hash; the given one where it is new. */
function put(
  slots: Uint32Array,
  { high, low, index }: { high: number; low: number; index: number },
): number {
  const mask = slots.length / WORDS - 1;
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const at = WORDS * slot;
    const one = slots[at] ?? 0;
    const other = slots[at + 1] ?? 0;
    if (one === high && other === low) return slots[at + 2] ?? 0;
    if (one !== 0 || other !== 0) continue;
    slots[at] = high;
    slots[at + 1] = low;
    slots[at + 2] = index;
    return index;
  }
}

/** Two multiplicative hashes of 32 bits side by side; never both 0, which marks a free slot. */
function hashOf(text: string): readonly [number, number] {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = imul(high ^ code, 0x01000193);
    low = imul(low ^ code, 0x5bd1e995);
    low ^= low >>> 15;
  }
  high ^= imul(low ^ (low >>> 13), 0xc2b2ae35);
  low ^= imul(high ^ (high >>> 16), 0x27d4eb2f);
  return [(high | 1) >>> 0, low >>> 0];
}
