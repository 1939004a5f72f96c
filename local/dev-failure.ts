import type { EventEmitter } from "node:events";
import { folderFailure } from "./write-failure.ts";

/**
 * Rejects with one line once something fails that no caller waits for. Above all that is the
 * embedded DynamoDB, which throws into the air when it cannot read or write its files: it cannot go
 * on, and all that was started is to be ended in order instead of by Node's stack trace.
 */
export function uncaughtFailure(
  program: Pick<EventEmitter, "on">,
  dataDir: string,
): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    program.on("uncaughtException", (error: unknown) => reject(clearer(error, dataDir)));
  });
  failed.catch(() => {}); // Whoever waits for it hears of it; after the end nobody does.
  return failed;
}

/**
 * The error of a start. One of the file system that nobody has put into words gets some: which
 * folder it is about, and what to do.
 */
export function startFailure(error: unknown, dataDir: string): unknown {
  const { code, syscall = "" } = Object(error) as Partial<NodeJS.ErrnoException>;
  if (code === undefined || !/^(write|open|mkdir|rename|unlink|ftruncate)$/.test(syscall)) {
    return error;
  }
  return folderFailure(`cannot keep state in ${dataDir}`, code, error);
}

function clearer(error: unknown, dataDir: string): Error {
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  // What fails outside of JavaScript comes without a frame.
  if (/^(IO error|Corruption)/.test(message) || /node_modules.dynalite\b/.test(stack)) {
    return new Error(
      `cannot keep the table in ${dataDir}: expected files that can be read and written, got "${message}"; make sure that the disk has space and start again, or with --fresh where the files are damaged`,
      { cause: error },
    );
  }
  return new Error(`cannot go on after an error that nobody handles: ${stack || message}`, {
    cause: error,
  });
}
