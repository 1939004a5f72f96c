import type { Controller, Source } from "../shared/api/controller.ts";
import { groupKindOf, type Key, type KubernetesObject, keyOf } from "../shared/api/object.ts";
import { type KeptChange, type Predicate, passesKept } from "../shared/api/predicate.ts";
import type { ReflectedChange } from "../shared/kube/reflected.ts";
import { type KeptObject, keyText, type Viewed } from "./kept-object.ts";
import type { UseIndex } from "./use-index.ts";
import type { UserCode } from "./user-code.ts";
import { usesOf } from "./uses.ts";

export interface ViewOptions {
  readonly controller: Controller;
  readonly source: Source;
  /** The position in `controller.watches`; -1 for `for` and `owns`. */
  readonly entry: number;
  readonly index: UseIndex;
  readonly code: UserCode;
  /** Of an object as the controller compares it; throws where the projection does. */
  readonly fingerprintOf: (object: KubernetesObject) => string;
}

/** Stands for a value that `keeps` failed to make: whatever is compared with it has changed. */
const UNKNOWN = Symbol("unknown");

/** One source of one controller: what it keeps of an object, which changes pass, and to which keys they map. */
export class SourceView {
  readonly controller: Controller;
  readonly source: Source;
  readonly #options: ViewOptions;

  constructor(options: ViewOptions) {
    this.controller = options.controller;
    this.source = options.source;
    this.#options = options;
  }

  /** What is kept of an object. `before` is what was kept of it so far. */
  keep(object: KubernetesObject, before: Viewed | undefined): Viewed {
    const { controller, source, code, fingerprintOf } = this.#options;
    const uses =
      source.role === "for"
        ? controller.watches.map((watch) =>
            code.ask(this.#fault("usedBy or index", object), [], () => usesOf(watch, object)),
          )
        : [];
    const viewed = {
      fingerprint: code.ask(
        this.#fault("predicate", object),
        `unknown ${object.metadata.resourceVersion}`,
        () => fingerprintOf(object),
      ),
      outside:
        !this.#inScope(source.predicate, object) || !this.#inScope(controller.eventFilter, object),
      kept: this.#kept(source.predicate, object),
      filterKept: this.#kept(controller.eventFilter, object),
      uses,
    };
    if (source.watch?.keys === undefined) return { ...viewed, keys: this.#ownKeys(object) };
    return {
      ...viewed,
      keys: this.#mappedKeys(object, before?.keys ?? []),
      ...(source.watch.index && { lookedUp: source.full ? object : metadataOf(object) }),
    };
  }

  /**
   * Whether a change matters. Of objects outside the scope of predicate and event filter none does.
   * Else neither is asked when deletionTimestamp was set or while the object terminates; one that
   * throws lets it pass.
   */
  passes(change: ReflectedChange<KeptObject>, slot: number): boolean {
    const { now, before } = { before: undefined, ...change };
    if (now.views[slot]?.outside) return false;
    if (now.deleting || before?.deleting) return true;
    const was = change.type === "modified" ? change.before.views[slot] : undefined;
    const is = now.views[slot];
    if (!is) return true;
    const { controller, source, code } = this.#options;
    const unknownEnd =
      change.type === "deleted" && change.finalStateUnknown ? { finalStateUnknown: true } : {};
    const ask = (part: Predicate<never> | undefined, pair: Omit<KeptChange, "type">) =>
      part === undefined ||
      pair.now === UNKNOWN ||
      pair.before === UNKNOWN ||
      code.ask(this.#keyFault("predicate", now.key), true, () =>
        answer(part, { type: change.type, ...unknownEnd, ...pair }),
      );
    return (
      ask(controller.eventFilter, { now: is.filterKept, ...(was && { before: was.filterKept }) }) &&
      ask(source.predicate, { now: is.kept, ...(was && { before: was.kept }) })
    );
  }

  /** The keys to which an object maps now, by what was kept of it. */
  keysOf(key: Key, viewed: Viewed): readonly Key[] {
    const { namespaces } = this.#options.controller;
    const keys = this.#keysNow(key, viewed);
    return namespaces ? keys.filter(({ namespace }) => namespaces.includes(namespace)) : keys;
  }

  /** By the index of this moment: who uses an object changes without any change of it. */
  #keysNow(key: Key, { keys, lookedUp }: Viewed): readonly Key[] {
    const { source, entry, index } = this.#options;
    if (source.watch?.usedBy) return index.users(entry, keyText(key));
    return lookedUp ? this.#mappedKeys(lookedUp, keys) : keys;
  }

  #kept(part: Predicate<never> | undefined, object: KubernetesObject): unknown {
    if (!part?.passes) return undefined;
    const { keeps, needs } = part as Predicate;
    if (!keeps) return needs === "metadata" ? metadataOf(object) : object;
    return this.#options.code.ask<unknown>(this.#fault("predicate", object), UNKNOWN, () =>
      keeps(object),
    );
  }

  #inScope(part: Predicate<never> | undefined, object: KubernetesObject): boolean {
    const { scope } = part ?? {};
    if (!scope) return true;
    return this.#options.code.ask(this.#fault("predicate", object), true, () => scope(object));
  }

  #ownKeys(object: KubernetesObject): readonly Key[] {
    if (this.source.role === "for") return [keyOf(object)];
    return this.source.owned ? ownersOf(object, this.controller, this.source.owned) : [];
  }

  #mappedKeys(object: KubernetesObject, instead: readonly Key[]): readonly Key[] {
    const { source, code, index, entry } = this.#options;
    const keys = source.watch?.keys as WholeKeys | undefined;
    return code.ask(this.#fault("keys", object), instead, () =>
      (keys?.(object, (value) => index.users(entry, value)) ?? []).map(({ namespace, name }) => ({
        namespace,
        name,
      })),
    );
  }

  #fault(part: string, object: KubernetesObject) {
    return this.#keyFault(part, keyOf(object));
  }

  #keyFault(part: string, { namespace, name }: Key) {
    return {
      part,
      controller: this.controller.name,
      kind: this.source.kind.kind,
      namespace,
      name,
    };
  }
}

/** All that is held of an object where nobody asked for more. */
function metadataOf({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata };
}

type WholeKeys = (
  object: KubernetesObject,
  keysBy: (value: string) => readonly Key[],
) => readonly Key[];

/** `keeps` made comparable values, else the predicate compares whole objects itself. */
function answer(part: Predicate<never>, change: KeptChange): boolean {
  if (!part.passes) return true;
  return part.keeps ? passesKept(part, change) : part.passes(change as KeptChange<never>);
}

/**
 * The owners of the controller's kind. They are told by group and kind, for a version is only a way
 * to look at them; and their namespace follows from their own scope, not from the child's.
 */
function ownersOf(
  { metadata }: KubernetesObject,
  { for: kind }: Controller,
  { anyOwner }: { readonly anyOwner: boolean },
): readonly Key[] {
  const { ownerReferences = [], namespace = "" } = metadata;
  if (kind.scope === "Namespaced" && namespace === "") return [];
  return ownerReferences
    .filter((owner) => anyOwner || owner.controller === true)
    .filter((owner) => groupKindOf(owner) === groupKindOf(kind))
    .map(({ name }) => ({ namespace: kind.scope === "Cluster" ? "" : namespace, name }));
}
