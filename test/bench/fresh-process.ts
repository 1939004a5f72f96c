import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * Runs a program of ours in a process of its own and resolves to the JSON that it prints. Rejects
 * with the end of what it wrote to stderr when it fails.
 */
export async function freshProcess<T>(
  file: string,
  args: readonly string[],
  { flags = [], env = {}, signal }: FreshProcessOptions,
): Promise<T> {
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      "--conditions=tidegate-source",
      ...flags,
      file,
      ...args,
    ],
    {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      signal,
      killSignal: "SIGKILL",
    },
  );
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (code === 0) return JSON.parse(output) as T;
  throw new Error(
    `cannot run ${file}: expected exit code 0, got ${code}: ${errors.trim().slice(-500)}`,
  );
}

export interface FreshProcessOptions {
  /** Of node. */
  readonly flags?: readonly string[];
  /** Beside our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}
