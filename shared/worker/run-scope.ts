import type { Controller } from "../api/controller.ts";
import type { Logger } from "../api/log.ts";
import type { Key, Kind, KubernetesObject } from "../api/object.ts";
import type { Permission } from "../api/permissions.ts";
import type { Clock } from "../clock.ts";
import type { KubeClient } from "../kube/kube-client.ts";
import type { AppliedManifest } from "../queue/applied.ts";
import type { ObjectRecord } from "../queue/record.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Refusal } from "./guarded-client.ts";
import type { OwnWrites } from "./own-writes.ts";

/** What a run notes of the objects that it meets, for the covered test (`seen` in the record). */
export interface Sightings {
  /** The run got or listed it. Another version than the first one makes it unknown. */
  readonly read: (object: KubernetesObject) => void;
  /** A declarative write that was conditional on the version `before`. */
  readonly wrote: (before: KubernetesObject, after: KubernetesObject) => void;
  /** A declarative write that created it (201). */
  readonly created: (object: KubernetesObject) => void;
  /** Any other write, or a conflict: its echo must lead to a run. */
  readonly touched: (kind: Kind, object: { readonly key: Key; readonly uid?: string }) => void;
}

/** What a run applied, and what the last one did, so that equal writes are not sent again. */
export interface AppliedNotes {
  /** Whether the last run left exactly this behind. */
  readonly equals: (each: AppliedManifest) => boolean;
  /** Notes what this run left behind. */
  readonly note: (each: AppliedManifest) => void;
}

/** Everything that belongs to one run. Made new for each: nothing of it outlives the run. */
export interface RunScope {
  readonly controller: Controller;
  /** What the definition of the controller allows. */
  readonly permissions: readonly Permission[];
  readonly cluster: string;
  readonly key: Key;
  /** Refuses calls once the time is over. */
  readonly kube: KubeClient;
  readonly refusalOf: (error: unknown) => Refusal | undefined;
  /** As it stands after the start. */
  readonly record: ObjectRecord;
  readonly sightings: Sightings;
  readonly applied: AppliedNotes;
  readonly ownWrites: OwnWrites;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Throws once the time of the run is over, whether or not the signal came. */
  readonly checkTime: (action: string) => void;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** What is remembered of kinds between runs of a process; safe to lose. */
  readonly memory: KindMemory;
}

/** What writes to a kind have shown, by group and kind. */
export type KindMemory = Map<string, KindTraits>;

export interface KindTraits {
  /** The schema has no `status.observedGeneration`. */
  noObservedGeneration?: boolean;
  /** The schema's conditions have no `observedGeneration`. */
  noConditionGeneration?: boolean;
  /** The status takes no conditions, or there is none. */
  noConditions?: boolean;
}

/** How often the framework repeats a write of its own that met a conflict. */
export const MAX_CONFLICTS = 5;
