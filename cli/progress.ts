import type { CommandContext } from "./command-context.ts";

/** How far a command is that takes long. */
export interface Progress {
  /** Replaces the line on a terminal; elsewhere a line is written every few seconds. */
  readonly tell: (line: string) => void;
  /** Leaves the terminal as it was. */
  readonly end: () => void;
}

const QUIET_MS = 5_000;

/** Progress goes where failures go, so that `> FILE` holds the answer alone. */
export function progressOn({ err, clock }: Pick<CommandContext, "err" | "clock">): Progress {
  let toldAtMs = clock.monotonicMs();
  const terminal = err.isTTY === true;
  return {
    tell: (line) => {
      if (terminal) err.write(`\r\u001b[K${line}`);
      else if (clock.monotonicMs() - toldAtMs >= QUIET_MS) {
        toldAtMs = clock.monotonicMs();
        err.write(`${line}\n`);
      }
    },
    end: () => {
      if (terminal) err.write("\r\u001b[K");
    },
  };
}
