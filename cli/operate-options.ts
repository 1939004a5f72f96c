import type { Command } from "commander";
import { UsageError } from "./usage-error.ts";

/** Where to operate, as it was written. */
export interface PlaceValues {
  readonly data?: string;
  readonly table?: string;
  readonly cluster?: string;
  readonly region?: string;
  readonly functions?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The options by which operating commands find where to operate. */
export function withPlaceOptions(command: Command): Command {
  return command
    .option("--data <DIR>", "operates on the tidegate dev of this folder (default: .tidegate)")
    .option("--table <NAME>", "operates in AWS: the table of the platform; with --cluster")
    .option("--cluster <NAME>", "the name under which records of the cluster are kept in AWS")
    .option("--region <NAME>", "in AWS (default: that of your environment or profile)")
    .option("--functions <DIR>", "in AWS: where the controllers are defined (default: functions)")
    .option("--kubeconfig <FILE>", "in AWS: access to the cluster (default: as kubectl's)")
    .option("--context <NAME>", "in AWS: a context of that file (default: its current one)");
}

/** For the help of operating commands. */
export const PLACE_HELP = `
Operates on the "tidegate dev" that runs in this folder; or, with --table and --cluster, in AWS with
the credentials of your environment (AWS_PROFILE and the like).
`;

/** Whether the values mean AWS. Fails on options that do not go together. */
export function meansAws(values: PlaceValues): boolean {
  const { data, table, cluster, region, functions, kubeconfig, context } = values;
  for (const [name, value] of Object.entries(values)) {
    if (value === "") throw new UsageError(`cannot read --${name}: expected a value, got ""`);
  }
  if (table !== undefined) {
    if (data !== undefined)
      throw new UsageError("cannot use --data with --table: expected one place, got two");
    if (cluster === undefined)
      throw new UsageError("cannot use --table: expected --cluster NAME beside it");
    return true;
  }
  const alone = Object.entries({ cluster, region, functions, kubeconfig, context });
  const given = alone.find(([, value]) => value !== undefined);
  if (given)
    throw new UsageError(`cannot use --${given[0]}: expected --table NAME beside it, got none`);
  return false;
}

/** An object, and where it is. */
export interface ObjectValues extends PlaceValues {
  readonly namespace?: string;
  readonly controller?: string;
}

/** The arguments and options of commands about one object. */
export function objectOptions(command: Command): Command {
  return withPlaceOptions(
    command
      .argument("<KIND>", 'as kubectl takes it: "website", "websites.web.example.com"')
      .argument("<NAME>", "the object's name")
      .option("-n, --namespace <NAME>", "its namespace (default: that of the context, or default)")
      .option("--controller <NAME>", "one controller alone (default: all that reconcile the kind)"),
  );
}
