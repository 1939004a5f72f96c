import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { Kind } from "../shared/api/object.ts";
import { countText, type ListedObject, objectText } from "../shared/platform/object-list.ts";
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
import { loadControllersIn } from "./operate-controllers.ts";
import { progressOn } from "./progress.ts";
import { projectDefinitions } from "./project-definitions.ts";
import { removeDefinitions } from "./uninstall-definitions.ts";
import { drainKinds } from "./uninstall-drain.ts";
import { type InstalledKind, installedKinds, objectsOf, ownFinalizers } from "./uninstall-plan.ts";

const ABOUT =
  "Removes the CustomResourceDefinitions of the project from a cluster, and no others. With a definition " +
  "go all its objects, so it refuses while there are any, unless it is told how to end them:\n" +
  "--drain finalize deletes them and waits until their finalizers are done, for which watcher and " +
  "functions must run; --drain strip deletes them and takes the finalizers of the project's controllers " +
  "off, so that what these made outside of the cluster stays behind, and is named. Stop the functions " +
  "before a strip: one that runs may still finalize.";

const EXAMPLES = `
Examples:
  tidegate uninstall
  tidegate uninstall --drain finalize
  tidegate uninstall --drain strip --yes --context test
`;

/** As many objects are named. */
const NAMED = 10;

interface UninstallValues extends ClusterValues {
  readonly functions: string;
  readonly drain?: "finalize" | "strip";
  readonly yes?: boolean;
  readonly output: OutputFormat;
}

/** `tidegate uninstall`. */
export function uninstallCommand(context: CommandContext, done: (code: number) => void): Command {
  return clusterOptions(
    new Command("uninstall")
      .summary("removes the CustomResourceDefinitions from a cluster")
      .description(ABOUT)
      .option("--functions <DIR>", "where they are defined", "functions")
      .addOption(
        new Option("--drain <HOW>", "ends all objects first").choices(["finalize", "strip"]),
      ),
  )
    .option("-y, --yes", "does not ask")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (values: UninstallValues) => done(await uninstall(values, context)));
}

async function uninstall(values: UninstallValues, context: CommandContext): Promise<number> {
  const definitions = await projectDefinitions(context.cwd, values.functions);
  return onCluster(values, context, async (cluster) => {
    const kinds = await installedKinds(cluster.client, definitions);
    const objects = await objectsOf(cluster.transport, kinds, context.stopping);
    const work = { values, context, cluster, kinds, objects };
    if (objects.length > 0 && !values.drain) return refuse(work);
    const stripped = kinds.length > 0 ? await carryOut(work) : [];
    return tell(work, stripped);
  });
}

interface Uninstalling {
  readonly values: UninstallValues;
  readonly context: CommandContext;
  readonly cluster: CommandCluster;
  readonly kinds: readonly InstalledKind[];
  readonly objects: readonly ListedObject[];
}

function refuse({ values, context, cluster, kinds, objects }: Uninstalling): number {
  const more = objects.length > NAMED ? [`  and ${objects.length - NAMED} more`] : [];
  const text = [
    `Not uninstalled: ${countText(objects.length)} would go with the definitions in ${cluster.title}:`,
    ...objects.slice(0, NAMED).map((object) => `  ${objectText(object)}`),
    ...more,
    "To delete them, with what their finalizers do:",
    "  tidegate uninstall --drain finalize",
    "To delete them, and leave behind what finalizers would remove:",
    "  tidegate uninstall --drain strip",
  ].join("\n");
  const found = { objects: objects.length, first: objects.slice(0, NAMED).map(objectText) };
  const value = {
    ...placeOf(cluster),
    removed: [],
    installed: kinds.map(({ name }) => name),
    ...found,
  };
  answer(context, values.output, { value, text });
  return EXIT.failed;
}

/** An object that lost finalizers of ours, for people. */
interface Stripped {
  readonly object: string;
  readonly finalizers: readonly string[];
}

async function carryOut(work: Uninstalling): Promise<readonly Stripped[]> {
  const { values, context, cluster, kinds, objects } = work;
  const controllers =
    values.drain === "strip" ? await loadControllersIn(resolve(context.cwd, values.functions)) : [];
  const names = kinds.map(({ name }) => name).join(", ");
  const many = objects.length > 0 ? `${countText(objects.length)} and ` : "";
  const question = `remove ${many}${names} from ${cluster.title}?`;
  await confirm(context, { action: "uninstall", question, yes: values.yes });
  const progress = progressOn(context);
  const { clock, stopping: signal } = context;
  const taken = new Map<string, readonly string[]>();
  const strip = (kind: Kind) => ownFinalizers(controllers, kind);
  const stripped = (object: ListedObject, finalizers: readonly string[]) =>
    taken.set(objectText(object), finalizers);
  const say = (line: string) => {
    progress.end();
    context.err.write(`${line}\n`);
  };
  const drain = { client: cluster.client, transport: cluster.transport, clock, progress, signal };
  try {
    if (values.drain) await drainKinds({ ...drain, strip, stripped, say }, kinds);
    await removeDefinitions(drain, kinds);
  } finally {
    progress.end();
    for (const line of strippedLines(byObject(taken))) context.err.write(`${line}\n`);
  }
  return byObject(taken);
}

function byObject(taken: ReadonlyMap<string, readonly string[]>): readonly Stripped[] {
  return [...taken]
    .map(([object, finalizers]) => ({ object, finalizers }))
    .sort((a, b) => (a.object < b.object ? -1 : 1));
}

/** Told even when it is broken off: nothing else remembers it. */
function strippedLines(stripped: readonly Stripped[]): readonly string[] {
  if (stripped.length === 0) return [];
  const lines = stripped.map(({ object, finalizers }) => `  ${object}: ${finalizers.join(", ")}`);
  return [
    "What these finalizers would have removed outside of the cluster stays behind:",
    ...lines,
  ];
}

function tell(
  { values, context, cluster, kinds, objects }: Uninstalling,
  stripped: readonly Stripped[],
): number {
  const removed = kinds.map(({ name }) => name);
  const deleted = objects.length > 0 ? [`deleted ${countText(objects.length)}`] : [];
  const lines = [...deleted, ...removed.map((name) => `removed ${name}`)];
  answer(context, values.output, {
    value: { ...placeOf(cluster), removed, objects: objects.length, stripped },
    text: lines.join("\n") || `None of the definitions is installed in ${cluster.title}.`,
  });
  return EXIT.done;
}

function placeOf({ context, server }: CommandCluster) {
  return { context, server };
}
