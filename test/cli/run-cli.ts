import type { CommandContext } from "../../cli/command-context.ts";
import { runProgram } from "../../cli/program.ts";
import { systemClock } from "../../shared/clock.ts";

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process; `context` replaces what it stands in. */
export async function runCli(
  args: readonly string[],
  context: Partial<CommandContext> = {},
): Promise<CliResult> {
  const out: string[] = [];
  const err: string[] = [];
  const ids = (function* count() {
    for (let id = 1; ; id += 1) yield `id-${id}`;
  })();
  const code = await runProgram(args, {
    cwd: process.cwd(),
    env: {},
    out: { write: (text) => out.push(text) },
    err: { write: (text) => err.push(text) },
    clock: systemClock,
    newId: () => ids.next().value,
    stopping: new AbortController().signal,
    ...context,
  });
  return { code, out: out.join(""), err: err.join("") };
}
