import { resolve } from "node:path";
import { kubeconfigAccess } from "../shared/kube/kubeconfig-access.ts";
import type { CommandContext } from "./command-context.ts";
import { kubeconfigFile } from "./kubeconfig-file.ts";
import { loadControllersIn } from "./operate-controllers.ts";
import { createMappingSwitch } from "./operate-mapping.ts";
import type { PlaceValues } from "./operate-options.ts";
import type { PlaceTarget } from "./operate-place.ts";

/** A platform in AWS. Nothing is asked yet: who asks for more than there is hears of it then. */
export async function openAwsPlace(
  values: PlaceValues,
  { cwd, env, clock }: Pick<CommandContext, "cwd" | "env" | "clock">,
): Promise<PlaceTarget> {
  const { table = "", cluster = "", region, functions = "functions", context } = values;
  const functionsDir = resolve(cwd, functions);
  const file = kubeconfigFile(values, { cwd, env });
  const aws = region === undefined ? {} : { region };
  return {
    title: `table ${table}${region === undefined ? "" : ` in ${region}`}, cluster ${cluster}`,
    aws,
    endpoints: {},
    tableName: table,
    cluster,
    functionsDir,
    controllers: () => loadControllersIn(functionsDir),
    access: () => kubeconfigAccess({ file, context, clock }),
    pauses: createMappingSwitch({ aws, cluster }),
  };
}
