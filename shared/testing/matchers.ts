import type { Condition } from "../api/condition.ts";
import type { KubernetesObject } from "../api/object.ts";

/** What a matcher of jest answers. */
export interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers of this package, as tests call them. */
export interface TidegateMatchers {
  /** The object's status has this condition; status and reason count where they are given. */
  toHaveCondition(type: string, status?: Condition["status"], reason?: string): void;
  /** The object names the other one as its controlling owner. */
  toBeOwnedBy(owner: KubernetesObject | undefined): void;
}

/** Whether the object's status has this condition; status and reason count where they are given. */
export function toHaveCondition(
  received: unknown,
  type: string,
  status?: Condition["status"],
  reason?: string,
): Matched {
  const conditions = conditionsOf(received);
  const found = conditions.find((each) => each.type === type);
  const pass =
    found !== undefined &&
    (status === undefined || found.status === status) &&
    (reason === undefined || found.reason === reason);
  const wanted = [`${type}=${status ?? "any"}`, ...(reason === undefined ? [] : [reason])].join(
    " ",
  );
  const got = conditions.map(
    (each) => `${each.type}=${each.status} ${each.reason} (${each.message})`,
  );
  return {
    pass,
    message: () =>
      `expected ${nameOf(received)} ${pass ? "not " : ""}to have condition ${wanted}, got ${got.join(", ") || "no conditions"}`,
  };
}

/** Whether the object names the other one, by uid, as its controlling owner. */
export function toBeOwnedBy(received: unknown, owner: KubernetesObject | undefined): Matched {
  const references = (received as Partial<KubernetesObject> | undefined)?.metadata?.ownerReferences;
  const controlling = references?.find(({ controller }) => controller);
  const pass = owner !== undefined && controlling?.uid === owner.metadata.uid;
  const got = controlling
    ? `${controlling.kind} ${controlling.name} ${controlling.uid}`
    : "no owner";
  return {
    pass,
    message: () =>
      `expected ${nameOf(received)} ${pass ? "not " : ""}to be owned by ${nameOf(owner)}${owner ? ` ${owner.metadata.uid}` : ""}, got ${got}`,
  };
}

interface Extensible {
  (actual: never): unknown;
  extend(matchers: never): void;
}

/**
 * Jest's `expect` with `toHaveCondition` and `toBeOwnedBy`, typed:
 * `const expect = withMatchers(jestExpect)`. Works with any `expect` that has `extend`.
 */
export function withMatchers<E extends Extensible>(
  expect: E,
): ((actual: unknown) => ReturnType<E> & TidegateMatchers & { readonly not: TidegateMatchers }) &
  E {
  expect.extend({ toHaveCondition, toBeOwnedBy } as never);
  return expect as never;
}

function conditionsOf(object: unknown): readonly Condition[] {
  const { status } = (object ?? {}) as { status?: { conditions?: readonly Condition[] } };
  return status?.conditions ?? [];
}

function nameOf(object: unknown): string {
  const { kind, metadata } = (object ?? {}) as Partial<KubernetesObject>;
  if (!metadata) return String(object);
  return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ""}${metadata.name}`;
}
