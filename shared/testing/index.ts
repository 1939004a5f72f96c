export type { ObjectRecord } from "../queue/record.ts";
export type { NameOrKey } from "./cluster-objects.ts";
export * from "./environment.ts";
export * from "./matchers.ts";
export type { PlatformRun } from "./memory-platform.ts";
export type { Verb } from "./request-target.ts";
export type { FaultScope } from "./transport-faults.ts";
export * from "./virtual-clock.ts";
