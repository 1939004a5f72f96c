import { Argument, Command } from "commander";
import type { Controller } from "../shared/api/controller.ts";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT } from "./exit-codes.ts";
import { oneLine } from "./one-line.ts";
import { controllerNamed, controllersFor } from "./operate-controllers.ts";
import { deployedControllers } from "./operate-deployed.ts";
import { keyOnPlace } from "./operate-key.ts";
import { type ObjectValues, PLACE_HELP, withPlaceOptions } from "./operate-options.ts";
import { onPlace, type Place } from "./operate-place.ts";
import { type Reconciled, requestAll, requestOne } from "./reconcile-requests.ts";
import { UsageError } from "./usage-error.ts";

const EXAMPLES = `${PLACE_HELP}
Examples:
  tidegate reconcile website hello
  tidegate reconcile website hello -n shop --controller website
  tidegate reconcile --all --controller website
  tidegate reconcile --all -n shop --output json
`;

interface ReconcileValues extends ObjectValues {
  readonly all?: boolean;
  readonly output: OutputFormat;
}

/** `tidegate reconcile KIND NAME`, and `--all`. */
export function reconcileCommand(context: CommandContext, done: (code: number) => void): Command {
  const command = new Command("reconcile")
    .summary("asks for a run of an object now, or of all objects")
    .description(
      "Puts a request into the queue of each controller that reconciles the object. It runs at once, " +
        "also where a retry or a timer waits, and whatever the last run saw; a run that goes on is " +
        "waited for. With --all, every object that the controller selects runs once.",
    )
    .addArgument(new Argument("[KIND]", 'as kubectl takes it: "website"'))
    .addArgument(new Argument("[NAME]", "the object's name"))
    .option("--all", "all objects of the controllers instead of one")
    .option("-n, --namespace <NAME>", "its namespace; with --all: of this namespace alone")
    .option("--controller <NAME>", "one controller alone");
  return withPlaceOptions(command)
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (kind: string | undefined, name: string | undefined, values: ReconcileValues) => {
      const asked = askedFor(kind, name, values);
      const results = await onPlace(values, context, (place) => request(place, asked, context));
      const text = results.map(lineOf).join("\n");
      answer(context, values.output, { value: { controllers: results }, text });
      done(codeOf(results, context));
    });
}

function codeOf(results: readonly Reconciled[], { stopping }: CommandContext): number {
  if (stopping.aborted) return EXIT.interrupted;
  return results.every(({ refused, error }) => refused === 0 && error === null)
    ? EXIT.done
    : EXIT.failed;
}

interface Asked extends ReconcileValues {
  readonly kind?: string;
  readonly name?: string;
}

function askedFor(
  kind: string | undefined,
  name: string | undefined,
  values: ReconcileValues,
): Asked {
  if (values.all) {
    if (name !== undefined)
      throw new UsageError(`cannot use --all with the name ${name}: expected either; see --help`);
    return { ...values, ...(kind === undefined ? {} : { kind }) };
  }
  if (kind === undefined || name === undefined)
    throw new UsageError("cannot reconcile: expected KIND NAME, or --all; see --help");
  return { ...values, kind, name };
}

async function request(
  place: Place,
  asked: Asked,
  context: CommandContext,
): Promise<readonly Reconciled[]> {
  const { name, namespace } = asked;
  const results: Reconciled[] = [];
  for (const controller of await controllersOf(place, asked, context)) {
    if (context.stopping.aborted) break;
    if (name === undefined) {
      results.push(await requestAll(place, controller, { namespace, context }));
    } else {
      const key = await keyOnPlace(place, controller, { name, namespace });
      results.push(await requestOne(place, key, context));
    }
  }
  return results;
}

async function controllersOf(
  place: Place,
  { kind, controller }: Asked,
  context: CommandContext,
): Promise<readonly Controller[]> {
  if (kind !== undefined) return controllersFor(place, kind, controller);
  if (controller === undefined) return deployedControllers(place, context);
  return [controllerNamed(await place.controllers(), controller)];
}

function lineOf({ controller, sent, refused, state, error }: Reconciled): string {
  const objects = `${sent} ${sent === 1 ? "request" : "requests"}`;
  const failed = refused === 0 ? "" : `, ${refused} were not accepted: run this again`;
  const paused =
    state === "paused" || state === "pausing" ? `; ${controller} is paused, so they wait` : "";
  const broken = error === null ? "" : `; not all: ${oneLine(error)}`;
  return `${controller}: ${objects} sent${failed}${broken}${paused}`;
}
