import type { Clock } from "../clock.ts";

export interface Renewable<T> {
  readonly value: T;
  /** By the wall clock, in milliseconds since 1970: from then on it is made anew before it is used. */
  readonly goodUntilMs: number;
}

/**
 * A value that has to be made anew from time to time, such as a token. One making at a time, however
 * many ask. Time is that of the wall clock at the moment of use, so a process that was frozen does
 * not use what ended meanwhile.
 */
export class RenewedValue<T> {
  readonly #make: () => Promise<Renewable<T>>;
  readonly #clock: Clock;
  #made: (Renewable<T> & { readonly atMs: number }) | undefined;
  #making: Promise<T> | undefined;

  constructor(make: () => Promise<Renewable<T>>, clock: Clock) {
    this.#make = make;
    this.#clock = clock;
  }

  /** Resolves to the value; with `renew` to one made from now on. Rejects when it cannot be made. */
  async get({ renew = false } = {}): Promise<T> {
    const nowMs = this.#clock.nowMs();
    const made = this.#made;
    // A clock that was set back says nothing about the age.
    if (!renew && made && nowMs < made.goodUntilMs && nowMs >= made.atMs) return made.value;
    this.#making ??= this.#remake();
    return this.#making;
  }

  async #remake(): Promise<T> {
    try {
      const atMs = this.#clock.nowMs();
      const made = await this.#make();
      this.#made = { ...made, atMs };
      return made.value;
    } finally {
      this.#making = undefined;
    }
  }
}
