import { Command } from "commander";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";
import { type ObjectStatus, statusOf } from "./object-status.ts";
import { controllersFor } from "./operate-controllers.ts";
import { gatherFacts, type ObjectFacts } from "./operate-facts.ts";
import { keyOnPlace } from "./operate-key.ts";
import { type ObjectValues, objectOptions, PLACE_HELP } from "./operate-options.ts";
import { type Place, readingPlace } from "./operate-place.ts";
import { statusText } from "./status-text.ts";

const EXAMPLES = `${PLACE_HELP}
Examples:
  tidegate status website hello
  tidegate status websites.web.example.com hello -n shop --output json
  tidegate status website hello --table tidegate --cluster production --context prod
`;

/** `tidegate status KIND NAME`. */
export function statusCommand(context: CommandContext): Command {
  return objectOptions(new Command("status"))
    .summary("shows what is known of the runs of an object")
    .description(
      "Shows of each controller that reconciles the object: its runs, how the last one ended, what " +
        "comes next, and whether the last run saw the object as it is now. Changes nothing.",
    )
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (kind: string, name: string, values: ObjectValues & { output: OutputFormat }) => {
      await readingPlace(values, context, async (place) => {
        const all = await factsOf(place, kind, { ...values, name });
        const value = statusDocument(all);
        const text = all.map((facts) => statusText(facts, statusOf(facts))).join("\n");
        answer(context, values.output, { value, text });
      });
    });
}

/** The facts of an object, one for each controller that reconciles its kind. */
export async function factsOf(
  place: Place,
  kind: string,
  { name, namespace, controller }: ObjectValues & { readonly name: string },
): Promise<readonly ObjectFacts[]> {
  const controllers = await controllersFor(place, kind, controller);
  return Promise.all(
    controllers.map(async (each) =>
      gatherFacts(place, each, await keyOnPlace(place, each, { name, namespace })),
    ),
  );
}

/** What an answer in JSON says of the object, before its controllers. */
export function objectHead(facts: readonly ObjectFacts[]): Readonly<Record<string, string>> {
  const [first] = facts;
  if (!first) return {};
  const { cluster, namespace, name } = first.key;
  const { apiVersion, kind } = first.controller.for;
  return { cluster, apiVersion, kind, namespace, name };
}

function statusDocument(facts: readonly ObjectFacts[]): object {
  const controllers: readonly ObjectStatus[] = facts.map(statusOf);
  return { ...objectHead(facts), controllers };
}
