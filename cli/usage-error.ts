/** The command line cannot be read. Its message says what was expected, and what was given. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
