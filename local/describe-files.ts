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
 * anew, as they are then. Where one ends or stops the process, those behind it are not described.
 */
export async function describeFiles<T>(
  program: "describe-controllers" | "describe-definitions",
  files: readonly string[],
): Promise<readonly Described<T>[]> {
  const path = join(import.meta.dirname, `${program}${import.meta.filename.slice(-3)}`);
  const { stdout, end } = await run([...process.execArgv, path, ...files]);
  const lines = stdout.split("\n").slice(0, -1);
  const described = lines.map((line) => JSON.parse(line) as Described<T>);
  const file = files[described.length];
  return file === undefined ? described : [...described, { file, error: end }];
}

/** What Node.js prints, and how it ended. */
async function run(args: readonly string[]): Promise<{ stdout: string; end: string }> {
  const options = { timeout: DESCRIBE_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return { stdout, end: "it ends the process" };
  } catch (error) {
    const { stdout, stderr, killed, code } = error as ExecFailure;
    if (typeof stdout !== "string" || typeof code === "string") throw error;
    const late = `it takes longer than ${DESCRIBE_TIMEOUT_MS / 1000} s`;
    const said = stderr.trim() === "" ? "" : `: ${stderr.trim().slice(-MAX_SAID_CHARACTERS)}`;
    return { stdout, end: killed ? late : `it ends the process (exit code ${code})${said}` };
  }
}

type ExecFailure = Error & {
  readonly stdout?: string;
  readonly stderr: string;
  readonly killed: boolean;
  /** A text where the process did not start, or printed too much. */
  readonly code: number | string | null;
};

/** Of what a process said last. */
const MAX_SAID_CHARACTERS = 1000;

/**
 * The other side: prints what `describe` says of each file of the command line, a line each. What the
 * files print themselves goes where errors go.
 */
export async function describeEach(describe: (file: string) => Promise<object>): Promise<void> {
  const print = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  for (const file of process.argv.slice(2)) {
    const line = await describe(file)
      .then((found) => JSON.stringify({ file, ...found }))
      .catch((error: unknown) => JSON.stringify({ file, ...told(error) }));
    print(`${line}\n`);
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
