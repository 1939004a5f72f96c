import { join, resolve } from "node:path";
import { Command } from "commander";
import { answer, type OutputFormat, outputFormatOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT } from "./exit-codes.ts";
import { type GeneratedPlan, planGenerated, writeGenerated } from "./generated-files.ts";
import { UsageError } from "./usage-error.ts";

/** What commands are asked that make files anew each time. */
export interface GeneratedValues {
  readonly functions: string;
  readonly out: string;
  readonly check?: boolean;
  readonly output: OutputFormat;
}

/** A command with the options of `GeneratedValues`; the folder has a default. */
export function generatedCommand(name: string, dir: string): Command {
  return new Command(name)
    .option("--functions <DIR>", "where they are defined", "functions")
    .option("-o, --out <DIR>", 'the folder to write; "-" writes one stream to standard output', dir)
    .option(
      "--check",
      "writes nothing; exits with 1, naming the files that are not as they would be",
    )
    .addOption(outputFormatOption());
}

/** Writes the files, or checks them, and tells which; resolves to the exit code. */
export async function answerGenerated(
  context: CommandContext,
  { out, check = false, output }: GeneratedValues,
  {
    mark,
    files,
    redo,
  }: {
    readonly mark: string;
    /** YAML by file name, without the mark. */
    readonly files: ReadonlyMap<string, string>;
    /** The command line that mends what `--check` finds. */
    readonly redo: string;
  },
): Promise<number> {
  if (out === "-") {
    if (check) throw new UsageError("cannot use --check with -o -: expected a folder to check");
    context.out.write([...files.values()].map((text) => `---\n${text}`).join(""));
    return EXIT.done;
  }
  const marked = new Map([...files].map(([name, text]) => [name, `${mark}\n${text}`]));
  const folder = { dir: out, path: resolve(context.cwd, out), mark, files: marked };
  const plan = await planGenerated(folder);
  if (!check) await writeGenerated(folder, plan, context.newId());
  const fresh = plan.missing.length + plan.stale.length + plan.leftOver.length === 0;
  const lines = linesOf(plan, out, check ? CHECKED : WRITTEN);
  const mend = check && !fresh ? [`Run "${redo}" to mend that.`] : [];
  answer(context, output, {
    value: { dir: out, fresh, ...plan },
    text: [...lines, ...mend].join("\n"),
  });
  return check && !fresh ? EXIT.failed : EXIT.done;
}

type Words = Readonly<Record<keyof GeneratedPlan, string>>;
const CHECKED: Words = {
  missing: "missing",
  stale: "stale",
  leftOver: "left over",
  unchanged: "up to date",
};
const WRITTEN: Words = {
  missing: "created",
  stale: "changed",
  leftOver: "removed",
  unchanged: "unchanged",
};

function linesOf(plan: GeneratedPlan, dir: string, words: Words): readonly string[] {
  return (Object.keys(words) as (keyof GeneratedPlan)[]).flatMap((part) =>
    plan[part].map((name) => `${words[part]} ${join(dir, name)}`),
  );
}
