import { groupOf } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import type { Json } from "./fields-value.ts";
import { followObjects } from "./follow-objects.ts";
import { GarbageGraph, ownersOf } from "./garbage-graph.ts";
import { type GarbageActions, GarbageRules } from "./garbage-rules.ts";
import { Later } from "./later.ts";
import type { Registry } from "./registry.ts";
import { deleteObject } from "./registry-delete.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

export interface GarbageCollectorOptions {
  readonly store: ObjectStore;
  readonly catalog: ResourceCatalog;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Deletes what nobody owns any more, as the garbage collector of a cluster does. */
export function startGarbageCollector(options: GarbageCollectorOptions): () => void {
  const graph = new GarbageGraph<ServedResource>();
  const later = new Later(options.onError);
  const rules = new GarbageRules(graph, actionsOf(options));
  const attend = (uid: string) => later.do(() => rules.attend(uid));
  const stop = followObjects(options, (event, resource) => {
    const left = graph.follow(event, resource);
    const { uid } = event.object.metadata;
    const owners = [...left, ...ownersOf(event.object).map((owner) => owner.uid)];
    attend(uid);
    if (event.type === "DELETED") {
      for (const { object } of graph.dependents(uid)) attend(object.metadata.uid);
    }
    for (const owner of owners) attend(owner);
  });
  return () => {
    stop();
    later.close();
  };
}

function actionsOf(options: GarbageCollectorOptions): GarbageActions<ServedResource> {
  const { catalog, registry } = options;
  return {
    namespaced: (apiVersion, kind) => {
      const group = groupOf(apiVersion);
      return catalog.all().find((each) => each.group === group && each.kind === kind)?.namespaced;
    },
    remove: ({ resource, object }, propagation) => {
      const { name, namespace = "", uid } = object.metadata;
      const how = { propagation, uid, dryRun: false } as const;
      unlessChanged(() => deleteObject(options, { resource, namespace, name, options: how }));
    },
    change: ({ resource, object }, metadata) => {
      const { name, namespace = "" } = object.metadata;
      const target = { resource, namespace, name, options: WRITE, warn: () => {} };
      const changed = (live: ApiObject) =>
        ({ ...live, metadata: metadata(live.metadata as unknown as Json) }) as unknown as Json;
      unlessChanged(() => registry.patch(target, changed));
    },
  };
}

const WRITE = {
  manager: "kube-controller-manager",
  dryRun: false,
  fieldValidation: "Ignore",
  force: false,
} as const;

/** An object that is gone, or was changed, meanwhile is left: that change is attended to next. */
function unlessChanged(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
