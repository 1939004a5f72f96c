import * as z from "zod";
import { listMap } from "./lists.ts";

/** The schema of `status.conditions`, the list by type that Kubernetes' conventions ask for. */
export const conditions = () =>
  z
    .array(
      z.object({
        type: z.string(),
        status: z.enum(["True", "False", "Unknown"]),
        reason: z.string(),
        message: z.string(),
        lastTransitionTime: z.iso.datetime(),
        observedGeneration: z.int().optional(),
      }),
    )
    .check(listMap("type"));
