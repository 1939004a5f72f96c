import { digest } from "./digest.ts";
import type { Reason, ReconcileRequest, RequestKey } from "./request.ts";
import type { OutgoingRequest } from "./request-queue.ts";

/** The parts of an SQS FIFO message that a request decides. */
export interface EncodedRequest {
  readonly MessageBody: string;
  readonly MessageGroupId: string;
  readonly MessageDeduplicationId: string;
}

/** What a message body says. `newer` is run by its key (Q12); `unreadable` has no key and says why. */
export type DecodedRequest =
  | { readonly ok: ReconcileRequest }
  | { readonly newer: ReconcileRequest }
  | { readonly unreadable: string };

/** The version of message bodies that this code writes. They only ever gain fields (Q12). */
const REQUEST_VERSION = 1;

/**
 * The SQS FIFO message of a request. One key is one message group, so SQS hands out no two messages
 * of a key at once. Both ids are hashes of 43 characters: SQS allows 128, of letters, digits and
 * punctuation, and a namespace and a name can have 63 + 253.
 *
 * For 5 minutes SQS drops a message whose deduplication id it has seen, even if the first was
 * processed and deleted: see `changeCause` for why nothing is lost.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-key-terms.html
 */
export function encodeRequest({ request, cause }: OutgoingRequest): EncodedRequest {
  const { cluster, controller, namespace, name, reason, changedAtMs } = request;
  return {
    MessageBody: JSON.stringify({
      version: REQUEST_VERSION,
      cluster,
      controller,
      namespace,
      name,
      reason,
      changedAtMs,
    }),
    MessageGroupId: messageGroupId(request),
    MessageDeduplicationId: digest(cluster, controller, namespace, name, cause).toString(
      "base64url",
    ),
  };
}

/** The message group of a key. */
export function messageGroupId({ cluster, controller, namespace, name }: RequestKey): string {
  return digest(cluster, controller, namespace, name).toString("base64url");
}

/**
 * The cause of a request for a change (Q1) or a timer (Q10): the key's epoch, read strongly
 * consistently after the change was seen; 0 where there is no record. A send that SQS swallows was
 * then made before a run that has not started yet, and that run reads the change.
 */
export function changeCause(epoch: number): string {
  return `epoch ${epoch}`;
}

/** A cause that swallows nothing and is never swallowed: resync, manual, redrive, and in doubt (Q9). */
export function uniqueCause(newId: () => string): string {
  return `unique ${newId()}`;
}

/** Reads a message body of any version. Unknown fields are ignored, unknown reasons read as "manual". */
export function decodeRequest(body: string): DecodedRequest {
  const fields = parsed(body);
  const key = fields && requestKey(fields);
  if (!key) {
    return {
      unreadable: `cannot read request: expected JSON with cluster, controller, namespace and name, got ${body.slice(0, 200)}`,
    };
  }
  const { version, reason, changedAtMs } = fields;
  const request: ReconcileRequest = {
    ...key,
    reason: REASONS.find((known) => known === reason) ?? "manual",
    ...(typeof changedAtMs === "number" ? { changedAtMs } : {}),
  };
  return typeof version === "number" && version > REQUEST_VERSION
    ? { newer: request }
    : { ok: request };
}

const REASONS: readonly Reason[] = ["change", "backfill", "resync", "timer", "manual", "redrive"];

function requestKey(fields: Readonly<Record<string, unknown>>): RequestKey | undefined {
  const { cluster, controller, namespace, name } = fields;
  const named = filled(cluster) && filled(controller) && filled(name);
  return named && typeof namespace === "string"
    ? { cluster, controller, namespace, name }
    : undefined;
}

function filled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function parsed(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return value !== null && typeof value === "object" && !Array.isArray(value)
      ? { ...value }
      : undefined;
  } catch {
    return undefined; // Not JSON: has no key.
  }
}
