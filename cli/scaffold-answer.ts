import type { Command } from "commander";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";
import type { Written } from "./scaffold-files.ts";

/** What all commands that make files are asked. */
export interface ScaffoldValues {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly output: OutputFormat;
}

/** Adds the options of `ScaffoldValues` to a command. */
export function scaffoldOptions(command: Command): Command {
  return command
    .option("--force", "overwrites files that are there, as far as git can bring them back")
    .option("--dry-run", "tells which files would be written, and writes none")
    .addOption(outputOption());
}

export interface ScaffoldAnswer {
  /** The folder that paths begin in. */
  readonly root: string;
  readonly written: Written;
  /** What was made, for people. */
  readonly about: string;
  /** The same, for programs. */
  readonly made: object;
  /** Command lines that come next. */
  readonly next: readonly string[];
}

/** Tells which files were made, or would be, and what comes next. */
export function answerFiles(
  context: CommandContext,
  { output, dryRun = false }: ScaffoldValues,
  { root, written, about, made, next }: ScaffoldAnswer,
): void {
  const lines = Object.entries(written).flatMap(([done, paths]) =>
    (paths as readonly string[]).map((path) => `${done} ${path}`),
  );
  const head = dryRun ? ["Nothing is written. These files would be:", ...lines] : lines;
  const steps = ["Next:", ...next.map((line) => `  ${line}`)];
  const text = [...head, "", about, "", ...steps].join("\n");
  answer(context, output, { text, value: { dryRun, root, ...made, ...written, next } });
}
