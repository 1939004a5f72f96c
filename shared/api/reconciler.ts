import type { Controller } from "./controller.ts";
import type { Logger } from "./log.ts";
import type { Key, Kind, KubernetesObject } from "./object.ts";
import type { Manifest } from "./resource.ts";
import type { Result } from "./result.ts";
import type { Selector } from "./source.ts";
import type { BodyOf, NewBody } from "./subresource.ts";
import type {
  SubresourceOf,
  SubresourceVerb,
  SubresourceVerbsOf,
  Use,
  With,
  WithSubresource,
} from "./use.ts";

export interface ApplyOptions {
  /** Takes over an object of that name that is not ours; default false, which refuses it. */
  readonly adopt?: boolean;
  /** Sets the reconciled object as controlling owner; default true. Kinds of `applies` need false. */
  readonly owner?: boolean;
  /** Takes fields from other managers; default true. */
  readonly force?: boolean;
  /** Field managers (of Update writes) whose fields become ours before the first apply. */
  readonly takeOverFrom?: readonly string[];
}

export interface ListOptions {
  /** Default: that of the reconciled object; "" lists all namespaces. */
  readonly namespace?: string;
  readonly labels?: Selector;
  readonly fields?: Selector;
}

export interface DeleteOptions {
  /** Default: Background. */
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** A change of an object: a JSON patch (RFC 6902), a JSON merge patch (RFC 7386), or a strategic merge patch. */
export type Patch =
  | { readonly type: "json"; readonly patch: readonly object[] }
  | { readonly type: "merge" | "strategic"; readonly patch: object };

/** A name in the namespace of the reconciled object, or a whole key. */
export type NameOrKey = string | Key;

/**
 * Reads and writes on the API server, always current, of declared kinds only: gets of those of `for`
 * and `watches`; gets, creates and patches of those of `owns` and `applies`; and what `uses` grants.
 * Calls fail once the run's time is over.
 */
export interface Client<in Owned extends KubernetesObject, out U extends Use> {
  /** Resolves to undefined where there is no such object. */
  readonly get: <T extends With<U, "get">>(
    kind: Kind<T>,
    name: NameOrKey,
  ) => Promise<T | undefined>;
  readonly list: <T extends With<U, "list">>(
    kind: Kind<T>,
    options?: ListOptions,
  ) => Promise<readonly T[]>;
  readonly create: <T extends With<U, "create"> | Owned>(
    kind: Kind<T>,
    object: Manifest<T>,
  ) => Promise<T>;
  /** Replaces the object; rejects with a ConflictError when it changed since it was read. */
  readonly update: <T extends With<U, "update">>(kind: Kind<T>, object: T) => Promise<T>;
  readonly patch: <T extends With<U, "patch"> | Owned>(
    kind: Kind<T>,
    name: NameOrKey,
    patch: Patch,
  ) => Promise<T>;
  /** Resolves to false where there was no such object. */
  readonly delete: <T extends With<U, "delete">>(
    kind: Kind<T>,
    name: NameOrKey,
    options?: DeleteOptions,
  ) => Promise<boolean>;
  /** A subresource that `uses` names, with the verbs that it grants. */
  readonly subresource: <T extends WithSubresource<U>, S extends SubresourceOf<U, T>>(
    kind: Kind<T>,
    subresource: S,
  ) => Subresource<BodyOf<T, S>, SubresourceVerbsOf<U, T, S>>;
}

/** Calls on one subresource of objects of a kind: those that are granted. */
export type Subresource<B extends KubernetesObject, V extends SubresourceVerb> = Pick<
  SubresourceCalls<B>,
  V
>;

interface SubresourceCalls<B extends KubernetesObject> {
  /** Resolves to undefined where there is no such object. */
  readonly get: (name: NameOrKey) => Promise<B | undefined>;
  /** For those that ask for something: an eviction, a token. An eviction is answered without content. */
  readonly create: (
    name: NameOrKey,
    body: NewBody<B>,
  ) => Promise<B extends { readonly kind: "Eviction" } ? unknown : B>;
  /** Replaces it; rejects with a ConflictError when the object changed since it was read. */
  readonly update: (body: B) => Promise<B>;
  readonly patch: (name: NameOrKey, patch: Patch) => Promise<B>;
}

/** A Kubernetes Event about the reconciled object, for people who run `kubectl describe`. */
export interface RecordedEvent {
  readonly type: "Normal" | "Warning";
  /** PascalCase. */
  readonly reason: string;
  /** What was done; default "Reconcile". */
  readonly action?: string;
  readonly message: string;
}

/** What a run is given beside its object. */
export interface Context<in Owned extends KubernetesObject = never, out U extends Use = Use> {
  /** Server-side apply of a kind of `owns`, or of `applies` (with `{ owner: false }`). Resolves to the object as the API server has it now. */
  readonly apply: <T extends Owned | With<U, "apply">>(
    kind: Kind<T>,
    object: Manifest<T>,
    options?: ApplyOptions,
  ) => Promise<T>;
  readonly client: Client<Owned, U>;
  /** Records an Event. Never rejects. */
  readonly recordEvent: (event: RecordedEvent) => Promise<void>;
  /** Aborted 2 s before the function's deadline. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The name of the cluster that the object lives in. */
  readonly cluster: string;
}

type Answer<T extends KubernetesObject> =
  // biome-ignore lint/suspicious/noConfusingVoidType: `async reconcile() {}` returns Promise<void>.
  Promise<Result<T> | void>;

/** The code of a controller without a finalizer. Its functions may be called at any time for any reason. */
export interface Reconcile<
  T extends KubernetesObject,
  Owned extends KubernetesObject,
  U extends Use,
> {
  /** Makes the cluster as the object asks. Never called on an object with a `deletionTimestamp`. */
  reconcile(object: T, context: Context<Owned, U>): Answer<T>;
  /** Called for a key whose object is gone. */
  gone?(key: Key, context: Context<Owned, U>): Promise<void>;
}

/** The code of a controller with a finalizer. */
export interface ReconcileAndFinalize<
  T extends KubernetesObject,
  Owned extends KubernetesObject,
  U extends Use,
> extends Reconcile<T, Owned, U> {
  /** Ends what the object stands for outside the cluster. With `requeueAfterSeconds` it is not finished yet. */
  finalize(object: T, context: Context<Owned, U>): Answer<T>;
}

/** The code that belongs to a controller. */
export type Reconciler<C extends Controller> =
  C extends Controller<infer T, infer Owned, infer F, infer U>
    ? [F] extends [string]
      ? ReconcileAndFinalize<T, Owned, U | Granted<T, Owned>>
      : Reconcile<T, Owned, U | Granted<T, Owned>> & Finalize<F, T, Context<Owned, U>>
    : never;

/** `finalize` where the controller names no finalizer, or may name one (any `Controller`). */
interface Finalize<F, T extends KubernetesObject, C> {
  // A text instead of never, for the compiler shows it to those who forgot the finalizer.
  readonly finalize?: [F] extends [undefined]
    ? "finalize needs a finalizer in the controller"
    : (object: T, context: C) => Answer<T>;
}

type Granted<T extends KubernetesObject, Owned extends KubernetesObject> =
  | Use<T, "get", "">
  | (Owned extends KubernetesObject ? Use<Owned, "get" | "create" | "patch", ""> : never);
