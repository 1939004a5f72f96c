import type { Clock } from "../clock.ts";
import type { LeaseRecord, LeaseStore } from "../lease/lease-store.ts";

/** What goes wrong with one call. */
export interface LeaseFault {
  /** Whether the call happens at all. */
  readonly happens: boolean;
  /**
   * What the caller learns: the truth, an error, nothing for ever, or what is answered to a repetition
   * of the call after its own answer was lost.
   */
  readonly answer: "truth" | "error" | "silence" | "repeated";
  /** How long the call is on its way before it happens; default 0. */
  readonly delayMs?: number;
  /** How long the answer is on its way back; default 0. */
  readonly answerDelayMs?: number;
}

export interface LeaseConnection {
  /** Asked at each call; undefined: the call just works. */
  readonly fault?: () => LeaseFault | undefined;
  /** By which a call is delayed. */
  readonly clock?: Clock;
}

/** A lease item in memory, and connections to it that can fail. */
export class MemoryLeaseStore implements LeaseStore {
  /** The item as it stands; set it to undefined to delete it by hand. */
  record: LeaseRecord | undefined;

  read = (): Promise<LeaseRecord | undefined> => Promise.resolve(this.record);

  write = (record: LeaseRecord, seen: string | undefined): Promise<boolean> => {
    const written = this.record?.version === seen;
    if (written) this.record = record;
    return Promise.resolve(written);
  };

  /** The store as one process sees it. */
  connection({ fault = () => undefined, clock }: LeaseConnection): LeaseStore {
    const through = async <T>(call: () => Promise<T>): Promise<T> => {
      const met = fault();
      if (!met) return call();
      if (met.delayMs !== undefined) await clock?.sleep(met.delayMs);
      const first = met.happens ? await call() : undefined;
      const truth = met.happens && met.answer === "repeated" ? await call() : first;
      if (met.answerDelayMs !== undefined) await clock?.sleep(met.answerDelayMs);
      if (met.answer === "silence") return new Promise(() => {});
      if (met.answer === "error" || !met.happens) throw new Error("the store is out of order");
      return truth as T;
    };
    return {
      read: () => through(this.read),
      write: (record, seen) => through(() => this.write(record, seen)),
    };
  }
}
