import { resolve } from "node:path";
import type { Command } from "commander";
import { dump } from "js-yaml";
import { platformManifests } from "../shared/platform/platform-manifests.ts";
import type { CommandContext } from "./command-context.ts";
import { answerGenerated, type GeneratedValues, generatedCommand } from "./generated-answer.ts";
import { loadControllersIn } from "./operate-controllers.ts";
import { findDefinitions } from "./project-definitions.ts";
import { UsageError } from "./usage-error.ts";

const ABOUT =
  "Writes what must be in a cluster before watcher and functions work on it, with the same bytes for the " +
  "same sources: the CustomResourceDefinitions in a file of their own, the watcher's namespace and " +
  "service account, roles and bindings of watcher and functions, and a FlowSchema. A function is in the " +
  "groups PLATFORM:function:NAME, which has its role, and PLATFORM:functions, which the FlowSchema is " +
  "for: name both in its access entry.";

const EXAMPLES = `
Examples:
  tidegate manifests
  kubectl apply --server-side -f manifests/
  tidegate manifests --check           in CI: exits with 1 where a file is not as it would be written
  tidegate manifests --namespace controllers --platform team-a -o deploy
`;

const MARK = '# Written by "tidegate manifests"; edit the definitions instead.';
const DIR = "manifests";

interface ManifestsValues extends GeneratedValues {
  readonly namespace: string;
  readonly platform: string;
}

/** `tidegate manifests`. */
export function manifestsCommand(context: CommandContext, done: (code: number) => void): Command {
  return generatedCommand("manifests", DIR)
    .summary("writes what must be in the cluster as YAML: definitions, roles, flow schema")
    .description(ABOUT)
    .option("-n, --namespace <NAME>", "of the watcher", "tidegate")
    .option("--platform <NAME>", "begins the names, where two share a cluster", "tidegate")
    .addHelpText("after", EXAMPLES)
    .action(async (values: ManifestsValues) => done(await writeManifests(context, values)));
}

async function writeManifests(context: CommandContext, values: ManifestsValues): Promise<number> {
  const { namespace, platform, functions } = values;
  checkName("--namespace", namespace);
  checkName("--platform", platform);
  const definitions = await findDefinitions(context.cwd, functions);
  const controllers = await loadControllersIn(resolve(context.cwd, functions));
  const crds = definitions.map(({ crd }) => crd);
  const manifests = platformManifests({ controllers, crds, namespace, platform });
  const files = new Map([...manifests].map(([name, objects]) => [name, yamlOf(objects)]));
  return answerGenerated(context, values, { mark: MARK, files, redo: redoOf(values) });
}

/** As `crdYaml`, for several. */
function yamlOf(objects: readonly object[]): string {
  return objects.map((object) => dump(object, { noRefs: true, lineWidth: 100 })).join("---\n");
}

function redoOf({ out, namespace, platform }: ManifestsValues): string {
  const options = [
    ...(namespace === "tidegate" ? [] : ["--namespace", namespace]),
    ...(platform === "tidegate" ? [] : ["--platform", platform]),
    ...(out === DIR ? [] : ["-o", out]),
  ];
  return ["tidegate manifests", ...options].join(" ");
}

function checkName(option: string, name: string): void {
  // https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return;
  throw new UsageError(
    `cannot read ${option}: expected lower case letters, digits and "-", at most 63, got "${name}"`,
  );
}
