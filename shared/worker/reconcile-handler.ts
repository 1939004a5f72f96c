import type { Controller } from "../api/controller.ts";
import type { Reconciler } from "../api/reconciler.ts";
import { checkReconciler } from "./check-reconciler.ts";
import type { AnyReconciler } from "./run-object.ts";
import type { ReconcileHandler } from "./sqs-event.ts";

/** Code around each invocation, in the shape that middy's middlewares have. */
export interface Middleware {
  readonly before?: (request: never) => unknown;
  readonly after?: (request: never) => unknown;
  readonly onError?: (request: never) => unknown;
}

export interface HandlerOptions {
  /** middy middlewares, the outermost first. None of them may answer in the worker's place. */
  readonly middlewares?: readonly Middleware[];
}

/**
 * The Lambda export of a controller: `export const handler = reconcileHandler(controller, reconciler)`.
 *
 * The environment is read at the first invocation, once. Clients are made then and kept: they are
 * caches that are safe to lose. Everything of a run is made new for it.
 *
 * TIDEGATE_TABLE, TIDEGATE_QUEUE_URL, TIDEGATE_CLUSTER and TIDEGATE_REVISION are required, and either
 * TIDEGATE_KUBE_ACCESS (path of an access file) or TIDEGATE_EKS_ENDPOINT with TIDEGATE_EKS_CA
 * (base64) and AWS_REGION. TIDEGATE_EKS_CLUSTER (name in EKS, default TIDEGATE_CLUSTER),
 * TIDEGATE_DEAD_LETTER_QUEUE_URL and TIDEGATE_LOG_LEVEL are optional.
 */
export function reconcileHandler<C extends Controller>(
  controller: C,
  reconciler: Reconciler<C>,
  options: HandlerOptions = {},
): ReconcileHandler {
  const untyped = reconciler as unknown as AnyReconciler;
  checkReconciler(controller, untyped);
  // Loaded apart from "tidegate", so that a definition which imports it loads no SDK with it; begun
  // here, so that it happens while Lambda initialises and not while a request waits.
  const loading = import("./lambda-handler.ts");
  loading.catch(() => {}); // The first invocation tells.
  let handler: Promise<ReconcileHandler> | undefined;
  return async (event, invocation) => {
    handler ??= loading.then(({ createLambdaHandler }) =>
      createLambdaHandler(controller, untyped, options),
    );
    handler.catch(() => {
      handler = undefined; // What failed now may be there at the next invocation.
    });
    return (await handler)(event, invocation);
  };
}
