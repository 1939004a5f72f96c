import { posix, relative, resolve, sep } from "node:path";
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { namesKind } from "./operate-kinds.ts";
import { answerFiles, type ScaffoldValues, scaffoldOptions } from "./scaffold-answer.ts";
import { checkControllerName } from "./scaffold-checks.ts";
import { writeFiles } from "./scaffold-files.ts";
import { builtInKinds, kindsIn, projectKinds, type ScaffoldKind } from "./scaffold-kinds.ts";
import { kebabOf } from "./scaffold-names.ts";
import { findProject } from "./scaffold-project.ts";
import { controllerFiles } from "./templates-controller.ts";
import { UsageError } from "./usage-error.ts";

const ABOUT =
  "Makes a controller for a kind that there is: one of functions/*/resource.ts, one that Kubernetes " +
  "brings, or with --from one that another file defines by defineKind.";

const EXAMPLES = `
Examples:
  tidegate create controller --kind Deployment
  tidegate create controller --kind Guestbook --name guestbook-backup
  tidegate create controller --from shared/certificate.ts --kind Certificate
`;

interface ControllerValues extends ScaffoldValues {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly from?: string;
  readonly name?: string;
}

/** `tidegate create controller`. */
export function createControllerCommand(context: CommandContext): Command {
  return scaffoldOptions(
    new Command("controller")
      .summary("makes a controller for a kind that there is")
      .description(ABOUT)
      .option("--kind <KIND>", "such as Deployment; not needed where FILE defines one kind")
      .option("--api-version <VERSION>", "such as apps/v1, where several kinds have that name")
      .option("--from <FILE>", "the TypeScript file in this project that defines the kind")
      .option("--name <NAME>", "of controller and folder (default: stateful-set for StatefulSet)")
      .addHelpText("after", EXAMPLES)
      .action((values: ControllerValues) => createController(values, context)),
  );
}

async function createController(values: ControllerValues, context: CommandContext): Promise<void> {
  const { root } = await findProject(context.cwd);
  const { force = false, dryRun = false } = values;
  const kind = await findKind(root, values, context.cwd);
  const name = values.name ?? kebabOf(kind.kind);
  checkControllerName(name);
  const files = controllerFiles({ name, for: kind });
  const written = await writeFiles(files, { root, force, dryRun, id: context.newId() });
  const { exported: _, ...made } = kind;
  const about = `controller ${name} for ${kind.kind} of ${kind.apiVersion}`;
  if (kind.notEmbedded) context.err.write(notEmbedded(kind));
  const next = kind.notEmbedded
    ? ["npx tidegate dev --kubeconfig FILE"]
    : ["npm test", "npx tidegate dev"];
  answerFiles(context, values, { root, written, about, made: { ...made, name }, next });
}

function notEmbedded({ kind }: ScaffoldKind): string {
  return `tidegate: the embedded cluster has no ${kind}: no test is made, and it runs against a cluster of yours only\n`;
}

async function findKind(
  root: string,
  { kind, apiVersion, from }: ControllerValues,
  cwd: string,
): Promise<ScaffoldKind> {
  if (kind === undefined && from === undefined) {
    throw new UsageError("cannot create a controller: expected --kind KIND or --from FILE");
  }
  const given = from === undefined ? undefined : fileIn(root, resolve(cwd, from));
  const kinds = given === undefined ? await allKinds(root) : await kindsIn(root, given);
  const found = kinds
    .filter((each) => kind === undefined || each.kind === kind)
    .filter((each) => apiVersion === undefined || each.apiVersion === apiVersion);
  const [first, ...more] = found;
  if (first && more.length === 0) return first;
  const where = from ?? "functions/*/resource.ts and Kubernetes itself";
  if (first) {
    const got = found.map((each) => `${each.kind} of ${each.apiVersion}`).join(", ");
    throw new UsageError(
      `cannot tell which kind of ${where} is meant: expected one, got ${got}; say which with --kind and --api-version`,
    );
  }
  const meant = kinds.find((each) => kind !== undefined && namesKind(each, kind));
  if (meant && meant.kind !== kind) {
    throw new UsageError(
      `cannot use --kind: expected the kind as its objects have it, ${meant.kind}, got "${kind}"`,
    );
  }
  const known = kinds.map((each) => each.kind).join(", ");
  const wanted = [kind ?? "", ...(apiVersion === undefined ? [] : [`of ${apiVersion}`])].join(" ");
  throw new Error(
    `cannot find kind ${wanted} in ${where}: expected one of those defined there, ${known || "none"}; ` +
      "name the file that defines it by defineKind with --from",
  );
}

async function allKinds(root: string): Promise<readonly ScaffoldKind[]> {
  return [...(await projectKinds(root)), ...builtInKinds()];
}

function fileIn(root: string, file: string): string {
  const path = relative(root, file).split(sep).join(posix.sep);
  if (!path.startsWith("../") && path.endsWith(".ts")) return path;
  throw new UsageError(`cannot use --from: expected a .ts file in ${root}, got "${file}"`);
}
