import { Command, InvalidArgumentError } from "commander";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";
import { peekDeadLetters } from "./dead-letters.ts";
import { EXIT } from "./exit-codes.ts";
import { oneLine } from "./one-line.ts";
import { deployedControllers } from "./operate-deployed.ts";
import { keyText } from "./operate-key.ts";
import { PLACE_HELP, type PlaceValues, withPlaceOptions } from "./operate-options.ts";
import { onPlace, type Place } from "./operate-place.ts";
import { queueCounts, queueUrls } from "./operate-queues.ts";
import { senderTo } from "./operate-send.ts";
import { progressOn } from "./progress.ts";
import { lettersByObject, objectOf, type Redriven, redriveLetters } from "./redrive-letters.ts";

const EXAMPLES = `${PLACE_HELP}
Examples:
  tidegate redrive --dry-run
  tidegate redrive website
  tidegate redrive website --max 100
  tidegate redrive website --table tidegate --cluster production
`;

interface RedriveValues extends PlaceValues {
  readonly dryRun?: boolean;
  readonly max?: number;
  readonly output: OutputFormat;
}

/** What `redrive` answers of one controller. */
interface ControllerRedriven extends Redriven {
  readonly controller: string;
  /** Messages in the dead-letter queue afterwards, about. */
  readonly left: number;
}

/** `tidegate redrive [CONTROLLER]`. */
export function redriveCommand(context: CommandContext, done: (code: number) => void): Command {
  const command = new Command("redrive")
    .summary("moves dead letters back into the queue")
    .description(
      "Moves what ended in dead-letter queues back as fresh requests, so that the objects run again. " +
        "A dead letter is deleted only after its request was accepted: an end at any point loses " +
        "nothing. Messages without a readable key stay and are named.",
    )
    .argument("[CONTROLLER]", "the dead letters of this one (default: of all in functions/)")
    .option("--dry-run", "shows what would be moved, and moves nothing")
    .option("--max <N>", "moves so many dead letters at most", countOf);
  return withPlaceOptions(command)
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (controller: string | undefined, values: RedriveValues) => {
      const all = await onPlace(values, context, (place) =>
        redriveAll(
          place,
          { ...values, ...(controller === undefined ? {} : { controller }) },
          context,
        ),
      );
      const text = all.map((each) => textOf(each, values)).join("\n");
      const value = { dryRun: values.dryRun ?? false, controllers: all };
      answer(context, values.output, { value, text });
      const clean = all.every((each) => each.refused.length + each.unreadable.length === 0);
      const code = clean ? EXIT.done : EXIT.failed;
      done(context.stopping.aborted ? EXIT.interrupted : code);
    });
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("expected a number above 0");
}

async function redriveAll(
  place: Place,
  values: RedriveValues & { readonly controller?: string },
  context: CommandContext,
): Promise<readonly ControllerRedriven[]> {
  const { controller, max = Number.POSITIVE_INFINITY } = values;
  const names =
    controller === undefined
      ? (await deployedControllers(place, context)).map(({ name }) => name)
      : [controller];
  const all: ControllerRedriven[] = [];
  let left = max;
  for (const name of names) {
    const one = await redriveOne(
      place,
      { name, limit: left, dryRun: values.dryRun ?? false },
      context,
    );
    left -= one.objects.reduce((sum, { letters }) => sum + letters, 0);
    all.push(one);
    if (left <= 0 || context.stopping.aborted) break;
  }
  return all;
}

async function redriveOne(
  place: Place,
  {
    name,
    limit,
    dryRun,
  }: { readonly name: string; readonly limit: number; readonly dryRun: boolean },
  context: CommandContext,
): Promise<ControllerRedriven> {
  const { sqs, cluster } = place;
  const { queueUrl, deadLetterQueueUrl } = await queueUrls(sqs, { cluster, controller: name });
  const progress = progressOn(context);
  const result = dryRun
    ? await dryRunOf(place, deadLetterQueueUrl, limit)
    : await redriveLetters({
        sqs,
        deadLetterQueueUrl,
        sender: senderTo(place, queueUrl, context),
        startedAtMs: place.clock.nowMs(),
        limit,
        signal: context.stopping,
        told: (letters) => progress.tell(`${name}: ${letters} dead letters`),
      });
  progress.end();
  const { waiting, inFlight } = await queueCounts(sqs, deadLetterQueueUrl);
  return { controller: name, ...result, left: waiting + inFlight };
}

async function dryRunOf({ sqs }: Place, queueUrl: string, limit: number): Promise<Redriven> {
  const letters = await peekDeadLetters(sqs, { queueUrl, limit: Math.min(limit, DRY_RUN_LETTERS) });
  const unreadable = letters.filter(({ request }) => request === undefined);
  return {
    objects: lettersByObject(letters).map(objectOf),
    refused: [],
    unreadable: unreadable.map(({ messageId }) => messageId),
  };
}

/** A dry run shows so many at most. */
const DRY_RUN_LETTERS = 1_000;

function textOf(
  { controller, objects, unreadable, refused, left }: ControllerRedriven,
  { dryRun = false }: RedriveValues,
): string {
  const lines = objects.map(
    ({ letters, error, ...key }) =>
      `  ${dryRun ? "would move" : "moved"} ${letters} of ${keyText(key)}${error === null ? "" : `: ${oneLine(error)}`}`,
  );
  for (const { letters, ...key } of refused)
    lines.push(`  not accepted: ${letters} of ${keyText(key)}; run this again`);
  for (const id of unreadable)
    lines.push(`  left: message ${id} has no readable key; delete it where nobody needs it`);
  const head = lines.length === 0 ? "no dead letters" : `${objects.length} objects`;
  return [`${controller}: ${head}, ${left} messages in the dead-letter queue`, ...lines].join("\n");
}
