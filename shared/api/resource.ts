import type { KubernetesObject, ObjectMeta } from "./object.ts";

/** What a schema library gives (Standard Schema): enough to type spec and status, whoever made it. https://standardschema.dev */
export interface Schema {
  readonly "~standard": {
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

type TypesOf<S extends () => Schema> = NonNullable<ReturnType<S>["~standard"]["types"]>;

/** What the API server answers: defaults are filled in. */
export type OutputOf<S extends () => Schema> = TypesOf<S>["output"];

/** What one writes: fields with a default may be left out. */
export type InputOf<S extends () => Schema> = TypesOf<S>["input"];

declare const written: unique symbol;

/** A custom resource whose spec and status are typed by schema functions. */
export interface Resource<
  A extends string,
  K extends string,
  Spec extends () => Schema,
  Status extends () => Schema = never,
> extends KubernetesObject<A, K> {
  readonly spec: OutputOf<Spec>;
  readonly status?: OutputOf<Status>;
  /** Never set: carries the type of a spec as one writes it. */
  readonly [written]?: InputOf<Spec>;
}

type SpecOf<T> = T extends { readonly [written]?: infer S }
  ? { readonly spec: NonNullable<S> }
  : T extends { spec: infer S }
    ? { readonly spec: S }
    : T extends { spec?: infer S }
      ? { readonly spec?: S }
      : unknown;

/** The types of a kind whose spec and status are typed by schema functions; never of other kinds. */
export type SchemaTypes<T> = typeof written extends keyof T
  ? T extends { readonly spec: infer O; readonly [written]?: infer I }
    ? { readonly spec: O; readonly writtenSpec: NonNullable<I>; readonly status: StatusOf<T> }
    : never
  : never;

/** The metadata that one writes. The API server adds the rest. */
export type NewMeta = Partial<
  Pick<ObjectMeta, "namespace" | "labels" | "annotations" | "finalizers" | "ownerReferences">
> & {
  readonly name: string;
};

type Rest<T> = Omit<T, "apiVersion" | "kind" | "metadata" | "status" | "spec" | typeof written>;

/**
 * An object as one writes it: without status and server-made metadata, fields with a default
 * optional. `apiVersion` and `kind` are filled in from the kind it is written with.
 */
export type Manifest<T extends KubernetesObject> = {
  readonly apiVersion?: T["apiVersion"];
  readonly kind?: T["kind"];
  readonly metadata: NewMeta;
} & Rest<T> &
  SpecOf<T>;

/** The type of an object's status; never where the kind has none. */
export type StatusOf<T> = T extends { readonly status?: infer S } ? NonNullable<S> : never;
