import { setTimeout as setTimeoutCallback } from "node:timers";
import { setImmediate, setTimeout } from "node:timers/promises";

/**
 * In so many turns of the event loop nothing may have moved. What is written on one end of a loopback
 * connection is there for the other end at the next turn.
 */
const STILL_TURNS = 12;

/** Real time after which only the passing of virtual time is expected to end a call. */
const HELD_UP_MS = 400;

/** Nothing else takes so long. */
const LIMIT_MS = 10_000;

/**
 * Knows when nothing moves on sockets of this process, so that a virtual clock can be moved on only
 * then: real servers and real connections in virtual time.
 */
export class WireRest {
  #busy = 0;
  #moves = 0;

  /** Something passed. */
  readonly moved = (): void => {
    this.#moves += 1;
  };

  /** Something begins that will end without time passing; to be called when it has, or will not. */
  readonly begin = (): (() => void) => {
    this.#busy += 1;
    this.#moves += 1;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#busy -= 1;
      this.#moves += 1;
    };
  };

  /** A client's call is counted until it ends, its own repetitions included, or a fault seems to hold it up. */
  readonly during = async <T>(call: () => Promise<T>): Promise<T> => {
    const ended = this.begin();
    const held = setTimeoutCallback(ended, HELD_UP_MS);
    try {
      return await call();
    } finally {
      clearTimeout(held);
      ended();
    }
  };

  /** The `rest` of a VirtualClock. Fails where something is busy for seconds: a fault that nobody counts. */
  readonly untilStill = async (): Promise<void> => {
    const deadlineMs = performance.now() + LIMIT_MS;
    for (let still = 0, moves = this.#moves; still < STILL_TURNS; ) {
      if (this.#busy > 0) await setTimeout(1);
      await setImmediate();
      still = this.#busy === 0 && this.#moves === moves ? still + 1 : 0;
      moves = this.#moves;
      if (this.#busy > 0 && performance.now() > deadlineMs) {
        throw new Error(`the wire does not come to rest: ${this.#busy} calls are under way`);
      }
    }
  };
}
