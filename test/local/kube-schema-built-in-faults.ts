import type { BuiltInCase } from "./kube-schema-built-in-cases.ts";

/** Objects with faults that controllers' authors make. */
export const invalidBuiltIns: readonly BuiltInCase[] = [];
