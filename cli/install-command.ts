import { Command } from "commander";
import type { CrdChange } from "../shared/crd/schema-changes.ts";
import { established } from "../shared/platform/established.ts";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import {
  type ClusterValues,
  type CommandCluster,
  clusterOptions,
  onCluster,
} from "./cluster-options.ts";
import type { CommandContext } from "./command-context.ts";
import { confirm } from "./confirm.ts";
import { EXIT } from "./exit-codes.ts";
import {
  applied,
  breakingChanges,
  type InstallOptions,
  type InstallStep,
  tryInstall,
} from "./install-plan.ts";
import { progressOn } from "./progress.ts";
import { type ProjectDefinition, projectDefinitions } from "./project-definitions.ts";

const ABOUT =
  "Installs the CustomResourceDefinitions of the project in a cluster, and waits until they are served. " +
  "First it compares them with what is installed and names what breaks, then has the API server try " +
  "all of them: where one is refused, nothing is changed.";

const EXAMPLES = `
Examples:
  tidegate install --dry-run
  tidegate install --kubeconfig ~/.kube/config --context test
  tidegate install --allow-breaking --yes
`;

interface InstallValues extends ClusterValues {
  readonly functions: string;
  readonly dryRun?: boolean;
  readonly allowBreaking?: boolean;
  readonly forceConflicts?: boolean;
  readonly yes?: boolean;
  readonly output: OutputFormat;
}

/** `tidegate install`. */
export function installCommand(context: CommandContext, done: (code: number) => void): Command {
  return clusterOptions(
    new Command("install")
      .summary("installs the CustomResourceDefinitions in a cluster")
      .description(ABOUT)
      .option("--functions <DIR>", "where they are defined", "functions"),
  )
    .option("--dry-run", "has the API server try them, and changes nothing")
    .option(
      "--allow-breaking",
      "goes on where objects or clients of before may break, after a question",
    )
    .option("--force-conflicts", "takes over fields that another field manager has")
    .option("-y, --yes", "answers that question")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (values: InstallValues) => done(await install(values, context)));
}

async function install(values: InstallValues, context: CommandContext): Promise<number> {
  const definitions = await projectDefinitions(context.cwd, values.functions);
  return onCluster(values, context, async (cluster) => {
    const { client } = cluster;
    const breaking = await breakingChanges(client, definitions);
    for (const line of changeLines(breaking)) context.err.write(`${line}\n`);
    const refused = breaking.size > 0 && !values.allowBreaking;
    const options = { force: values.forceConflicts ?? false, signal: context.stopping };
    const steps = refused ? [] : await trySteps(client, definitions, options);
    if (!refused && !values.dryRun) await carryOut(steps, { values, context, cluster, breaking });
    tell({ values, context, cluster, steps, breaking });
    if (!refused) return EXIT.done;
    context.err.write(
      "tidegate: cannot install: expected changes that break nothing, got those above; nothing was changed; --allow-breaking goes on all the same\n",
    );
    return EXIT.failed;
  });
}

type Breaking = ReadonlyMap<string, readonly CrdChange[]>;

interface Installing {
  readonly values: InstallValues;
  readonly context: CommandContext;
  readonly cluster: CommandCluster;
  readonly breaking: Breaking;
}

function changeLines(breaking: Breaking): readonly string[] {
  return [...breaking].flatMap(([name, changes]) => [
    `${name} breaks what is installed:`,
    ...changes.map(({ path, change }) => `  ${path}: ${change}`),
  ]);
}

async function trySteps(
  client: CommandCluster["client"],
  definitions: readonly ProjectDefinition[],
  options: InstallOptions,
): Promise<readonly InstallStep[]> {
  const steps: InstallStep[] = [];
  for (const definition of definitions) steps.push(await tryInstall(client, definition, options));
  return steps;
}

async function carryOut(
  steps: readonly InstallStep[],
  { values: { yes, forceConflicts = false }, context, cluster, breaking }: Installing,
): Promise<void> {
  if (breaking.size > 0) {
    const question = `install ${[...breaking.keys()].join(", ")} in ${cluster.title} all the same?`;
    await confirm(context, { action: "install", question, yes });
  }
  const { client, transport } = cluster;
  const { clock, stopping: signal } = context;
  const progress = progressOn(context);
  try {
    for (const [index, step] of steps.entries()) {
      progress.tell(`${index + 1} of ${steps.length}: ${step.name}`);
      const options = { force: forceConflicts, signal };
      if (step.state !== "unchanged") await applied(client, step, options);
      await established({ client, transport, clock, signal }, step.name);
    }
  } finally {
    progress.end();
  }
}

function tell({
  values,
  context,
  cluster,
  steps,
  breaking,
}: Installing & { readonly steps: readonly InstallStep[] }): void {
  const { dryRun = false, output } = values;
  const lines = steps.map(({ name, state }) => `${state} ${name}`);
  const head = dryRun ? [`Nothing is changed in ${cluster.title}. It would be:`] : [];
  const value = {
    context: cluster.context,
    server: cluster.server,
    dryRun,
    definitions: steps.map(({ name, file, state }) => ({ name, file, state })),
    breaking: Object.fromEntries(breaking),
  };
  answer(context, output, {
    value,
    text: steps.length === 0 ? "" : [...head, ...lines].join("\n"),
  });
}
