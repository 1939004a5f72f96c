import type { Clock } from "../../shared/clock.ts";
import { checkObject, checkStatus, decoded, defaulted, settled, type Warn } from "./admission.ts";
import type { ApiMeta, ApiObject } from "./api-object.ts";
import { sameExceptTimes, trackUpdate } from "./apply-update.ts";
import type { BodyText } from "./body-faults.ts";
import { completeBuiltIn } from "./built-in-create.ts";
import { isHeld } from "./deletion-holds.ts";
import type { Json } from "./fields-value.ts";
import { nextGeneration } from "./generation.ts";
import type { KindRules } from "./kind-rules.ts";
import { checkPlace, createdMetadata, metadataFaults, updatedMetadata } from "./metadata-rules.ts";
import { identified } from "./object-body.ts";
import { servedForm, storedForm } from "./object-forms.ts";
import { storageOf } from "./object-store.ts";
import { checkPatchedKind, checkSameUid, invalidPatch } from "./patched-object.ts";
import { appliedTo, appliedToNothing, checkApply, withManagersOf } from "./registry-apply.ts";
import {
  alreadyExists,
  anotherUid,
  conflict,
  internalError,
  invalid,
  notFound,
} from "./registry-errors.ts";
import { reset } from "./registry-reset.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore, StoreKey } from "./store.ts";
import type { WriteOptions } from "./write-options.ts";

export interface RegistryOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newUid: () => string;
  /** What single kinds need beyond the rules for all. */
  readonly rules: KindRules;
}

/** One write of one object. */
export interface WriteCall {
  readonly resource: ServedResource;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource?: string | undefined;
  readonly options: WriteOptions;
  readonly warn: Warn;
  /** What the text of the body tells; absent where there was none. */
  readonly text?: BodyText | undefined;
}

export interface Written {
  readonly object: ApiObject;
  readonly created: boolean;
}

