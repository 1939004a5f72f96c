import { checkController } from "./check-controller.ts";
import type { Kind, KubernetesObject } from "./object.ts";
import type { Predicate, PredicateOf } from "./predicate.ts";
import { predicateOf } from "./predicate.ts";
import type { Owned, Selector, Watch } from "./source.ts";
import { own } from "./source.ts";
import type { Use } from "./use.ts";

type Owns = readonly (Kind | Owned)[];
type Watches<For extends KubernetesObject> = readonly Watch<For>[];

/** The union of the objects that `owns` names. */
export type OwnedObjects<O extends Owns> = O[number] extends infer E
  ? E extends Owned<infer T>
    ? T
    : E extends Kind<infer T>
      ? T
      : never
  : never;

/** The reads that `watches` grants; nothing where it is empty. */
type WatchedUses<W extends readonly unknown[]> = W[number] extends infer E
  ? E extends Watch<never, infer T>
    ? Use<T, "get", "">
    : never
  : never;

/** The calls that `applies` grants; nothing where it is empty. */
type AppliedUses<A extends readonly Kind[]> = A[number] extends infer E
  ? E extends Kind<infer T>
    ? Use<T, "get" | "create" | "patch" | "apply", "">
    : never
  : never;

/** What a controller watches and how it is run. See each field for its default. */
export interface ControllerOptions<
  For extends KubernetesObject,
  O extends Owns,
  W extends Watches<NoInfer<For>>,
  F extends `${string}/${string}` | undefined,
  U extends readonly Use[],
  A extends readonly Kind[] = readonly Kind[],
> {
  /** Lower case, digits and "-", at most 40 characters; part of queue, function and field manager names. */
  readonly name: string;
  /** The kind that is reconciled. */
  readonly for: Kind<For>;
  /** Which changes of `for` matter; default: every change. */
  readonly predicate?: PredicateOf<NoInfer<For>>;
  /** Label selector of `for`, sent to the server. */
  readonly labels?: Selector;
  /** Field selector of `for`, sent to the server. */
  readonly fields?: Selector;
  /** Kinds that the reconciler makes with `apply`; their changes wake the controlling owner. */
  readonly owns?: O;
  /** Kinds that the reconciler makes with `apply` without owning them: `{ owner: false }`. Nothing of them is watched. */
  readonly applies?: A;
  /** Kinds whose changes wake objects that they map to. */
  readonly watches?: W;
  /** What else the reconciler's client may do, with these kinds or others, and with subresources of any. */
  readonly uses?: U;
  /** Asked for every source, beside its own predicate. */
  readonly eventFilter?: PredicateOf<KubernetesObject>;
  /** Only these namespaces are listed and watched; default: all. */
  readonly namespaces?: readonly string[];
  /** Put on each object first, removed last, after `finalize` succeeded. With a domain, as Kubernetes asks. */
  readonly finalizer?: F;
  /** Finalizers of earlier versions, removed in passing. */
  readonly formerFinalizers?: readonly `${string}/${string}`[];
  /** Field manager of its writes; default: the name. At most 128 characters. */
  readonly fieldManager?: string;
  /** Runs at a time, over all objects: 2 to 10,000, default 10. */
  readonly maxConcurrentReconciles?: number;
  /** A run's time at most: 5 to 900, default 60. */
  readonly timeoutSeconds?: number;
  /** Reconciles each object again after so many seconds, +-10 %: 60 to 30 days, default 36,000 (10 h). */
  readonly resyncSeconds?: number;
  /** What a start of the watcher reconciles: what changed meanwhile (default), or all. */
  readonly onStart?: "changed" | "all";
  /** Gives up on an object after so many failed runs in a row; default: never. */
  readonly maxAttempts?: number;
}

/** A controller: data that watcher, function and stack all read. */
export interface Controller<
  out For extends KubernetesObject = KubernetesObject,
  out Owned_ extends KubernetesObject = KubernetesObject,
  out F extends `${string}/${string}` | undefined = `${string}/${string}` | undefined,
  out U extends Use = Use,
