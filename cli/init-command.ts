import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Command } from "commander";
import { shellWord } from "../local/next-steps.ts";
import type { CommandContext } from "./command-context.ts";
import { answerFiles, type ScaffoldValues, scaffoldOptions } from "./scaffold-answer.ts";
import { checkDomain, checkProjectName } from "./scaffold-checks.ts";
import { writeFiles } from "./scaffold-files.ts";
import { projectPackageJson } from "./scaffold-package-json.ts";
import { type PackageJson, readPackageJson } from "./scaffold-project.ts";
import { projectFiles } from "./templates-project.ts";
import { UsageError } from "./usage-error.ts";

const ABOUT =
  "Makes a project in DIR (default: this folder), for controllers whose APIs belong to a domain of " +
  "yours. A package.json that is there is added to; any other file in the way is an error, and " +
  "nothing is written. It downloads nothing, and leaves git to you.";

const EXAMPLES = `
Examples:
  tidegate init --domain example.com
  tidegate init guestbook --domain example.com
  tidegate init guestbook --domain example.com --dry-run --output json
`;

interface InitValues extends ScaffoldValues {
  readonly domain: string;
  readonly name?: string;
}

/** `tidegate init`. */
export function initCommand(context: CommandContext): Command {
  return scaffoldOptions(
    new Command("init")
      .summary("makes a project")
      .description(ABOUT)
      .argument("[DIR]", "where; made if it is not there", ".")
      .requiredOption("--domain <DOMAIN>", "ends the group of each API, such as example.com")
      .option("--name <NAME>", "of the package (default: from its package.json, or the folder)")
      .addHelpText("after", EXAMPLES)
      .action((dir: string, values: InitValues) =>
        init(resolve(context.cwd, dir), values, context),
      ),
  );
}

async function init(root: string, values: InitValues, context: CommandContext): Promise<void> {
  const { domain, force = false, dryRun = false } = values;
  checkDomain(domain);
  const before = await readPackageJson(root);
  const name = nameOf(root, values, before);
  const packageJson = await projectPackageJson({ name, domain }, before);
  const files = [
    ...projectFiles({ name, domain }),
    { path: "package.json", text: packageJson, merged: true },
  ];
  const written = await writeFiles(files, { root, force, dryRun, id: context.newId() });
  const here = relative(context.cwd, root);
  const next = [
    ...(here === "" ? [] : [`cd ${shellWord(here)}`]),
    ...(insideRepository(root) ? [] : ["git init"]),
    "npm install",
    "npx tidegate create api --group webapp --version v1 --kind Guestbook",
  ];
  const about = `${name}, for APIs of *.${domain}`;
  answerFiles(context, values, { root, written, about, made: { name, domain }, next });
}

/** A name that was not given is made from what is there. */
function nameOf(root: string, { name }: InitValues, before: PackageJson | undefined): string {
  if (name !== undefined) {
    checkProjectName(name);
    return name;
  }
  if (before?.name !== undefined) return before.name;
  const made = basename(root)
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-0-9]+|-+$/g, "");
  if (made !== "") return made.slice(0, 100).replace(/-+$/, "");
  throw new UsageError(
    `cannot name a project after the folder "${basename(root)}": expected letters in it; give --name, such as guestbook`,
  );
}

function insideRepository(dir: string): boolean {
  if (existsSync(join(dir, ".git"))) return true;
  return dirname(dir) !== dir && insideRepository(dirname(dir));
}
