import type { GuardedKind } from "../../shared/platform/guarded-kinds.ts";
import type { ClusterPlace } from "./custom-resource.ts";
import { placeOf, reader } from "./read-properties.ts";

/** How finalizers end whose controller goes. */
export type DrainWay = "refuse" | "finalize" | "strip";

/** Properties of a `Custom::TidegateGuard`. */
export interface GuardProperties extends ClusterPlace {
  readonly platform: string;
  readonly guarded: readonly GuardedKind[];
  /** Default "refuse". */
  readonly drain: DrainWay;
}

/** Fails naming every property that is wrong. */
export function readGuardProperties(
  properties: Readonly<Record<string, unknown>>,
): GuardProperties {
  const read = reader(properties);
  const { guarded = [], drain = "refuse" } = properties;
  if (!Array.isArray(guarded)) read.fault("guarded to be an array");
  if (!["refuse", "finalize", "strip"].includes(String(drain))) {
    read.fault(`drain to be refuse, finalize or strip, got "${String(drain)}"`);
  }
  const value = { ...placeOf(read), platform: read.text("platform") };
  read.end();
  return { ...value, guarded: guarded as GuardedKind[], drain: drain as DrainWay };
}
