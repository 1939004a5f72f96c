import { Command, Option } from "commander";
import type { CommandContext } from "./command-context.ts";
import { answerFiles, type ScaffoldValues, scaffoldOptions } from "./scaffold-answer.ts";
import {
  checkControllerName,
  checkGroup,
  checkKind,
  checkPlural,
  checkVersion,
} from "./scaffold-checks.ts";
import { writeFiles } from "./scaffold-files.ts";
import { projectKinds, type ScaffoldKind } from "./scaffold-kinds.ts";
import { kebabOf, pluralOf } from "./scaffold-names.ts";
import { findProject } from "./scaffold-project.ts";
import { apiFiles } from "./templates-api.ts";

const ABOUT =
  "Makes a kind of your own, and a controller that reconciles it: resource.ts, controller.ts, " +
  "reconciler.ts, handler.ts and sample.yaml in functions/NAME, and test/NAME.test.ts. They work as " +
  "they are, and are found without being listed anywhere. The group is GROUP.DOMAIN, with the domain " +
  "of the project.";

const EXAMPLES = `
Examples:
  tidegate create api --group webapp --version v1 --kind Guestbook
  tidegate create api --group infra --version v1alpha1 --kind Zone --namespaced=false
  tidegate create api --group crm --version v1 --kind Person --plural people
`;

interface ApiValues extends ScaffoldValues {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
  readonly namespaced: "true" | "false";
  readonly name?: string;
}

/** `tidegate create api`. */
export function createApiCommand(context: CommandContext): Command {
  return scaffoldOptions(
    new Command("api")
      .summary("makes a kind of your own and its controller")
      .description(ABOUT)
      .requiredOption("--group <GROUP>", "such as webapp; the project's domain comes behind it")
      .requiredOption("--version <VERSION>", "such as v1 or v1alpha1")
      .requiredOption("--kind <KIND>", "in PascalCase, such as Guestbook")
      .option("--plural <PLURAL>", "in lower case (default: by the rules of English, and shown)")
      .addOption(
        new Option(
          "--namespaced <BOOLEAN>",
          "false: objects belong to the cluster, not a namespace",
        )
          .choices(["true", "false"])
          .default("true"),
      )
      .option("--name <NAME>", "of controller and folder (default: guest-book for GuestBook)")
      .addHelpText("after", EXAMPLES)
      .action((values: ApiValues) => createApi(values, context)),
  );
}

async function createApi(values: ApiValues, context: CommandContext): Promise<void> {
  const { root, domain } = await findProject(context.cwd);
  const { force = false, dryRun = false } = values;
  const kind = kindOf(values, domain);
  const name = values.name ?? kebabOf(kind.kind);
  checkControllerName(name);
  await checkFree(root, kind, name);
  const files = apiFiles({ name, for: kind });
  const written = await writeFiles(files, { root, force, dryRun, id: context.newId() });
  const { exported: _, ...made } = kind;
  const scope = kind.scope === "Cluster" ? "cluster-scoped" : "namespaced";
  const about = `${kind.kind} of ${kind.apiVersion}, plural ${kind.plural}, ${scope}`;
  const next = ["npm test", "npx tidegate dev", `kubectl apply -f functions/${name}/sample.yaml`];
  answerFiles(context, values, { root, written, about, made: { ...made, name }, next });
}

function kindOf(values: ApiValues, domain: string): ScaffoldKind {
  const { group, version, kind, plural = pluralOf(kind), namespaced } = values;
  checkGroup(group, domain);
  checkVersion(version);
  checkKind(kind);
  checkPlural(plural);
  const scope = namespaced === "true" ? "Namespaced" : "Cluster";
  return { apiVersion: `${group}.${domain}/${version}`, kind, plural, scope, exported: kind };
}

/** One group has a kind, and a plural, once; the versions of a kind share one definition. */
async function checkFree(root: string, kind: ScaffoldKind, name: string): Promise<void> {
  const [group] = kind.apiVersion.split("/");
  const others = (await projectKinds(root)).filter(
    ({ apiVersion, file }) =>
      apiVersion.split("/")[0] === group && file !== `functions/${name}/resource.ts`,
  );
  const same = others.find((each) => each.kind.toLowerCase() === kind.kind.toLowerCase());
  if (same) {
    throw new Error(
      `cannot create kind ${kind.kind} of ${kind.apiVersion}: ${same.file} defines ${same.kind} of ` +
        `${same.apiVersion}; further versions of a kind belong into that file`,
    );
  }
  const plural = others.find((each) => each.plural === kind.plural);
  if (!plural) return;
  throw new Error(
    `cannot create kind ${kind.kind} with the plural ${kind.plural}: ${plural.kind} in ${plural.file} has it; give another with --plural`,
  );
}
