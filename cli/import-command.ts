import { join, relative, resolve } from "node:path";
import { Command } from "commander";
import { groupOf } from "../shared/api/object.ts";
import { answer, type OutputFormat, outputFormatOption } from "./answer.ts";
import { type ClusterValues, clusterOptions } from "./cluster-options.ts";
import type { CommandContext } from "./command-context.ts";
import { importedCode } from "./import-code.ts";
import { definitionsIn, type ImportedKind, importedKind } from "./import-definitions.ts";
import { readSource, sourceText } from "./import-source.ts";
import { writeFiles } from "./scaffold-files.ts";
import { kebabOf } from "./scaffold-names.ts";

const ABOUT =
  "Makes a resource.ts of the CustomResourceDefinitions of somebody else, with the types of all fields, so " +
  "that their kinds can be watched, owned and applied as those that Kubernetes brings. SOURCE is a file of " +
  "YAML or JSON, an https URL, or the name of a definition in the cluster. The definitions themselves are " +
  "not taken over: install and uninstall never touch them.";

const EXAMPLES = `
Examples:
  tidegate import certificates.cert-manager.io
  tidegate import crds.yaml -o functions/queue
  tidegate import https://example.com/release/crds.yaml --version v1beta1
`;

interface ImportValues extends ClusterValues {
  readonly version?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly output: OutputFormat;
}

/** `tidegate import SOURCE`. */
export function importCommand(context: CommandContext): Command {
  return clusterOptions(
    new Command("import")
      .summary("makes types of the CustomResourceDefinitions of others")
      .description(ABOUT)
      .argument("<SOURCE>", "a file, an https URL, or PLURAL.GROUP in the cluster")
      .option("--version <VERSION>", "of the kinds (default: the one that is stored)")
      .option(
        "-o, --out <DIR>",
        "where resource.ts goes (default: functions/ and the kind's name, or the group's)",
      )
      .option("--force", "overwrites a file that is there, as far as git can bring it back")
      .option("--dry-run", "tells what would be written, and writes nothing"),
  )
    .addOption(outputFormatOption())
    .addHelpText("after", EXAMPLES)
    .action((source: string, values: ImportValues) => importSource(source, values, context));
}

async function importSource(source: string, values: ImportValues, context: CommandContext) {
  const { force = false, dryRun = false, output, version } = values;
  const text = await readSource(source, values, context);
  const kinds = definitionsIn(text, source).map((each) => importedKind(each, version));
  const { cwd } = context;
  const path = relative(cwd, resolve(cwd, values.out ?? folderOf(kinds), "resource.ts"));
  const file = { path, text: await importedCode(kinds, sourceText(source, cwd)) };
  context.stopping.throwIfAborted();
  const written = await writeFiles([file], { root: cwd, force, dryRun, id: context.newId() });
  const named = kinds.map(({ apiVersion, kind, plural, scope }) => {
    return { apiVersion, kind, plural, scope };
  });
  const done = written.created.length > 0 ? "created" : "overwritten";
  const lines = [
    ...(dryRun ? ["Nothing is written. This file would be:"] : []),
    `${done} ${path}`,
    ...named.map(({ kind, apiVersion }) => `  ${kind} of ${apiVersion}`),
  ];
  answer(context, output, {
    value: { dryRun, file: path, ...written, kinds: named },
    text: lines.join("\n"),
  });
}

/** Several kinds share the folder of their group: functions/cert-manager for those of cert-manager.io. */
function folderOf(kinds: readonly ImportedKind[]): string {
  const [first] = kinds;
  const group = groupOf(first?.apiVersion ?? "").split(".")[0] ?? "";
  return join("functions", kinds.length === 1 ? kebabOf(first?.kind ?? "") : group);
}
