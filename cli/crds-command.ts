import type { Command } from "commander";
import { crdWarnings } from "../shared/crd/crd-warnings.ts";
import { crdYaml } from "../shared/crd/crd-yaml.ts";
import type { CommandContext } from "./command-context.ts";
import { answerGenerated, type GeneratedValues, generatedCommand } from "./generated-answer.ts";
import { projectDefinitions } from "./project-definitions.ts";

const ABOUT =
  "Writes the CustomResourceDefinitions of the project, the crd() of each functions/*/resource.ts, as " +
  "YAML: a file each, with the same bytes for the same definition. Its own files of definitions that " +
  "are gone are removed; files without its first line are left alone.";

const EXAMPLES = `
Examples:
  tidegate crds
  tidegate crds --check                in CI: exits with 1 where a file is not as it would be written
  tidegate crds -o - | kubectl diff --server-side -f -
`;

const MARK = '# Written by "tidegate crds"; edit resource.ts instead.';
const DIR = "manifests/crds";

/** `tidegate crds`. */
export function crdsCommand(context: CommandContext, done: (code: number) => void): Command {
  return generatedCommand("crds", DIR)
    .summary("writes the CustomResourceDefinitions as YAML")
    .description(ABOUT)
    .addHelpText("after", EXAMPLES)
    .action(async (values: GeneratedValues) => done(await writeCrds(context, values)));
}

async function writeCrds(context: CommandContext, values: GeneratedValues): Promise<number> {
  const definitions = await projectDefinitions(context.cwd, values.functions);
  const crds = definitions.map(({ crd }) => crd);
  for (const warning of crds.flatMap(crdWarnings))
    context.err.write(`tidegate: warning: ${warning}\n`);
  const files = new Map(crds.map((crd) => [`${crd.metadata.name}.yaml`, crdYaml(crd)]));
  return answerGenerated(context, values, {
    mark: MARK,
    files,
    redo: `tidegate crds${values.out === DIR ? "" : ` -o ${values.out}`}`,
  });
}
