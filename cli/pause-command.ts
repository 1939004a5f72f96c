import { Command } from "commander";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";
import { PLACE_HELP, type PlaceValues, withPlaceOptions } from "./operate-options.ts";
import { onPlace } from "./operate-place.ts";
import { switchController } from "./operate-switch.ts";

const EXAMPLES = `${PLACE_HELP}
Examples:
  tidegate pause website
  tidegate pause website --table tidegate --cluster production
`;

const RETENTION =
  "changes wait in its queue for up to 14 days; after a longer pause: tidegate reconcile --all";

/** `tidegate pause CONTROLLER`. */
export function pauseCommand(context: CommandContext): Command {
  return withPlaceOptions(new Command("pause").argument("<CONTROLLER>", "its name"))
    .summary("stops the runs of a controller; its changes wait")
    .description(
      "No run of the controller begins from now on; those that go on may end, which it waits for. " +
        "Nothing is lost: changes wait in the queue, for up to 14 days, and timers in the records. " +
        "In AWS this is the Enabled of its event source mapping, which a deploy that changes the " +
        "mapping sets again; on this machine it holds over restarts of tidegate dev.",
    )
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (controller: string, values: PlaceValues & { readonly output: OutputFormat }) => {
      const state = await onPlace(values, context, (place) =>
        switchController(place, { controller, paused: true }, context),
      );
      const text = `${controller} is ${state}: ${RETENTION}\ngoes on with: tidegate resume ${controller}`;
      answer(context, values.output, { value: { controller, state }, text });
    });
}
