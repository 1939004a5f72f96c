import { type KubernetesObject, LAST_APPLIED, type ObjectMeta } from "./object.ts";

/** What a watch reports of one object. */
export interface Change<T extends KubernetesObject = KubernetesObject> {
  readonly type: "added" | "modified" | "deleted";
  /** The newest known state; for a deletion the last one. */
  readonly object: T;
  /** The state before; only of a modification. */
  readonly before?: T;
  /** A deletion found by a new list: `object` may not be the last state it had. */
  readonly finalStateUnknown?: boolean;
}

/** A {@link Change} of what a predicate keeps of its objects. */
export interface KeptChange<K = unknown> {
  readonly type: Change["type"];
  readonly now: K;
  readonly before?: K;
  readonly finalStateUnknown?: boolean;
}

/**
 * Decides whether a change matters. It says what it must remember of an object (`keeps`), so that
 * the watcher remembers that and no more, and a restart can tell whether anything changed meanwhile.
 *
 * A modification that leaves the kept value equal never passes. `passes` is not asked when
 * `deletionTimestamp` was set or while an object terminates: those changes always pass. `scope` is
 * asked always: it says whose object this is, not what happened to it.
 */
export interface Predicate<in T extends KubernetesObject = KubernetesObject> {
  /** Whether metadata is enough to judge a change. */
  readonly needs: "metadata" | "object";
  /** Whether the object can matter at all, whatever happens to it. Absent: it can. */
  readonly scope?: (object: { readonly metadata: ObjectMeta }) => boolean;
  /** JSON, as small as it can be. Absent beside `passes`: the whole object must be kept. */
  readonly keeps?: (object: T) => unknown;
  /** Asked with kept values, or with whole objects where `keeps` is absent. Absent: all pass. */
  readonly passes?: (change: KeptChange<never>) => boolean;
}

/** What options take: a predicate, or a function over whole objects. */
export type PredicateOf<T extends KubernetesObject> =
  | Predicate<T>
  | ((change: Change<T>) => boolean);

const always = () => true;

/**
 * Passes when `metadata.generation` changed, so not when only status or metadata did. Kinds without
 * a generation (ConfigMap, Secret, Service, ...) pass with every change.
 */
export const generationChanged: Predicate = {
  needs: "metadata",
  keeps: ({ metadata }) => metadata.generation ?? `resourceVersion ${metadata.resourceVersion}`,
  passes: always,
};

/** Passes when a label changed. */
export const labelsChanged: Predicate = {
  needs: "metadata",
  keeps: ({ metadata }) => metadata.labels ?? {},
  passes: always,
};

/** Passes when an annotation changed; `kubectl.kubernetes.io/last-applied-configuration` is none. */
export const annotationsChanged: Predicate = {
  needs: "metadata",
  keeps: ({ metadata }) => {
    const { [LAST_APPLIED]: _, ...rest } = metadata.annotations ?? {};
    return rest;
  },
  passes: always,
};

/** Passes with every change: drops what a new list repeats. */
export const resourceVersionChanged: Predicate = {
  needs: "metadata",
  keeps: ({ metadata }) => metadata.resourceVersion,
  passes: always,
};

/** Passes when the projection of the object changed: `changed((service) => service.spec)`. */
export function changed<T extends KubernetesObject>(
  projection: (object: T) => unknown,
): Predicate<T> {
  return { needs: "object", keeps: (object) => projection(object) ?? null, passes: always };
}

/** A predicate of one's own that remembers only what `keeps` returns. */
export function predicate<T extends KubernetesObject, K>(options: {
  readonly keeps: (object: T) => K;
  readonly passes: (now: K, before: K | undefined) => boolean;
}): Predicate<T> {
  const passes = ({ now, before }: KeptChange<K>) => options.passes(now, before);
  return { needs: "object", keeps: options.keeps, passes };
}

/**
 * Objects of these namespaces alone, also while they terminate. Never drops cluster-scoped objects.
 */
export function inNamespaces(...names: readonly (string | RegExp)[]): Predicate {
  const matches = (namespace: string) =>
    names.some((name) =>
      // Not test(), which begins where it last ended if the expression is global.
      typeof name === "string" ? name === namespace : namespace.search(name) >= 0,
    );
  const scope = ({ metadata: { namespace = "" } }: { readonly metadata: ObjectMeta }) =>
    namespace === "" || matches(namespace);
  return { needs: "metadata", scope };
}

// Two signatures each: by the first, parts are typed by the place of use, as in
// own(Service, { predicate: or(labelsChanged, changed((service) => service.spec)) }); by the second,
// the place is typed by the parts, which name their type where it is not known yet (of `for`).

