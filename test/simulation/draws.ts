// Globals are slow inside jest's context.
const imul = Math.imul;
const floor = Math.floor;

/** Everything that looks random in a simulation: the same seed gives the same numbers (mulberry32). */
export class Draws {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed | 0;
    this.#state = seed | 0;
  }

  /** From 0 to 1, without 1. */
  readonly number = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const state = this.#state;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + floor(this.number() * (most - least + 1));
  }

  chance(likely: number): boolean {
    return this.number() < likely;
  }

  pick<T>(list: readonly T[]): T {
    return list[floor(this.number() * list.length)] as T;
  }

  /** Numbers of their own for one purpose, so that more draws for another do not change these. */
  fork(purpose: string): Draws {
    let hash = this.#seed ^ 0x811c9dc5;
    for (let at = 0; at < purpose.length; at += 1) {
      hash = imul(hash ^ purpose.charCodeAt(at), 0x01000193);
    }
    return new Draws(hash);
  }
}
