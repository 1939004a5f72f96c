import type { DrainWay, GuardProperties } from "../../shared/platform/custom-resources.ts";
import type { GuardedKind } from "../../shared/platform/guarded-kinds.ts";
import { placeOf, reader } from "./read-properties.ts";

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
