import { Command } from "commander";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";
import { explain } from "./explain.ts";
import { explainFacts } from "./explain-facts.ts";
import { type ExplainFacts, type Finding, nameIn } from "./finding.ts";
import { statusOf } from "./object-status.ts";
import { oneLine } from "./one-line.ts";
import { type ObjectValues, objectOptions, PLACE_HELP } from "./operate-options.ts";
import { readingPlace } from "./operate-place.ts";
import { factsOf, objectHead } from "./status-command.ts";

const EXAMPLES = `${PLACE_HELP}
Examples:
  tidegate explain website hello
  tidegate explain configmap settings -n shop --controller config-digest
  tidegate explain website hello --output json
`;

/** `tidegate explain KIND NAME`. */
export function explainCommand(context: CommandContext): Command {
  return objectOptions(new Command("explain"))
    .summary("says why an object was reconciled, or was not")
    .description(
      "Says in sentences why an object was reconciled, or was not, and what to do: from its record, " +
        "the object itself, the controller's definition, the queues, and whether a watcher leads. " +
        "Changes nothing; it takes some seconds where no watcher leads, and dead letters that it " +
        "looks at are hidden meanwhile.",
    )
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (kind: string, name: string, values: ObjectValues & { output: OutputFormat }) => {
      await readingPlace(values, context, async (place) => {
        const found = await factsOf(place, kind, { ...values, name });
        const all = await Promise.all(
          found.map((facts) => explainFacts(place, facts, context.stopping)),
        );
        const explained = all.map((facts) => ({ facts, findings: explain(facts) }));
        const controllers = explained.map(({ facts, findings }) => ({
          controller: facts.controller.name,
          findings,
          status: statusOf(facts),
        }));
        const text = explained.map(explainText).join("\n");
        answer(context, values.output, { value: { ...objectHead(all), controllers }, text });
      });
    });
}

const MARKS = { problem: "!", waiting: "~", info: "-" } as const;

function explainText({
  facts,
  findings,
}: {
  readonly facts: ExplainFacts;
  readonly findings: readonly Finding[];
}): string {
  const lines = findings.map(({ level, text, todo }) => {
    const advice = todo === undefined ? "" : `\n      -> ${todo}`;
    return `  ${MARKS[level]} ${oneLine(text)}${advice}`;
  });
  return `${nameIn(facts)}, controller ${facts.controller.name}\n${lines.join("\n")}\n`;
}
