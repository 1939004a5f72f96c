import { Command } from "commander";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";
import { PLACE_HELP, type PlaceValues, withPlaceOptions } from "./operate-options.ts";
import { onPlace } from "./operate-place.ts";
import { switchController } from "./operate-switch.ts";

const EXAMPLES = `${PLACE_HELP}
Examples:
  tidegate resume website
  tidegate resume website --table tidegate --cluster production
`;

/** `tidegate resume CONTROLLER`. */
export function resumeCommand(context: CommandContext): Command {
  return withPlaceOptions(new Command("resume").argument("<CONTROLLER>", "its name"))
    .summary("lets a paused controller run again")
    .description(
      "Lets a controller run again that was paused: first what waited in its queue. After a pause of " +
        "more than 14 days, what changed at its beginning may have left the queue: then reconcile " +
        "all its objects with tidegate reconcile --all --controller NAME.",
    )
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (controller: string, values: PlaceValues & { readonly output: OutputFormat }) => {
      const state = await onPlace(values, context, (place) =>
        switchController(place, { controller, paused: false }, context),
      );
      answer(context, values.output, {
        value: { controller, state },
        text: `${controller} is ${state}`,
      });
    });
}
