// What users import from "tidegate". Loads neither the SDK nor a Kubernetes client: those come with
// the first invocation's code (lambda-handler.ts), for definitions are loaded by stack and watcher, too.
export {
  type HandlerOptions,
  type Middleware,
  reconcileHandler,
} from "./reconcile-handler.ts";
export { type RequestOptions, requestReconcile } from "./request-reconcile.ts";
export { requireEnv } from "./require-env.ts";
export type {
  BatchAnswer,
  Invocation,
  ReconcileHandler,
  SqsEvent,
  SqsRecord,
} from "./sqs-event.ts";
