import type { Logger } from "../../shared/api/log.ts";
import { type Key, type Kind, type KubernetesObject, keyOf } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Kept } from "../../shared/kube/reflected.ts";
import { Reflector } from "../../shared/kube/reflector.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { OwnedObjects } from "./workload-owned.ts";

export interface WorkloadCacheOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}

interface KeptWhole extends Kept {
  readonly object: KubernetesObject;
}

/** Objects of one kind as the watch tells them, whole. */
export class WorkloadCache<T extends KubernetesObject> {
  readonly #reflector: Reflector<KeptWhole>;
  readonly #owned = new OwnedObjects<T>();

  constructor(
    options: WorkloadCacheOptions,
    kind: Kind<T>,
    onChange: (object: T, before: T | undefined) => void,
  ) {
    this.#reflector = new Reflector<KeptWhole>({
      ...options,
      kind,
      full: true,
      startDelayMs: 0,
      keep: (object) => {
        const { uid, resourceVersion } = object.metadata;
        return { key: keyOf(object), uid, resourceVersion, object };
      },
      onChange: (change) => {
        const before = "before" in change ? (change.before.object as T) : undefined;
        const now = change.now.object as T;
        this.#owned.follow(before, change.type === "deleted" ? undefined : now);
        onChange(now, before);
      },
    });
  }

  get(key: Key): T | undefined {
    return this.#reflector.get(key)?.object as T | undefined;
  }

  /** Those in its namespace that name this object as their controlling owner. */
  ownedBy(owner: KubernetesObject): readonly T[] {
    return this.#owned.of(owner);
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#reflector.run(signal);
  }

  whenSynced(signal: AbortSignal): Promise<boolean> {
    return this.#reflector.whenSynced(signal);
  }
}
