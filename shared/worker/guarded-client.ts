import type { Key, Kind } from "../api/object.ts";
import type { Verb } from "../api/use.ts";
import type { KubeClient } from "../kube/kube-client.ts";
import { KubeError } from "../kube/kube-error.ts";
import type { Deadline } from "./deadline.ts";

/** A call that the API server refused with 403. */
export interface Refusal {
  readonly verb: Verb;
  readonly kind: Kind;
  readonly namespace: string;
  readonly subresource?: string | undefined;
}

/** The API server as one run may use it. */
export interface GuardedClient {
  readonly kube: KubeClient;
  /** The call that ended with this error, if the server refused it with 403. */
  readonly refusalOf: (error: unknown) => Refusal | undefined;
  /** The run has ended: a call that its code did not await must not happen beside the next run. */
  readonly close: () => void;
}

/**
 * A client that refuses every call once the deadline's signal is due (Q4). Each call looks at the
 * clock before it is sent: a process that was frozen can wake after its time, before any timer fires.
 */
export function guardClient(kube: KubeClient, deadline: Deadline): GuardedClient {
  const refusals = new WeakMap<Error, Refusal>();
  const { signal } = deadline;
  let closed = false;
  const guard = async <T>(refusal: Refusal, name: string, call: () => Promise<T>): Promise<T> => {
    const { verb, kind, namespace } = refusal;
    const action = `${verb} ${kind.kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
    deadline.check(action);
    if (closed) {
      throw new Error(`cannot ${action}: expected a run, got one that has ended; await every call`);
    }
    try {
      return await call();
    } catch (error) {
      if (error instanceof KubeError && error.status === 403) refusals.set(error, refusal);
      throw error;
    }
  };
  return {
    close: () => {
      closed = true;
    },
    refusalOf: (error) => (error instanceof Error ? refusals.get(error) : undefined),
    kube: {
      get: (kind, key, options) =>
        guard(asked("get", kind, key, options?.subresource), key.name, () =>
          kube.get(kind, key, { ...options, signal }),
        ),
      list: (kind, options = {}) =>
        guard(asked("list", kind, { namespace: options.namespace ?? "", name: "" }), "", () =>
          kube.list(kind, { ...options, signal }),
        ),
      create: (kind, namespace, object, options) =>
        guard(
          asked("create", kind, { namespace, name: "" }, options?.subresource),
          nameOf(object),
          () => kube.create(kind, namespace, object, { ...options, signal }),
        ),
      update: (kind, key, object, options) =>
        guard(asked("update", kind, key, options?.subresource), key.name, () =>
          kube.update(kind, key, object, { ...options, signal }),
        ),
      patch: (kind, key, patch, options) =>
        guard(asked("patch", kind, key, options?.subresource), key.name, () =>
          kube.patch(kind, key, patch, { ...options, signal }),
        ),
      apply: (kind, key, object, options) =>
        guard(asked("patch", kind, key, options.subresource), key.name, () =>
          kube.apply(kind, key, object, { ...options, signal }),
        ),
      delete: (kind, key, options) =>
        guard(asked("delete", kind, key), key.name, () =>
          kube.delete(kind, key, { ...options, signal }),
        ),
    },
  };
}

function nameOf(object: object): string {
  return (object as { metadata?: { name?: string } }).metadata?.name ?? "";
}

function asked(verb: Verb, kind: Kind, { namespace }: Key, subresource?: string): Refusal {
  return { verb, kind, namespace, subresource };
}
