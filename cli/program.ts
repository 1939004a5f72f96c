import { Command, CommanderError } from "commander";
import type { CommandContext } from "./command-context.ts";
import { crdsCommand } from "./crds-command.ts";
import { createCommand } from "./create-command.ts";
import { devCommand } from "./dev-command.ts";
import { doctorCommand } from "./doctor-command.ts";
import { EXIT } from "./exit-codes.ts";
import { explainCommand } from "./explain-command.ts";
import { importCommand } from "./import-command.ts";
import { initCommand } from "./init-command.ts";
import { installCommand } from "./install-command.ts";
import { manifestsCommand } from "./manifests-command.ts";
import { pauseCommand } from "./pause-command.ts";
import { reconcileCommand } from "./reconcile-command.ts";
import { redriveCommand } from "./redrive-command.ts";
import { reportFailure } from "./report-failure.ts";
import { resumeCommand } from "./resume-command.ts";
import { runCommand } from "./run-command.ts";
import { statusCommand } from "./status-command.ts";
import { uninstallCommand } from "./uninstall-command.ts";
import { UsageError } from "./usage-error.ts";
import { versionCommand } from "./version-command.ts";

const EXAMPLES = `
Examples:
  tidegate init --domain example.com
  tidegate create api --group webapp --version v1 --kind Guestbook
  tidegate dev                 runs the controllers of this folder on this machine
  tidegate install             brings the definitions into the cluster that kubectl uses
  tidegate explain website hello
                               says why an object was reconciled, or was not
  tidegate dev --help          says more about a command

Exit codes: 0 done; 1 failed, or the answer is no; 2 the command line cannot be read; 130 interrupted.
`;

/** Runs one command line, without the names of program and script; resolves to the exit code. */
export async function runProgram(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  let code: number = EXIT.done;
  const program = createProgram(context, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : [...args], { from: "user" });
    return code;
  } catch (error) {
    return failed(error, context);
  }
}

function createProgram(context: CommandContext, done: (code: number) => void): Command {
  const program = new Command("tidegate")
    .description("Kubernetes controllers as AWS Lambda functions.")
    .helpCommand("help [COMMAND]", "says more about a command")
    .addHelpText("after", EXAMPLES);
  const commands = [
    initCommand(context),
    createCommand(context),
    importCommand(context),
    crdsCommand(context, done),
    installCommand(context, done),
    uninstallCommand(context, done),
    manifestsCommand(context, done),
    devCommand(context, done),
    runCommand(context, done),
    statusCommand(context),
    explainCommand(context),
    reconcileCommand(context, done),
    redriveCommand(context, done),
    pauseCommand(context),
    resumeCommand(context),
    doctorCommand(context, done),
    versionCommand(context),
  ];
  for (const command of commands) program.addCommand(command);
  return withManners(program, context);
}

/** Throws instead of ending the process, writes where the context says, and shows what was not given. */
function withManners(command: Command, context: CommandContext): Command {
  command
    .exitOverride()
    .usage(command.commands.length > 0 ? "COMMAND [OPTIONS]" : usageOf(command))
    .configureHelp({
      optionTerm: ({ flags }) => flags.replaceAll(/[<>]/g, ""),
      subcommandTerm: (each) => [each.name(), ...argumentsOf(each)].join(" "),
    })
    .helpOption("-h, --help", "shows this text")
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
      outputError: () => {}, // Told by `failed`.
    });
  for (const each of command.commands) withManners(each, context);
  return command;
}

function usageOf(command: Command): string {
  return [...argumentsOf(command), "[OPTIONS]"].join(" ");
}

function argumentsOf(command: Command): readonly string[] {
  return command.registeredArguments.map((each) => {
    const name = each.variadic ? `${each.name()}...` : each.name();
    return each.required ? name : `[${name}]`;
  });
}

function failed(error: unknown, { err, stopping }: CommandContext): number {
  if (stopping.aborted && (error as { readonly name?: string }).name === "AbortError") {
    err.write("tidegate: interrupted\n");
    return EXIT.interrupted;
  }
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done; // Help was shown.
  if (error instanceof CommanderError && error.code === "commander.help") return EXIT.usage; // So it was, for want of a command.
  reportFailure(usageFault(error), (line) => err.write(`${line}\n`));
  if (stopping.aborted) return EXIT.interrupted; // What failed meanwhile was told.
  const usage = error instanceof CommanderError || error instanceof UsageError;
  return usage ? EXIT.usage : EXIT.failed;
}

function usageFault(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  const said = error.message
    .replace(/^error: /, "")
    .trim()
    .replaceAll(/\s*\n\s*/g, " ");
  return new UsageError(`cannot read the command line: ${said}; see --help`);
}
