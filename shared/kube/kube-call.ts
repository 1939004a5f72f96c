import { groupOf, type Key } from "../api/object.ts";
import { type KubeError, kubeErrorOf, namesObject } from "./kube-error.ts";
import type { KindPath } from "./paths.ts";
import type { KubeResponse } from "./wire.ts";

/** What a client does with which object, in the words of its errors. */
export interface KubeCall {
  readonly verb: "get" | "list" | "create" | "update" | "patch" | "apply" | "delete";
  readonly kind: KindPath;
  /** For a list the name is "". */
  readonly key: Key;
  readonly subresource?: string | undefined;
}

/** "get Deployment default/web", "apply status of Website default/web", "list Secret in all namespaces". */
export function actionOf({ verb, kind, key, subresource }: KubeCall): string {
  const part = subresource === undefined ? "" : `${subresource} of `;
  if (verb === "list") {
    if (kind.scope === "Cluster") return `list ${kind.kind}`;
    return `list ${kind.kind} in ${key.namespace || "all namespaces"}`;
  }
  const name = key.name || "(generated name)";
  const path = kind.scope === "Cluster" || key.namespace === "" ? name : `${key.namespace}/${name}`;
  return `${verb} ${part}${kind.kind} ${path}`;
}

/** The error of an answer to this call that is not a success, with what to do about it. */
export function callError(call: KubeCall, response: KubeResponse): KubeError {
  return kubeErrorOf(actionOf(call), response, {
    advice: adviceOn(call, response),
    confidential: call.kind.apiVersion === "v1" && call.kind.kind === "Secret",
  });
}

function adviceOn(call: KubeCall, response: KubeResponse): string | undefined {
  const { kind } = call;
  switch (response.status) {
    case 401:
      return "check the credentials of this program for the cluster";
    case 403:
      return `grant it the ${rbacVerb(call)} on ${resourceOf(call)}, unless an admission plugin refused it`;
    case 404:
      return adviceOnMissing(call, response);
    case 415:
      return `${kind.kind} may take other patches only: use merge, json or apply`;
    default:
      return undefined;
  }
}

function adviceOnMissing({ kind, verb, subresource }: KubeCall, response: KubeResponse) {
  if (!namesObject(response)) {
    return `the kind is not served: check plural "${kind.plural}" and version ${kind.apiVersion}, or install its CustomResourceDefinition`;
  }
  // A kind without the subresource is answered like an object that is gone.
  if (subresource !== undefined && verb !== "get") {
    return `it is gone, or ${kind.kind} has no subresource "${subresource}": check its CustomResourceDefinition`;
  }
  return undefined;
}

function rbacVerb({ verb, subresource }: KubeCall): string {
  if (verb !== "apply") return `verb ${verb}`;
  return subresource === undefined ? "verbs create and patch" : "verb patch";
}

function resourceOf({ kind, subresource }: KubeCall): string {
  const group = groupOf(kind.apiVersion);
  const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
  return group === "" ? resource : `${resource} of ${group}`;
}
