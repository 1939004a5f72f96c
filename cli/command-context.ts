import type { Clock } from "../shared/clock.ts";

/** What a command stands in. All of it is passed in, so that a test runs a command as it is. */
export interface CommandContext {
  /** Where paths begin. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The answer: what `> FILE` catches. */
  readonly out: Output;
  /** Progress, warnings and failures. */
  readonly err: Output;
  readonly clock: Clock;
  /** A random UUID. */
  readonly newId: () => string;
  /** Asks a yes-or-no question; absent where there is no terminal to ask on. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Aborted by Ctrl-C and SIGTERM: commands that take long end cleanly. */
  readonly stopping: AbortSignal;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}
