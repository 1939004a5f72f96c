import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { codePlaceOf } from "./code-place.ts";

/** What a file of the project says, or why it does not load. */
export type Described<T> =
  | (T & { readonly file: string; readonly error?: undefined })
  | {
      readonly file: string;
      readonly error: string;
      /** Where that is, `FILE:LINE`. */
      readonly at?: string;
    };

/** A definition that takes longer to load hangs. */
const DESCRIBE_TIMEOUT_MS = 30_000;

/** Long schemas are long in JSON, too. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Has a program beside this file describe files of the project, in a process of its own: each time
 * anew, as they are then.
 */
export async function describeFiles<T>(
  program: "describe-controllers" | "describe-definitions",
  files: readonly string[],
): Promise<readonly Described<T>[]> {
  const path = join(import.meta.dirname, `${program}${import.meta.filename.slice(-3)}`);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...process.execArgv, path, ...files],
    { timeout: DESCRIBE_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES },
  );
  const lines = stdout.trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Described<T>);
}

/** The other side: prints what `describe` says of each file of the command line, a line each. */
export async function describeEach(describe: (file: string) => Promise<object>): Promise<void> {
  for (const file of process.argv.slice(2)) {
    const described = await describe(file).then(
      (found) => ({ file, ...found }),
      (error: unknown) => ({ file, ...told(error) }),
    );
    process.stdout.write(`${JSON.stringify(described)}\n`);
  }
}

function told(error: unknown): object {
  if (!(error instanceof Error)) return { error: String(error) };
  const at = codePlaceOf(error.stack ?? "");
  return { error: error.message, ...(at !== undefined && { at }) };
}

/** Why a file cannot be used, as an error. */
export function loadError({ file, error, at }: Described<object> & { error: string }): Error {
  const place = at === undefined ? "" : ` (at ${at})`;
  return new Error(`cannot load ${file}: ${error}${place}`);
}