/** All writes of objects, with the rules that hold for every kind. Each is one atomic step. */
export class Registry {
  readonly #options: RegistryOptions;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  get({
    resource,
    namespace,
    name,
  }: Pick<WriteCall, "resource" | "namespace" | "name">): ApiObject {
    const object = this.#options.store.get(storeKey(resource, namespace, name));
    if (!object) throw notFound(resource, name);
    return servedForm(resource, object);
  }

  has({ resource, namespace, name }: Pick<WriteCall, "resource" | "namespace" | "name">): boolean {
    return this.#options.store.get(storeKey(resource, namespace, name)) !== undefined;
  }

  /** Creates an object from a body. */
  create(call: Omit<WriteCall, "name">, body: ApiObject): ApiObject {
    const { resource, namespace, options } = call;
    const read = decoded(call, body);
    checkPlace(resource, read, { namespace });
    return this.#create(
      { ...call, name: read.metadata.name },
      (made) =>
        trackUpdate({ after: made, manager: options.manager, resource, nowMs: this.#nowMs() }),
      read,
    );
  }

  /** Replaces an object, or the part of it that the subresource stands for. */
  update(call: WriteCall, body: ApiObject): Written {
    const { resource, name, namespace } = call;
    const read = decoded(call, body);
    checkPlace(resource, read, { namespace, name });
    if (!this.#options.store.get(storeKey(resource, namespace, name))) {
      if (!this.#options.rules.createsOnUpdate(resource) || call.subresource) {
        throw notFound(resource, name);
      }
      return { object: this.create(call, body), created: true };
    }
    const object = this.#change(call, (before) => {
      this.#checkUid(call, read.metadata, before);
      if (resource.custom && !read.metadata.resourceVersion) throw needsVersion(resource, name);
      return this.#tracked(call, before, read);
    });
    return { object, created: false };
  }

  /** Changes an object by what `patch` makes of it. */
  patch(call: WriteCall, patch: (live: ApiObject) => Json): ApiObject {
    const { resource, name, namespace, text } = call;
    return this.#change(call, (before) => {
      const made = patch(servedForm(resource, before));
      checkPatchedKind(resource, made);
      const patched = identified(made, resource);
      const read = decoded(call, patched, (fault) => invalidPatch(fault, patched, text?.shown));
      checkPlace(resource, read, { namespace, name });
      checkSameUid(resource, read.metadata.uid, before);
      return this.#tracked(call, before, read);
    });
  }

  /** Server-side apply: creates the object where there is none. */
  apply(call: WriteCall, patch: ApiObject): Written {
    const apply = { call, patch, nowMs: this.#nowMs() };
    checkApply(apply);
    if (this.has(call)) {
      return { object: this.#change(call, (before) => appliedTo(before, apply)), created: false };
    }
    const made = appliedToNothing(apply);
    const object = this.#create(call, (filled) => withManagersOf(filled, made), made);
    return { object, created: true };
  }

  #create(call: WriteCall, track: (made: ApiObject) => ApiObject, read: ApiObject): ApiObject {
    const { resource, namespace, options, warn } = call;
    const { rules, random, newUid, store } = this.#options;
    const given = { namespace, uid: newUid(), nowMs: this.#nowMs(), random };
    const metadata = createdMetadata(resource, read, given);
    rules.checkNamespace(resource, namespace, metadata.name);
    const prepared = rules.prepareCreate(resource, { ...read, metadata }, warn);
    const filled = defaulted(resource, prepared);
    const tracked = track(filled);
    const last = rules.faults(resource, tracked, undefined);
    checkObject(resource, tracked, undefined, { last, warn });
    const completed = completeBuiltIn(resource, tracked);
    const made = settled(resource, rules.allocate(resource, completed));
    const key = storeKey(resource, namespace, made.metadata.name);
    const taken = store.get(key);
    if (taken) throw alreadyExists(resource, made.metadata.name, taken.metadata.deletionTimestamp);
    if (options.dryRun) return withoutVersion(made);
    return servedForm(resource, store.write(key, () => storedForm(resource, made))?.object ?? made);
  }

  /**
   * A write of an object that is there; a no-op keeps its version and tells nobody.
   *
   * @param change What becomes of the object: a new one, with its owners and its defaults.
   */
  #change(call: WriteCall, change: (before: ApiObject) => ApiObject): ApiObject {
    const { resource, namespace, name, options } = call;
    const { store } = this.#options;
    const key = storeKey(resource, namespace, name);
    const before = store.get(key);
    if (!before) throw notFound(resource, name);
    const after = this.#finished(call, before, change(before));
    if (after === before || options.dryRun) return servedForm(resource, after);
    const ends = after.metadata.deletionTimestamp !== undefined && !isHeld(resource, after);
    const event = store.write(key, () => (ends ? undefined : storedForm(resource, after)));
    return servedForm(resource, ends ? after : (event?.object ?? after));
  }

  /** A change by an update or a patch, with its managers. */
  #tracked(call: WriteCall, before: ApiObject, read: ApiObject): ApiObject {
    const { resource, options, subresource } = call;
    const live = servedForm(resource, before);
    const after = defaulted(resource, reset(call, live, read));
    return trackUpdate({
      before: live,
      after,
      manager: options.manager,
      resource,
      subresource,
      nowMs: this.#nowMs(),
    });
  }

  #finished(call: WriteCall, before: ApiObject, changed: ApiObject): ApiObject {
    const { resource, subresource, warn } = call;
    this.#checkVersion(call, changed.metadata, before);
    const { rules } = this.#options;
    const live = servedForm(resource, before);
    const metadata = updatedMetadata(before.metadata, changed.metadata);
    const prepared = rules.prepareUpdate(resource, { ...changed, metadata }, before, warn);
    const generation =
      subresource === "status"
        ? before.metadata.generation
        : nextGeneration(resource, live, prepared);
    const after = settled(resource, {
      ...prepared,
      metadata: {
        ...prepared.metadata,
        resourceVersion: before.metadata.resourceVersion,
        ...(generation !== undefined && { generation }),
      },
    });
    if (sameExceptTimes(live, after)) return before;
    const once = metadataFaults(before.metadata, changed.metadata);
    // The API server looks twice at the metadata of custom resources.
    const first = resource.custom ? [...once, ...once] : once;
    const found = { first, last: rules.faults(resource, after, live), warn };
    if (subresource === "status") checkStatus(resource, after, live, found);
    else checkObject(resource, after, live, found);
    return after;
  }

  #checkVersion(
    { resource, name }: WriteCall,
    { resourceVersion }: ApiMeta,
    before: ApiObject,
  ): void {
    if (!resourceVersion || resourceVersion === "0") return;
    if (!/^\d+$/.test(resourceVersion)) {
      throw internalError(
        `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`,
      );
    }
    if (resourceVersion !== before.metadata.resourceVersion) throw conflict(resource, name);
  }

  #checkUid({ resource, namespace, name }: WriteCall, { uid }: ApiMeta, before: ApiObject): void {
    const is = before.metadata.uid;
    if (uid && uid !== is) throw anotherUid(resource, { namespace, name }, { asked: uid, is });
  }

  #nowMs(): number {
    return this.#options.clock.nowMs();
  }
}

/** Where an object is stored. */
export function storeKey(resource: ServedResource, namespace: string, name: string): StoreKey {
  return { resource: storageOf(resource), namespace: resource.namespaced ? namespace : "", name };
}

export { servedForm as served, storedForm as stored };

function withoutVersion(object: ApiObject): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata: metadata as ApiMeta };
}

function needsVersion(resource: ServedResource, name: string) {
  const message = "Invalid value: 0: must be specified for an update";
  const fault = { reason: "FieldValueInvalid", message, field: "metadata.resourceVersion" };
  return invalid(resource, name, [fault], resource.plural);
}
