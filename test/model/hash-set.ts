/** Looked up once: a global costs much where tests run, in a context of their own. */
const { imul } = Math;

/** A set of texts of which it keeps 64 bits of a hash each. */
export class HashSet {
  #slots = new Uint32Array(2 << 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Whether the text is new. */
  add(text: string): boolean {
    if (2 * this.#size >= this.#slots.length / 2) this.#grow();
    const [high, low] = hashOf(text);
    const added = put(this.#slots, high, low);
    if (added) this.#size += 1;
    return added;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#slots.length * 2);
    for (let at = 0; at < this.#slots.length; at += 2) {
      const [high = 0, low = 0] = [this.#slots[at], this.#slots[at + 1]];
      if (high !== 0 || low !== 0) put(larger, high, low);
    }
    this.#slots = larger;
  }
}

function put(slots: Uint32Array, high: number, low: number): boolean {
  const mask = slots.length / 2 - 1;
  for (let at = low & mask; ; at = (at + 1) & mask) {
    const [one = 0, other = 0] = [slots[2 * at], slots[2 * at + 1]];
    if (one === high && other === low) return false;
    if (one !== 0 || other !== 0) continue;
    slots[2 * at] = high;
    slots[2 * at + 1] = low;
    return true;
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
