import type { Clock } from "../../shared/clock.ts";
import type { ApiObject } from "./api-object.ts";
import { trackUpdate } from "./apply-update.ts";
import { emptied } from "./crd-deletion.ts";
import { acceptNames } from "./crd-names.ts";
import { isTerminating, isTrue, specOf, statusOf, withCondition } from "./crd-status.ts";
import { sameJson } from "./fields-equal.ts";
import { followObjects } from "./follow-objects.ts";
import { Later } from "./later.ts";
import { DEFINITIONS } from "./live-catalog.ts";
import { storageOf } from "./object-store.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ObjectStore } from "./store.ts";

export interface DefinitionLifecycleOptions {
  readonly store: ObjectStore;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Accepts the names of CustomResourceDefinitions and establishes them, and removes the objects of
 * those that are deleted, as the controllers of an API server do. Returns how to stop.
 */
export function startDefinitionLifecycle(options: DefinitionLifecycleOptions): () => void {
  const { store } = options;
  const later = new Later(options.onError);
  const stop = followObjects(options, ({ object }, resource) => {
    if (storageOf(resource) === DEFINITIONS) {
      const { group } = specOf(object);
      later.do(() => reconcile(options, group));
    } else if (resource.custom) {
      const name = `${resource.plural}.${resource.group}`;
      if (definitionTerminates(store, name)) later.do(() => emptied(options, name));
    }
  });
  return () => {
    stop();
    later.close();
  };
}

/** Whether no more objects can be made of a definition. */
function definitionTerminates(store: ObjectStore, name: string): boolean {
  const definition = store.get({ resource: DEFINITIONS, namespace: "", name });
  return definition !== undefined && isTerminating(definition);
}

/** Names may have become free for any other definition of the group. */
function reconcile(options: DefinitionLifecycleOptions, group: string): void {
  const { store } = options;
  const inGroup = () => store.list(DEFINITIONS, "").filter((each) => specOf(each).group === group);
  for (const { metadata } of inGroup()) {
    if (metadata.deletionTimestamp !== undefined) emptied(options, metadata.name);
    else establish(options, metadata.name, inGroup());
  }
}

function establish(
  { store, catalog, clock }: DefinitionLifecycleOptions,
  name: string,
  group: readonly ApiObject[],
): void {
  const resource = catalog.find({
    group: "apiextensions.k8s.io",
    version: "v1",
    plural: "customresourcedefinitions",
  });
  store.write({ resource: DEFINITIONS, namespace: "", name }, (now) => {
    if (!now || !resource) return now;
    const nowMs = clock.nowMs();
    const after = established(acceptNames(now, group, nowMs), nowMs);
    if (sameJson(after.status, now.status)) return now;
    return trackUpdate({
      before: now,
      after,
      manager: "kube-apiserver",
      resource,
      subresource: "status",
      nowMs,
    });
  });
}

function established(definition: ApiObject, nowMs: number): ApiObject {
  const { conditions } = statusOf(definition);
  if (isTrue(conditions, "Established")) return definition;
  const condition = isTrue(conditions, "NamesAccepted")
    ? {
        type: "Established",
        status: "True",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      }
    : {
        type: "Established",
        status: "False",
        reason: "NotAccepted",
        message: "not all names are accepted",
      };
  return withCondition(definition, condition, nowMs);
}
