import { type Key, type Kind, type KubernetesObject, keyOf } from "../api/object.ts";
import type { NameOrKey, Patch } from "../api/reconciler.ts";
import type { SubresourceVerb } from "../api/use.ts";
import type { Grants } from "./grants.ts";
import type { RunScope } from "./run-scope.ts";

/** The subresources that have objects of their own; all others are the whole object. */
const BODIES: Readonly<Record<string, { readonly apiVersion: string; readonly kind: string }>> = {
  scale: { apiVersion: "autoscaling/v1", kind: "Scale" },
  eviction: { apiVersion: "policy/v1", kind: "Eviction" },
  token: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" },
};

/** What the calls need of the client that they belong to. */
export interface SubresourceHost {
  readonly scope: Pick<RunScope, "kube" | "sightings" | "controller" | "ownWrites">;
  readonly grants: Grants;
  readonly keyFor: (kind: Kind, name: NameOrKey) => Key;
}

/**
 * The client's calls on one subresource. A write is a write to the object: it becomes unknown in
 * `seen`. So it does when only part of it is read, as its scale is: nothing tells which version
 * that part belongs to.
 */
export function subresourceCalls(
  { scope: { kube, sightings, controller, ownWrites }, grants, keyFor }: SubresourceHost,
  kind: Kind,
  subresource: string,
) {
  const options = { subresource };
  const write = { subresource, fieldManager: controller.fieldManager };
  const body = BODIES[subresource] ?? { apiVersion: kind.apiVersion, kind: kind.kind };
  const checked = (verb: SubresourceVerb, key: Key): Key => {
    grants.check(verb, kind, { key, subresource });
    return key;
  };
  const whole = (answer: KubernetesObject) => answer.kind === kind.kind;
  const touch = (key: Key, answer: KubernetesObject) => {
    const { uid } = answer.metadata;
    sightings.touched(kind, { key, ...(uid && { uid }) });
    if (whole(answer)) ownWrites.wrote(kind, answer);
    else ownWrites.wrotePart(kind, key.name, { ...answer.metadata, subresource });
    return answer;
  };
  return {
    get: async (name: NameOrKey) => {
      const key = checked("get", keyFor(kind, name));
      const answer = await kube.get(kind, key, options);
      if (!answer) return undefined;
      if (!whole(answer)) sightings.touched(kind, { key, uid: answer.metadata.uid });
      else {
        sightings.read(answer);
        ownWrites.saw(answer);
      }
      return answer;
    },
    create: async (name: NameOrKey, given: object) => {
      const key = checked("create", keyFor(kind, name));
      const object = { ...body, ...given, metadata: { name: key.name } };
      return touch(key, await kube.create(kind, key.namespace, object, write));
    },
    update: async (given: KubernetesObject) => {
      const key = checked("update", keyOf(given));
      return touch(key, await kube.update(kind, key, { ...given, ...body }, write));
    },
    patch: async (name: NameOrKey, patch: Patch) => {
      const key = checked("patch", keyFor(kind, name));
      return touch(key, await kube.patch(kind, key, patch, write));
    },
  };
}