> {
  readonly name: string;
  readonly for: Kind<For>;
  readonly predicate?: Predicate<never>;
  readonly labels?: Selector;
  readonly fields?: Selector;
  readonly owns: readonly Owned<Owned_>[];
  readonly applies: readonly Kind[];
  readonly watches: readonly Watch[];
  readonly uses: readonly U[];
  readonly eventFilter?: Predicate<never>;
  readonly namespaces?: readonly string[];
  readonly finalizer: F;
  readonly formerFinalizers: readonly string[];
  readonly fieldManager: string;
  readonly maxConcurrentReconciles: number;
  readonly timeoutSeconds: number;
  readonly resyncSeconds: number;
  readonly onStart: "changed" | "all";
  readonly maxAttempts?: number;
}

/**
 * Defines a controller. It is data only, so that the watcher and the stack load it without the
 * reconciler. Fails at once, naming the option, when an option is out of its range.
 */
export function defineController<
  For extends KubernetesObject,
  const O extends Owns = [],
  const W extends Watches<NoInfer<For>> = [],
  const F extends `${string}/${string}` | undefined = undefined,
  const U extends readonly Use[] = [],
  const A extends readonly Kind[] = [],
>(
  options: ControllerOptions<For, O, W, F, U, A>,
): Controller<For, OwnedObjects<O>, F, Granted<W, U, A>> {
  const { predicate, eventFilter, finalizer, ...rest } = options;
  const controller = {
    ...DEFAULTS,
    fieldManager: options.name,
    ...rest,
    ...(predicate === undefined ? {} : { predicate: predicateOf<For>(predicate) }),
    ...(eventFilter === undefined ? {} : { eventFilter: predicateOf(eventFilter) }),
    applies: options.applies ?? [],
    owns: (options.owns ?? []).map((entry) => ("role" in entry ? entry : own(entry))),
    watches: options.watches ?? [],
    uses: options.uses ?? [],
    finalizer,
  };
  checkController(controller as Controller);
  return controller as unknown as Controller<For, OwnedObjects<O>, F, Granted<W, U, A>>;
}

type Granted<W extends readonly unknown[], U extends readonly Use[], A extends readonly Kind[]> =
  | WatchedUses<W>
  | AppliedUses<A>
  | U[number];

const DEFAULTS = {
  formerFinalizers: [],
  maxConcurrentReconciles: 10,
  timeoutSeconds: 60,
  resyncSeconds: 36_000,
  onStart: "changed",
} as const;

/** A source of a controller in one shape, whatever its role. */
export interface Source {
  readonly role: "for" | "owns" | "watches";
  readonly kind: Kind;
  readonly predicate?: Predicate<never>;
  readonly labels?: Selector;
  readonly fields?: Selector;
  readonly optional: boolean;
  /** Whether whole objects must be fetched; else metadata is enough. */
  readonly full: boolean;
  /** The entry of `owns` or `watches` that it comes from. */
  readonly owned?: Owned;
  readonly watch?: Watch;
}

/** The finalizers that a controller puts on its objects, or did formerly. */
export function finalizersOf({ finalizer, formerFinalizers }: Controller): readonly string[] {
  return [...(finalizer === undefined ? [] : [finalizer]), ...formerFinalizers];
}

/** The sources of a controller: `for` first, then `owns` and `watches` in their order. */
export function sourcesOf(controller: Controller): readonly Source[] {
  const filter = controller.eventFilter?.needs === "object";
  const needs = (part: Predicate<never> | undefined) => filter || part?.needs === "object";
  // Indexes are functions over whole objects of the controller's.
  const indexed = controller.watches.some((entry) => entry.usedBy ?? entry.index);
  return [
    {
      role: "for",
      kind: controller.for,
      ...pick(controller),
      optional: false,
      full: indexed || needs(controller.predicate),
    },
    ...controller.owns.map(
      (owned): Source => ({
        role: "owns",
        kind: owned.kind,
        ...pick(owned),
        optional: owned.optional,
        full: needs(owned.predicate),
        owned,
      }),
    ),
    ...controller.watches.map(
      (entry): Source => ({
        role: "watches",
        kind: entry.kind,
        ...pick(entry),
        optional: entry.optional,
        full: entry.full || needs(entry.predicate),
        watch: entry,
      }),
    ),
  ];
}

type Selective = Pick<Source, "predicate" | "labels" | "fields">;

function pick({ predicate, labels, fields }: Selective): Selective {
  return {
    ...(predicate && { predicate }),
    ...(labels !== undefined && { labels }),
    ...(fields !== undefined && { fields }),
  };
}
