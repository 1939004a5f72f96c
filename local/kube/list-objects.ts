import type { ApiObject } from "./api-object.ts";
import { exactField, matchesFields } from "./field-selectors.ts";
import { decodeContinue, encodeContinue } from "./list-continue.ts";
import { badRequest, expired, tooLargeVersion } from "./list-error.ts";
import { type ListOptions, selectsAll } from "./list-options.ts";
import { listVersion } from "./list-version.ts";
import { storageOf } from "./object-store.ts";
import { matchesLabels } from "./selectors.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

/** What a list or watch is about. */
export interface ListScope {
  readonly resource: ServedResource;
  /** "" for all namespaces, and for cluster-scoped objects. */
  readonly namespace: string;
  /**
   * A stored object in the version that is served. Answers the same object for the same one, so
   * that its JSON is made once. Default: as it is stored.
   */
  readonly view?: (object: ApiObject) => ApiObject;
}

/** One answer to a list. */
export interface ListedObjects {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  /** In order of namespace and name. */
  readonly items: readonly ApiObject[];
}

/** Lists as the API server does; throws an ApiError (400, 410, 504) where it cannot. */
export function listObjects(
  store: ObjectStore,
  scope: ListScope,
  options: ListOptions,
): ListedObjects {
  const plan = planOf(store, scope, options);
  const from = plan.start === "" ? plan.objects : after(plan.objects, scope, plan.start);
  const limit = options.resourceVersion === "0" || options.limit <= 0 ? Infinity : options.limit;
  const selects = selectorOf(scope, options);
  const items: ApiObject[] = [];
  let seen = 0;
  for (const object of from) {
    if (items.length >= limit) break;
    seen += 1;
    if (selects(object)) items.push(scope.view ? scope.view(object) : object);
  }
  const last = from[seen - 1];
  const resourceVersion = String(plan.version);
  // One object is read by its key: there is nothing to go on to.
  const one = exactField(options.fields, "metadata.name") !== undefined;
  if (seen === from.length || !last || one) return { metadata: { resourceVersion }, items };
  const next = { version: plan.version, start: `${keyIn(scope, last)}\0` };
  const remaining = selectsAll(options) && { remainingItemCount: from.length - seen };
  return { metadata: { resourceVersion, continue: encodeContinue(next), ...remaining }, items };
}

/** Whether a stored object is one that a list or watch asks for. */
export function selectorOf(
  { resource, namespace }: ListScope,
  options: ListOptions,
): (object: ApiObject) => boolean {
  const all = selectsAll(options);
  return (object) =>
    (namespace === "" || object.metadata.namespace === namespace) &&
    (all ||
      (matchesLabels(options.labels, object.metadata.labels) &&
        matchesFields(options.fields, resource, object)));
}

interface ListPlan {
  readonly objects: readonly ApiObject[];
  readonly version: number;
  /** "" for the first page. */
  readonly start: string;
}

function planOf(store: ObjectStore, scope: ListScope, options: ListOptions): ListPlan {
  if (options.continue !== "") return pagePlan(store, scope, options);
  const { resourceVersion, resourceVersionMatch, limit } = options;
  const asked = resourceVersion === "" ? 0n : listVersion(resourceVersion);
  if (asked > BigInt(store.version)) throw tooLargeVersion(asked, store.version);
  // A limit with a version and no match means that version: older clients page so.
  const legacy = resourceVersionMatch === "" && limit > 0 && asked > 0n;
  if (resourceVersionMatch !== "Exact" && !legacy) return present(store, scope, "");
  const objects = store.listAt(storageOf(scope.resource), scope.namespace, Number(asked));
  if (!objects) throw expired("The resourceVersion for the provided list is too old.");
  return { objects, version: Number(asked), start: "" };
}

function present(store: ObjectStore, { resource, namespace }: ListScope, start: string): ListPlan {
  return { objects: store.list(storageOf(resource), namespace), version: store.version, start };
}

function pagePlan(store: ObjectStore, scope: ListScope, options: ListOptions): ListPlan {
  const { version, start } = decodeContinue(options.continue);
  if (options.resourceVersion !== "" && options.resourceVersion !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  if (version < 0) return present(store, scope, start);
  if (version > store.version) throw tooLargeVersion(version, store.version);
  const objects = store.listAt(storageOf(scope.resource), scope.namespace, version);
  if (!objects) throw inconsistent(start);
  return { objects, version, start };
}

/** With a token that goes on at the newest version: the client decides whether that will do. */
function inconsistent(start: string): Error {
  return expired(
    `${TOO_OLD}, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.`,
    { continue: encodeContinue({ version: -1, start }) },
  );
}

const TOO_OLD =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter";

function keyIn({ namespace }: ListScope, { metadata }: ApiObject): string {
  if (namespace !== "" || metadata.namespace === undefined) return metadata.name;
  return `${metadata.namespace}/${metadata.name}`;
}

function after(
  objects: readonly ApiObject[],
  scope: ListScope,
  start: string,
): readonly ApiObject[] {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const object = objects[middle];
    if (object && keyIn(scope, object) < start) low = middle + 1;
    else high = middle;
  }
  return objects.slice(low);
}
