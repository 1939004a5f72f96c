import type { Controller } from "../shared/api/controller.ts";
import type { CommandContext } from "./command-context.ts";
import type { Place } from "./operate-place.ts";
import { MissingQueueError, queueUrls } from "./operate-queues.ts";

/**
 * The controllers that have queues. Of one that is defined and not deployed it warns, and passes it
 * over. Rejects where none is deployed: then the cluster's name is wrong, as a rule.
 */
export async function deployedControllers(
  { sqs, cluster, controllers }: Place,
  { err }: Pick<CommandContext, "err">,
): Promise<readonly Controller[]> {
  const found: Controller[] = [];
  for (const controller of await controllers()) {
    try {
      await queueUrls(sqs, { cluster, controller: controller.name });
      found.push(controller);
    } catch (error) {
      if (!(error instanceof MissingQueueError)) throw error;
      err.write(`tidegate: passed over: ${error.message}\n`);
    }
  }
  if (found.length === 0) {
    throw new Error(
      `cannot find queues of cluster "${cluster}": expected those of one controller at least, got none; check --cluster, --region and --functions`,
    );
  }
  return found;
}
