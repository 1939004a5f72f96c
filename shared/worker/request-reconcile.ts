import type { Controller } from "../api/controller.ts";
import type { Key } from "../api/object.ts";
import type { ReconcileRequest } from "../queue/request.ts";
import { uniqueCause } from "../queue/request-codec.ts";
import type { RequestQueue } from "../queue/request-queue.ts";
import { requireEnv } from "./require-env.ts";

export interface RequestOptions {
  /** The controller's queue; default: the environment variable TIDEGATE_QUEUE_URL. */
  readonly queueUrl?: string;
  /** The cluster's name; default: the environment variable TIDEGATE_CLUSTER. */
  readonly cluster?: string;
}

/**
 * Asks for a reconcile of one object, from any function: what a webhook, a topic or a schedule says
 * becomes a run like any other. Resolves once the request is in the queue; rejects when it is not
 * known to be. Never swallowed, not even twice within a second: its id is unique (Q10).
 */
export async function requestReconcile(
  controller: Pick<Controller, "name">,
  { namespace, name }: Key,
  options: RequestOptions = {},
): Promise<void> {
  const queueUrl = options.queueUrl ?? requireEnv("TIDEGATE_QUEUE_URL");
  const cluster = options.cluster ?? requireEnv("TIDEGATE_CLUSTER");
  const { queueFor } = await import("./lambda-queue.ts"); // The SDK, by those who send.
  const request = {
    cluster,
    controller: controller.name,
    namespace,
    name,
    reason: "manual",
  } as const;
  await sendRequest(queueFor(queueUrl), request);
}

/** Sends one request with a unique id. Rejects when the queue did not accept it. */
export async function sendRequest(
  { queue, newId }: { readonly queue: RequestQueue; readonly newId: () => string },
  request: ReconcileRequest,
): Promise<void> {
  const [accepted] = await queue.send([{ request, cause: uniqueCause(newId) }]);
  if (accepted) return;
  const { controller, namespace, name } = request;
  throw new Error(
    `cannot request a reconcile of ${namespace}/${name} by ${controller}: expected the queue to accept it, got a refusal; try again`,
  );
}
