import { Command } from "commander";
import { dev } from "../local/dev.ts";
import type { DevAccount } from "../local/dev-account.ts";
import { type DevOptions, type DevValues, devOptionsOf } from "../local/dev-options.ts";
import {
  type ClusterValues,
  type CommandCluster,
  clusterOptions,
  onCluster,
} from "./cluster-options.ts";
import type { CommandContext } from "./command-context.ts";
import { kubeconfigFile } from "./kubeconfig-file.ts";
import { findDefinitions } from "./project-definitions.ts";
import { requireNoLeader } from "./run-account.ts";
import { installedKinds } from "./uninstall-plan.ts";
import { UsageError } from "./usage-error.ts";

const ABOUT =
  "Runs your controllers on this machine against a cluster that there is: the one that kubectl would " +
  "use. Queue and table are embedded, as of tidegate dev, or with --table in AWS, with the credentials of " +
  "your environment; they are made if they are missing. It installs nothing in the cluster, and names " +
  "the definitions that it lacks. Functions are reloaded when their sources change. tidegate dev does " +
  "the same with a cluster of its own.";

const EXAMPLES = `
Examples:
  tidegate run
  tidegate run --context test
  tidegate run --table tidegate-try --cluster ann --region eu-west-1
`;

interface RunValues extends ClusterValues {
  readonly table?: string;
  readonly cluster?: string;
  readonly region?: string;
  readonly functions?: string;
  readonly data?: string;
  readonly fresh?: boolean;
  readonly port?: string;
  readonly verbose?: boolean;
}

/** `tidegate run`. `start` resolves to the exit code once it was asked to stop. */
export function runCommand(
  context: CommandContext,
  done: (code: number) => void,
  start = dev,
): Command {
  return clusterOptions(
    new Command("run")
      .summary("runs watcher and functions on this machine against a cluster of yours")
      .description(ABOUT),
  )
    .option("--table <NAME>", "queue and table in AWS: the table; with --cluster")
    .option(
      "--cluster <NAME>",
      "the name under which records are kept (default: after the context)",
    )
    .option("--region <NAME>", "in AWS (default: that of your environment or profile)")
    .option("--functions <DIR>", "one folder a controller (default: functions)")
    .option("--data <DIR>", "where state is kept (default: .tidegate)")
    .option("--fresh", "begins with an empty queue and table; not in AWS")
    .option(
      "--port <N>",
      "first of three ports on 127.0.0.1 (default: 7370): queue N, table N+1, health and metrics of the watcher N+2",
    )
    .option("--verbose", "shows every line of watcher and functions, metrics included")
    .addHelpText("after", EXAMPLES)
    .action(async (values: RunValues) => {
      const options = await prepared(values, context);
      done(await start(options, context.stopping));
    });
}

/** The options of a start, after a look at cluster and account. */
async function prepared(values: RunValues, context: CommandContext): Promise<DevOptions> {
  const account = accountOf(values);
  optionsOf(values, context, values.cluster ?? "name"); // What cannot be read is told before anything else.
  return onCluster(values, context, async (cluster) => {
    context.err.write(`tidegate: running against ${cluster.title}\n`);
    const name = values.cluster ?? nameOf(cluster.context);
    const options = optionsOf({ ...values, context: cluster.context }, context, name);
    await tellMissing(cluster, options, context);
    if (account) await requireNoLeader(account, name, context);
    return { ...options, ...(account && { account }) };
  });
}

function accountOf({ table, cluster, region, fresh }: RunValues): DevAccount | undefined {
  if (table === undefined) {
    if (region === undefined) return undefined;
    throw new UsageError("cannot use --region: expected --table NAME beside it");
  }
  if (cluster === undefined) {
    throw new UsageError("cannot use --table: expected --cluster NAME beside it");
  }
  if (fresh) {
    throw new UsageError(
      "cannot use --fresh with --table: what is in AWS is not emptied; choose another --cluster NAME",
    );
  }
  return { table, ...(region !== undefined && { region }) };
}

function optionsOf(values: RunValues, context: CommandContext, cluster: string): DevOptions {
  const { table: _, region: __, ...rest } = values;
  const written: DevValues = { ...rest, kubeconfig: kubeconfigFile(values, context), cluster };
  try {
    return devOptionsOf(written);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** Such as "prod" for the context "arn:aws:eks:eu-west-1:1234:cluster/prod". */
function nameOf(context: string): string {
  const last = context.split("/").at(-1) ?? "";
  const name = last.replaceAll(/[^a-zA-Z0-9_-]/g, "-").replace(/^[-_]+/, "");
  return name.slice(0, 20) || "cluster"; // As many as fit into the names of queues.
}

async function tellMissing(
  { client, title }: CommandCluster,
  { functionsDir }: DevOptions,
  { cwd, err }: CommandContext,
): Promise<void> {
  const definitions = await findDefinitions(cwd, functionsDir);
  const installed = new Set((await installedKinds(client, definitions)).map(({ name }) => name));
  const missing = definitions
    .map(({ crd }) => crd.metadata.name)
    .filter((name) => !installed.has(name));
  if (missing.length === 0) return;
  err.write(
    `tidegate: warning: ${title} lacks ${missing.join(", ")}: the controllers of these kinds wait until "tidegate install" brought them\n`,
  );
}
