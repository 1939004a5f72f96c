import type { KubernetesObject } from "../api/object.ts";
import { useText } from "../api/permissions.ts";
import { TerminalError } from "../api/result.ts";
import { askedBy } from "./grants.ts";
import type { Refusal } from "./guarded-client.ts";
import { createEventRecorder } from "./record-event.ts";
import type { RunScope } from "./run-scope.ts";

/**
 * Records a Warning event for failures that a person has to end: a terminal error, and a call that
 * the API server does not allow. Once an hour for the same text. Never rejects.
 */
export async function reportFailure(
  scope: RunScope,
  object: KubernetesObject,
  error: unknown,
): Promise<void> {
  const recordEvent = createEventRecorder(scope, object);
  if (error instanceof TerminalError) {
    return recordEvent({ type: "Warning", reason: "TerminalError", message: error.message });
  }
  const refusal = scope.refusalOf(error);
  if (!refusal) return;
  const message = OWNER_GUARDED.test(String(error))
    ? missingDelete(refusal)
    : missingRule(scope, refusal);
  scope.log.warn("call forbidden", { rule: message });
  return recordEvent({ type: "Warning", reason: "Forbidden", message });
}

/**
 * A server that guards owner references lets only those change the owner of an object, as an adoption
 * does, who may delete it.
 * https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement
 */
const OWNER_GUARDED = /cannot set an ownerRef/;

function missingDelete({ kind, namespace }: Refusal): string {
  return `may not change the owner of ${kind.plural}${inNamespace(namespace)}, for this cluster asks for delete: add uses: [${useText(kind, { verb: "delete" })}], and deploy the roles`;
}

/** What the role lacks, and which part of the definition asks for it. */
function missingRule(
  scope: Pick<RunScope, "controller" | "permissions">,
  { verb, kind, namespace, subresource }: Refusal,
): string {
  const what = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
  return `may not ${verb} ${what}${inNamespace(namespace)}, which ${askedBy(scope, kind, { verb, subresource })} asks for: deploy the roles of controller ${scope.controller.name} again`;
}

function inNamespace(namespace: string): string {
  return namespace === "" ? "" : ` in namespace ${namespace}`;
}
