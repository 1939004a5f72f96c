import { Command } from "commander";
import { dev } from "../local/dev.ts";
import { type DevOptions, type DevValues, devOptionsOf } from "../local/dev-options.ts";
import type { CommandContext } from "./command-context.ts";
import { UsageError } from "./usage-error.ts";

const ABOUT =
  "Runs your controllers on this machine: an embedded Kubernetes API server (or a cluster of yours), " +
  "the watcher, an embedded SQS queue, an embedded DynamoDB table, and each function in processes of " +
  "its own, reloaded when its sources change. All state is kept in .tidegate/ and found again by the " +
  "next start; .tidegate/kubeconfig is for kubectl.";

const EXAMPLES = `
Examples:
  tidegate dev
  tidegate dev --kubeconfig ~/.kube/config --context test
  tidegate dev --fresh
`;

/** `tidegate dev`. `run` resolves to the exit code once it was asked to stop. */
export function devCommand(
  { stopping }: Pick<CommandContext, "stopping">,
  done: (code: number) => void,
  run = dev,
): Command {
  return new Command("dev")
    .summary("runs watcher, queue, table and functions on this machine against a cluster")
    .description(ABOUT)
    .option("--kubeconfig <FILE>", "a cluster of yours instead of the embedded one")
    .option("--context <NAME>", "a context of that file (default: its current one)")
    .option(
      "--aws-endpoint <URL>",
      "a server of SQS and DynamoDB, such as moto's, instead of the embedded ones; " +
        'one that no other "tidegate dev" uses; not with --fresh, its state is its own',
    )
    .option("--cluster <NAME>", "the name under which records are kept (default: local)")
    .option("--functions <DIR>", "one folder a controller (default: functions)")
    .option("--data <DIR>", "where state is kept (default: .tidegate)")
    .option("--fresh", "begins with an empty queue, table and embedded cluster")
    .option(
      "--port <N>",
      "first of four ports on 127.0.0.1 (default: 7370): queue N, table N+1, " +
        "health and metrics of the watcher N+2, embedded cluster N+3",
    )
    .option("--verbose", "shows every line of watcher and functions, metrics included")
    .addHelpText("after", EXAMPLES)
    .action(async (values: DevValues) => done(await run(readable(values), stopping)));
}

function readable(values: DevValues): DevOptions {
  try {
    return devOptionsOf(values);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
