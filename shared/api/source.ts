import type { Key, Kind, KubernetesObject, ObjectMeta } from "./object.ts";
import type { Predicate, PredicateOf } from "./predicate.ts";
import { predicateOf } from "./predicate.ts";

/** Selectors as the API server takes them: `{ app: "web" }`, or text such as "app in (a,b)". */
export type Selector = string | Readonly<Record<string, string>>;

/** What sources of all roles can say. */
export interface SourceOptions<T extends KubernetesObject> {
  /** Decides which changes matter; default: every change. */
  readonly predicate?: PredicateOf<T>;
  /** Label selector, sent to the server on list and watch. */
  readonly labels?: Selector;
  /** Field selector, sent to the server on list and watch. */
  readonly fields?: Selector;
  /** The kind may be missing in the cluster; default false (its absence is reported). */
  readonly optional?: boolean;
}

export interface OwnOptions<T extends KubernetesObject> extends SourceOptions<T> {
  /** Wakes any owner, not only the controlling one; default false. */
  readonly anyOwner?: boolean;
}

/** What entries of all roles say, defaults filled in. */
interface Entry<out T extends KubernetesObject> {
  readonly kind: Kind<T>;
  readonly predicate?: Predicate<never>;
  readonly labels?: Selector;
  readonly fields?: Selector;
  readonly optional: boolean;
}

/** A kind that the controller creates, with what was said of it. */
export interface Owned<T extends KubernetesObject = KubernetesObject> extends Entry<T> {
  readonly role: "owns";
  readonly anyOwner: boolean;
}

/** An entry of `owns` that says more than the kind. */
export function own<T extends KubernetesObject>(
  kind: Kind<T>,
  options: OwnOptions<NoInfer<T>> = {},
): Owned<T> {
  const { predicate, optional = false, anyOwner = false, ...selectors } = options;
  return { role: "owns", kind, ...selectors, optional, anyOwner, ...normal(predicate) };
}

/** An object of which only the metadata was fetched. */
export type MetadataOf<T extends KubernetesObject> = Pick<T, "apiVersion" | "kind"> & {
  readonly metadata: ObjectMeta;
};

/** Names of objects in the namespace of the object that uses them, or whole keys. */
export type Uses = string | Key | readonly (string | Key)[] | undefined;

export interface WatchOptions<
  For extends KubernetesObject,
  T extends KubernetesObject,
  Full extends boolean,
> extends SourceOptions<T> {
  /**
   * Fetches whole objects, not only their metadata, and beside `index` holds them; default false
   * unless the predicate needs them.
   */
  readonly full?: Full;
  /** The objects of this kind that one object of the controller's uses; a change wakes its users. */
  readonly usedBy?: (object: For) => Uses;
  /** Values under which `keysBy` finds an object of the controller's. */
  readonly index?: (object: For) => string | readonly string[] | undefined;
  /** The objects of the controller's that a change of this one wakes. */
  readonly keys?: (
    object: Full extends true ? T : MetadataOf<T>,
    keysBy: (value: string) => readonly Key[],
  ) => readonly Key[];
}

/** A kind that is watched for the sake of others, with how its objects map to the controller's. */
export interface Watch<
  in For extends KubernetesObject = never,
  out T extends KubernetesObject = KubernetesObject,
> extends Entry<T> {
  readonly role: "watches";
  readonly full: boolean;
  readonly usedBy?: (object: For) => Uses;
  readonly index?: (object: For) => string | readonly string[] | undefined;
  readonly keys?: (object: never, keysBy: (value: string) => readonly Key[]) => readonly Key[];
}

/** An entry of `watches`. Takes `usedBy`, or `keys` (with `index` where it looks objects up). */
export function watch<
  T extends KubernetesObject,
  For extends KubernetesObject,
  const Full extends boolean = false,
>(kind: Kind<T>, options: WatchOptions<For, NoInfer<T>, Full>): Watch<For, T> {
  const { predicate, optional = false, full = false, ...rest } = options;
  if ((rest.usedBy === undefined) === (rest.keys === undefined)) {
    throw new Error(
      `cannot watch ${kind.kind}: expected either usedBy or keys, got ${rest.keys ? "both" : "neither"}; say how its objects map`,
    );
  }
  return { role: "watches", kind, ...rest, optional, full, ...normal(predicate) };
}

function normal<T extends KubernetesObject>(option: PredicateOf<T> | undefined) {
  return option === undefined ? {} : { predicate: predicateOf(option) };
}
