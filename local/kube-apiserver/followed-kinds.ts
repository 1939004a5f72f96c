import { groupKindOf, type Kind, type KubernetesObject, keyOf } from "../../shared/api/object.ts";
import type { Kept } from "../../shared/kube/reflected.ts";
import { Reflector } from "../../shared/kube/reflector.ts";
import type { ApiObject } from "../kube/api-object.ts";
import type { WorkloadCacheOptions } from "../kube/workload-cache.ts";

/** A change of an object, of which `metadata` alone is told. */
export interface FollowedChange {
  readonly type: "added" | "modified" | "deleted";
  readonly object: ApiObject;
}

interface KeptMetadata extends Kept {
  readonly object: ApiObject;
}

/** The changes of any number of kinds, of which more come while it runs. */
export class FollowedKinds {
  readonly #options: WorkloadCacheOptions;
  readonly #told: (change: FollowedChange, kind: Kind) => void;
  /** By group and kind: all versions of a kind hold the same objects. */
  readonly #kinds = new Map<string, { kind: Kind; reflector: Reflector<KeptMetadata> }>();
  readonly #running: Promise<void>[] = [];
  readonly #signal: AbortSignal;

  constructor(
    options: WorkloadCacheOptions,
    told: (change: FollowedChange, kind: Kind) => void,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#told = told;
    this.#signal = signal;
  }

  /** Tells of what there is and of what changes, once however often it is called. */
  follow(kind: Kind): void {
    const name = groupKindOf(kind);
    if (this.#kinds.has(name) || this.#signal.aborted) return;
    const reflector = this.#reflector(kind);
    this.#kinds.set(name, { kind, reflector });
    this.#running.push(reflector.run(this.#signal));
  }

  /** A kind that is followed, in any of its versions. */
  find(apiVersion: string, kind: string): Kind | undefined {
    return this.#kinds.get(groupKindOf({ apiVersion, kind }))?.kind;
  }

  /** Whether all objects of all kinds have been told. */
  get synced(): boolean {
    return [...this.#kinds.values()].every(({ reflector }) => reflector.synced);
  }

  /** Resolves once the signal is aborted and nothing is told any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #reflector(kind: Kind): Reflector<KeptMetadata> {
    return new Reflector<KeptMetadata>({
      ...this.#options,
      kind,
      full: false,
      startDelayMs: 0,
      keep: (object) => keptOf(object, kind),
      onChange: ({ type, now }) => this.#told({ type, object: now.object }, kind),
    });
  }
}

function keptOf({ metadata }: KubernetesObject, { apiVersion, kind }: Kind): KeptMetadata {
  const object = { apiVersion, kind, metadata };
  const { uid, resourceVersion } = metadata;
  return { key: keyOf(object), uid, resourceVersion, object };
}
