import type { EventEmitter } from "node:events";

export interface StopSignalOptions {
  /** Tells of signals. */
  readonly signals: Pick<EventEmitter, "on">;
  /** Where lines go; an error there says that nobody reads them any more. */
  readonly outputs: readonly Pick<EventEmitter, "on">[];
  readonly monotonicMs: () => number;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** npm passes on a Ctrl-C that the terminal has sent to us as well: that is one wish, not two. */
const SAME_WISH_MS = 500;

/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP (the terminal was closed), and where the reader of
 * our output is gone, as in `| head -1`. A second signal ends the process at once.
 */
export function stopSignal({
  signals,
  outputs,
  monotonicMs,
  exit,
}: StopSignalOptions): AbortSignal {
  const stopping = new AbortController();
  let askedAtMs = 0;
  const asked = () => {
    if (!stopping.signal.aborted) {
      askedAtMs = monotonicMs();
      stopping.abort();
    } else if (monotonicMs() - askedAtMs > SAME_WISH_MS) exit(130);
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) signals.on(name, asked);
  // Without a listener such an error would end the process with a stack trace and nothing cleaned up.
  for (const output of outputs) output.on("error", () => stopping.abort());
  return stopping.signal;
}
