import { type Clock, OVER } from "../clock.ts";

/**
 * The answer of a call, if it comes in time. Rejects with what the call rejects with, or when `ms`
 * passed without an answer, or when the signal is aborted. The call itself goes on.
 */
export async function inTime<T>(
  { clock, ms, signal }: { clock: Clock; ms: number; signal?: AbortSignal },
  call: () => Promise<T>,
): Promise<T> {
  const answered = new AbortController();
  const stop = () => answered.abort(OVER);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const silence = clock.sleep(ms, answered.signal).then(() => {
    throw new Error(`cannot reach the lease store: expected an answer within ${ms} ms, got none`);
  });
  try {
    return await Promise.race([call(), silence]);
  } finally {
    signal?.removeEventListener("abort", stop);
    answered.abort(OVER);
  }
}
