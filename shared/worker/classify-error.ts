import { TerminalError } from "../api/result.ts";
import { ConflictError, KubeError } from "../kube/kube-error.ts";
import { ObjectGoneError } from "./object-gone-error.ts";

/** What an error of a run means: the rows of the protocol's result table. */
export type Failure =
  | { readonly outcome: "error" | "terminal_error" | "conflict" }
  | { readonly outcome: "throttled"; readonly retryAfterSeconds?: number }
  /** No failure: the namespace terminates, and the object's deletion will come as a change. */
  | { readonly outcome: "success" }
  /** No failure: the object itself went away meanwhile. */
  | { readonly outcome: "gone" };

/**
 * Judges what a reconciler threw, or what the framework's own calls met. An answer of the API server
 * counts the same whoever made the call; one that is wrapped in another error is that error.
 */
export function classifyError(error: unknown): Failure {
  if (error instanceof TerminalError) return { outcome: "terminal_error" };
  if (error instanceof ObjectGoneError) return { outcome: "gone" };
  if (!(error instanceof KubeError)) return { outcome: "error" };
  const { status, retryAfterSeconds } = error;
  if (status === 503 || (status === 429 && !evictionRefused(error))) {
    return { outcome: "throttled", ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }
  if (terminating(error)) return { outcome: "success" };
  // A name that is taken stays taken: repeating it without counting would never tell anybody.
  const conflict = error instanceof ConflictError && error.reason !== "AlreadyExists";
  return { outcome: conflict ? "conflict" : "error" };
}

/** A disruption budget answers evictions with 429: a refusal for the reconciler, no overload. */
function evictionRefused({ action, details }: KubeError): boolean {
  const budget = details.causes?.some(({ reason }) => reason === "DisruptionBudget");
  return budget === true || /\beviction\b/i.test(action);
}

/** https://github.com/kubernetes/kubernetes, NamespaceTerminatingCause in apimachinery's meta/v1 */
function terminating({ status, details }: KubeError): boolean {
  return (
    status === 403 &&
    details.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true
  );
}