/** Passes when all of them do. */
export function and<T extends KubernetesObject = KubernetesObject>(
  ...parts: readonly PredicateOf<NoInfer<T>>[]
): Predicate<T>;
export function and<T extends KubernetesObject>(...parts: readonly PredicateOf<T>[]): Predicate<T>;
export function and<T extends KubernetesObject>(...parts: readonly PredicateOf<T>[]): Predicate<T> {
  const all = parts.map(predicateOf);
  const scopes = all.flatMap(({ scope }) => scope ?? []);
  const asked = all.filter(({ passes }) => passes);
  return {
    ...(asked.length > 0
      ? combine(asked, (answers) => !answers.includes(false))
      : { needs: "metadata" }),
    ...(scopes.length > 0 && { scope: (object) => scopes.every((scope) => scope(object)) }),
  };
}

/** Passes when at least one of them does. */
export function or<T extends KubernetesObject = KubernetesObject>(
  ...parts: readonly PredicateOf<NoInfer<T>>[]
): Predicate<T>;
export function or<T extends KubernetesObject>(...parts: readonly PredicateOf<T>[]): Predicate<T>;
export function or<T extends KubernetesObject>(...parts: readonly PredicateOf<T>[]): Predicate<T> {
  const all = parts.map(predicateOf);
  if (all.length > 0 && all.every(({ passes }) => !passes)) {
    const inScope = (object: { readonly metadata: ObjectMeta }) =>
      all.some(({ scope }) => scope?.(object) ?? true);
    return { needs: "metadata", scope: inScope };
  }
  return combine(all.map(withoutScope), (answers) => answers.includes(true));
}

/** Passes when the other does not. */
export function not<T extends KubernetesObject = KubernetesObject>(
  part: PredicateOf<NoInfer<T>>,
): Predicate<T>;
export function not<T extends KubernetesObject>(part: PredicateOf<T>): Predicate<T>;
export function not<T extends KubernetesObject>(part: PredicateOf<T>): Predicate<T> {
  const { needs, scope, passes, ...rest } = predicateOf(part);
  if (!passes) return { needs, scope: (object) => scope !== undefined && !scope(object) };
  const whole = withoutScope<T>({ needs, passes, ...rest, ...(scope && { scope }) });
  return { needs, passes: (change) => !asks(whole, change) };
}

/** The same as something that is only asked what happened: its scope becomes part of the answer. */
function withoutScope<T extends KubernetesObject>(part: Predicate<T>): Predicate<T> {
  const { scope, ...rest } = part;
  if (!scope) return rest.passes ? rest : { ...rest, passes: always };
  return {
    needs: part.needs,
    passes: (change: KeptChange<T>) => scope(change.now) && asks(rest, change),
  };
}

/** The predicate that an option names. */
export function predicateOf<T extends KubernetesObject>(option: PredicateOf<T>): Predicate<T> {
  if (typeof option !== "function") return option;
  const passes = ({ type, now, before, finalStateUnknown }: KeptChange<T>) =>
    option({
      type,
      object: now,
      ...(before !== undefined && { before }),
      ...(finalStateUnknown && { finalStateUnknown }),
    });
  return { needs: "object", passes };
}

/** Whether a change passes, its scope apart. Objects must be whole where the predicate needs that. */
export function asks<T extends KubernetesObject>(
  part: Predicate<T>,
  change: KeptChange<T>,
): boolean {
  const { keeps } = part;
  if (!keeps) return part.passes?.(change as KeptChange<never>) ?? true;
  const { now, before, ...rest } = change;
  const kept = { ...rest, now: keeps(now) };
  return passesKept(part, before === undefined ? kept : { ...kept, before: keeps(before) });
}

/** As `asks`, of values that were kept. A modification without `before` is left to the predicate. */
export function passesKept(part: Predicate<never>, change: KeptChange): boolean {
  const known = "before" in change;
  if (change.type === "modified" && known && same(change.now, change.before)) return false;
  return part.passes?.(change as KeptChange<never>) ?? true;
}

function combine<T extends KubernetesObject>(
  parts: readonly Predicate<T>[],
  decide: (answers: readonly boolean[]) => boolean,
): Predicate<T> {
  const needs = parts.some((part) => part.needs === "object") ? "object" : "metadata";
  if (parts.length === 0 || parts.some((part) => !part.keeps)) {
    return { needs, passes: (change) => decide(parts.map((part) => asks(part, change))) };
  }
  const at = (values: unknown, index: number) => (values as readonly unknown[])[index];
  return {
    needs,
    keeps: (object) => parts.map((part) => part.keeps?.(object)),
    passes: ({ now, before, ...rest }: KeptChange<unknown>) =>
      decide(
        parts.map((part, index) => {
          const kept = { ...rest, now: at(now, index) };
          return passesKept(
            part,
            before === undefined ? kept : { ...kept, before: at(before, index) },
          );
        }),
      ),
  };
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** JSON with sorted keys: equal for equal values, whatever order their keys came in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null";
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  if ("toJSON" in value && typeof value.toJSON === "function") return sorted(value.toJSON());
  const fields = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(fields).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(fields[key])]));
}
