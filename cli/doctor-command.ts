import { Command } from "commander";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";
import { awsChecks } from "./doctor-aws.ts";
import { type Check, checked } from "./doctor-check.ts";
import { clusterChecks } from "./doctor-cluster.ts";
import { credentialChecks, kubectlChecks } from "./doctor-tools.ts";
import { EXIT } from "./exit-codes.ts";
import { oneLine } from "./one-line.ts";
import { lookAtLease } from "./operate-lease.ts";
import { PLACE_HELP, type PlaceValues, withPlaceOptions } from "./operate-options.ts";
import { type Place, readingPlace } from "./operate-place.ts";
import { packageVersion } from "./version-command.ts";

const EXAMPLES = `${PLACE_HELP}
Examples:
  tidegate doctor
  tidegate doctor --table tidegate --cluster production --context prod
  tidegate doctor --output json
`;

/** `tidegate doctor`. */
export function doctorCommand(context: CommandContext, done: (code: number) => void): Command {
  return withPlaceOptions(new Command("doctor"))
    .summary("looks for what is wrong with a platform, and says how to mend it")
    .description(
      "Looks at table, queues, clocks, the cluster (access, rights, definitions, FlowSchema, webhooks) " +
        "and whether a watcher leads. Each line is ok, warn or fail, and says how to mend it. Changes " +
        "nothing. Ends with 1 where something failed.",
    )
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (values: PlaceValues & { readonly output: OutputFormat }) => {
      const checks = await readingPlace(values, context, (place) => allChecks(place, context));
      const text = checks.map(lineOf).join("\n");
      answer(context, values.output, { value: { checks }, text });
      done(checks.some(({ level }) => level === "fail") ? EXIT.failed : EXIT.done);
    });
}

async function allChecks(
  place: Place,
  { clock, stopping, env }: CommandContext,
): Promise<readonly Check[]> {
  const text = `tidegate ${await packageVersion()}, Node ${process.versions.node}`;
  const versions: Check = { name: "versions", level: "ok", text };
  let controllers: Awaited<ReturnType<Place["controllers"]>> = [];
  const definitions = await checked("controllers", async () => {
    controllers = await place.controllers();
    const names = controllers.map(({ name }) => name).join(", ");
    return [{ name: "controllers", level: "ok", text: names }];
  });
  const patient = { place, controllers };
  const credentials = await checked("AWS credentials", () => credentialChecks(place));
  const watcher = checked("watcher", async () => {
    const { state, holder } = await lookAtLease(place.leases, clock, stopping);
    if (state === "held") return [{ name: "watcher", level: "ok", text: `${holder} leads` }];
    const todo = "start tidegate dev, or look at the watcher's Deployment and its log";
    return [{ name: "watcher", level: "fail", text: `none leads (${state})`, todo }];
  });
  const parts = [kubectlChecks({ env }), awsChecks(patient), watcher, clusterChecks(patient)];
  const [tools = [], aws = [], led = [], cluster = []] = await Promise.all(parts);
  return [versions, ...tools, ...definitions, ...credentials, ...aws, ...led, ...cluster];
}

function lineOf({ level, name, text, todo }: Check): string {
  const advice = todo === undefined ? "" : `\n      -> ${todo}`;
  return `${level.padEnd(4)}  ${name}: ${oneLine(text)}${advice}`;
}
