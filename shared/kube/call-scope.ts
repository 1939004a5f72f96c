import { type Clock, OVER } from "../clock.ts";

export interface CallScope {
  /** Aborted by the caller, by the deadline, or by the end of the transport; its reason is what to reject with. */
  readonly signal: AbortSignal;
  /** The deadline is met: only the other causes still count. */
  readonly arrived: () => void;
  /** Nothing counts any more; releases the listeners. */
  readonly end: () => void;
}

/**
 * What may end one call early. (AbortSignal.any would tie each call to the transport's signal for as
 * long as that lives.)
 */
export function callScope(
  signals: readonly (AbortSignal | undefined)[],
  deadline: { readonly clock: Clock; readonly ms: number; readonly error: () => Error },
): CallScope {
  const arrived = new AbortController();
  const controller = new AbortController();
  const causes = signals.flatMap((signal) =>
    signal ? [{ signal, abort: () => controller.abort(signal.reason) }] : [],
  );
  for (const { signal, abort } of causes) {
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  }
  void deadline.clock.sleep(deadline.ms, arrived.signal).then(() => {
    if (!arrived.signal.aborted) controller.abort(deadline.error());
  });
  return {
    signal: controller.signal,
    arrived: () => arrived.abort(OVER),
    end: () => {
      arrived.abort(OVER);
      for (const { signal, abort } of causes) signal.removeEventListener("abort", abort);
    },
  };
}

/** Rejects with the signal's reason as soon as it is aborted; the promise then goes on unwatched. */
export async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  promise.catch(() => {}); // It may reject when nobody waits any more.
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
