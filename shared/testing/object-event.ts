import type { Kind, KubernetesObject } from "../api/object.ts";
import { EVENTS } from "../api/permissions.ts";

/** An Event about an object. */
export interface ObjectEvent extends KubernetesObject<"events.k8s.io/v1", "Event"> {
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: { readonly uid?: string; readonly kind: string; readonly name: string };
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

export const ObjectEvent = EVENTS as Kind<ObjectEvent>;
