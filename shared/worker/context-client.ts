import { type Key, type Kind, type KubernetesObject, keyOf } from "../api/object.ts";
import type { Client, NameOrKey } from "../api/reconciler.ts";
import type { Use } from "../api/use.ts";
import type { Grants } from "./grants.ts";
import type { RunScope } from "./run-scope.ts";
import { subresourceCalls } from "./subresource-calls.ts";

/** A client for code of any definition: what it may do is checked at run time. */
export type AnyClient = Client<KubernetesObject, Use>;

/**
 * The `client` of a run's context. Reads go into `seen`; every write is one that is not declarative,
 * so what it touches becomes unknown there and its echo leads to a run, as reconcilers written for
 * controller-runtime expect.
 */
export function createContextClient(scope: RunScope, grants: Grants): AnyClient {
  const { kube, sightings, controller, key: own, ownWrites } = scope;
  const keyFor = (kind: Kind, name: NameOrKey): Key => {
    if (typeof name !== "string") return name;
    return { namespace: namespaceFor(kind, own.namespace), name };
  };
  const manager = { fieldManager: controller.fieldManager };
  const touch = (object: KubernetesObject, kind: Kind) => {
    sightings.touched(kind, { key: keyOf(object), uid: object.metadata.uid });
    ownWrites.wrote(kind, object);
    return object;
  };
  const client = {
    get: async (kind: Kind, name: NameOrKey) => {
      const key = keyFor(kind, name);
      grants.check("get", kind, { key });
      const object = await kube.get(kind, key);
      if (object) sightings.read(object);
      if (object) ownWrites.saw(object);
      return object;
    },
    list: async (kind: Kind, options: { namespace?: string } = {}) => {
      const namespace = options.namespace ?? namespaceFor(kind, own.namespace);
      grants.check("list", kind, { key: { namespace, name: "" } });
      const objects = await kube.list(kind, { ...options, namespace });
      for (const object of objects) {
        sightings.read(object);
        ownWrites.saw(object);
      }
      return objects;
    },
    create: async (kind: Kind, object: { metadata?: { namespace?: string } }) => {
      const namespace = namespaceFor(kind, object.metadata?.namespace ?? own.namespace);
      grants.check("create", kind, { key: { namespace, name: "" } });
      const identity = { apiVersion: kind.apiVersion, kind: kind.kind };
      return touch(await kube.create(kind, namespace, { ...object, ...identity }, manager), kind);
    },
    update: async (kind: Kind, object: KubernetesObject) => {
      const key = keyOf(object);
      grants.check("update", kind, { key });
      return touch(await kube.update(kind, key, object, manager), kind);
    },
    patch: async (kind: Kind, name: NameOrKey, patch: Parameters<AnyClient["patch"]>[2]) => {
      const key = keyFor(kind, name);
      grants.check("patch", kind, { key });
      return touch(await kube.patch(kind, key, patch, manager), kind);
    },
    delete: async (kind: Kind, name: NameOrKey, options?: { uid?: string }) => {
      const key = keyFor(kind, name);
      grants.check("delete", kind, { key });
      sightings.touched(kind, { key, ...(options?.uid !== undefined && { uid: options.uid }) });
      const deleted = await kube.delete(kind, key, options);
      if (deleted) ownWrites.deleted(kind);
      return deleted;
    },
    subresource: (kind: Kind, subresource: string) =>
      subresourceCalls({ scope, grants, keyFor }, kind, subresource),
  };
  return client as unknown as AnyClient;
}

function namespaceFor(kind: Kind, namespace: string): string {
  return kind.scope === "Cluster" ? "" : namespace;
}
