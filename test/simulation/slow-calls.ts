import type { Clock } from "../../shared/clock.ts";

/** What answers in pages, which are not delayed. */
const PAGED = "list";

/** A leader asks for the timers of each of 16 shards every second: one of so many calls takes its time. */
const QUICK = { name: "due", of: 16 };

/** One of so many answers tells the time of the other side. */
const TOLD_BY = 8;

export interface SlowCalls {
  readonly clock: Clock;
  /** Of each way, in milliseconds. */
  readonly latency: () => number;
  /** Told of each call that was answered, and when it was made. */
  readonly answered?: (sentMs: number) => void;
  /** By which `sentMs` is told; `clock` by default. */
  readonly monotonicMs?: () => number;
}

/** The same object at the other end of a network: its calls take time, there and back. */
export function slowCalls<T extends object>(target: T, options: SlowCalls): T {
  const { clock, latency, answered, monotonicMs = clock.monotonicMs } = options;
  let quick = 0;
  let calls = 0;
  const through = async (call: (...args: unknown[]) => unknown, args: unknown[]) => {
    const sentMs = monotonicMs();
    await clock.sleep(latency());
    try {
      return await call(...args);
    } finally {
      await clock.sleep(latency());
      calls += 1;
      if (calls % TOLD_BY === 1) answered?.(sentMs);
    }
  };
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const call = value.bind(target) as (...args: unknown[]) => unknown;
      if (name === PAGED) return call;
      if (name === QUICK.name) {
        quick += 1;
        if (quick % QUICK.of !== 0) return call;
      }
      return (...args: unknown[]) => through(call, args);
    },
  });
}
