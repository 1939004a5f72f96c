/** What an exit code of `tidegate` says. */
export const EXIT = {
  done: 0,
  /** It was tried, and failed, or the answer is no (as of `--check`). */
  failed: 1,
  /** The command line cannot be read: nothing was tried. */
  usage: 2,
  /** Ended by SIGINT. */
  interrupted: 130,
} as const;
