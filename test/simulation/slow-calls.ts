import type { Clock } from "../../shared/clock.ts";

/** What answers at once, or in pages. */
const AT_ONCE = new Set(["list"]);

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
  const through = async (call: (...args: unknown[]) => unknown, args: unknown[]) => {
    const sentMs = monotonicMs();
    await clock.sleep(latency());
    try {
      return await call(...args);
    } finally {
      await clock.sleep(latency());
      answered?.(sentMs);
    }
  };
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const call = value.bind(target) as (...args: unknown[]) => unknown;
      return AT_ONCE.has(String(name)) ? call : (...args: unknown[]) => through(call, args);
    },
  });
}
