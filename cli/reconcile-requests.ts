import type { Controller } from "../shared/api/controller.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import type { CommandContext } from "./command-context.ts";
import { known, learn, textOf } from "./operate-facts.ts";
import { selectedKeys } from "./operate-objects.ts";
import type { RunState } from "./operate-pause.ts";
import type { Place } from "./operate-place.ts";
import { queueUrls } from "./operate-queues.ts";
import { type Sender, senderTo } from "./operate-send.ts";
import { progressOn } from "./progress.ts";

/** What `reconcile` answers of one controller. */
export interface Reconciled {
  readonly controller: string;
  /** Requests that the queue accepted. */
  readonly sent: number;
  /** Those that it did not, after several tries. */
  readonly refused: number;
  /** Why it was not told of all objects, with --all; null: it was. */
  readonly error: string | null;
  /** Whether its function takes messages; null: not known. */
  readonly state: RunState | null;
}

/** So often what was not accepted, mostly throttled, is sent again, beside the repetitions of each call. */
const ROUNDS = 4;
const FIRST_PAUSE_MS = 1_000;

/** Asks for a run of one object. */
export async function requestOne(
  place: Place,
  key: RequestKey,
  context: CommandContext,
): Promise<Reconciled> {
  const sender = senderTo(place, (await queueUrls(place.sqs, key)).queueUrl, context);
  const refused = await sendPatiently(sender, [key], context);
  const state = await stateOf(place, key);
  return { controller: key.controller, sent: 1 - refused, refused, error: null, ...state };
}

/**
 * Asks for a run of every object that the controller selects. Ends early, and says how far it came,
 * when it is interrupted, or the objects cannot be listed: the other controllers have theirs all the same.
 */
export async function requestAll(
  place: Place,
  controller: Controller,
  {
    namespace,
    context,
  }: { readonly namespace: string | undefined; readonly context: CommandContext },
): Promise<Reconciled> {
  const owner = { cluster: place.cluster, controller: controller.name };
  const sender = senderTo(place, (await queueUrls(place.sqs, owner)).queueUrl, context);
  const progress = progressOn(context);
  const counts = { sent: 0, refused: 0 };
  let failure: string | null = null;
  const options = { namespace, signal: context.stopping };
  try {
    for await (const keys of selectedKeys(await place.kube(), controller, options)) {
      const requests = keys.map((key) => ({ ...owner, ...key }));
      const refused = await sendPatiently(sender, requests, context);
      counts.sent += keys.length - refused;
      counts.refused += refused;
      progress.tell(`${controller.name}: ${counts.sent} requests sent`);
    }
  } catch (error) {
    if (!context.stopping.aborted) failure = textOf(error);
  } finally {
    progress.end();
  }
  return {
    controller: controller.name,
    ...counts,
    error: failure,
    ...(await stateOf(place, owner)),
  };
}

/** Resolves to how many were not accepted in the end. */
async function sendPatiently(
  sender: Sender,
  keys: readonly RequestKey[],
  { clock, stopping }: CommandContext,
): Promise<number> {
  let left = keys;
  for (let round = 0; left.length > 0 && round < ROUNDS && !stopping.aborted; round += 1) {
    if (round > 0) await clock.sleep(FIRST_PAUSE_MS * 2 ** (round - 1), stopping);
    const accepted = await sender.send(left.map((key) => ({ ...key, reason: "manual" as const })));
    left = left.filter((_key, index) => !accepted[index]);
  }
  return left.length;
}

async function stateOf(
  place: Place,
  { controller }: Pick<RequestKey, "controller">,
): Promise<{ state: RunState | null }> {
  return { state: known(await learn(place.pauses.state(controller))) ?? null };
}
