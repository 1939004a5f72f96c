import { defineKind, type Resource } from "tidegate";
import { ageColumn, conditions, defineCrd, readyColumn } from "tidegate/crd";
import * as z from "zod";

// Functions, so that a bundler drops them, and zod, from the Lambda.
export const spec = () =>
  z.object({
    host: z.string(),
    image: z.string(),
    replicas: z.int().min(0).max(50).default(1),
    contentFrom: z
      .string()
      .optional()
      .describe("A ConfigMap of the same namespace, served under /content."),
  });
export const status = () => z.object({ availableReplicas: z.int(), conditions: conditions() });

export interface Website
  extends Resource<"web.example.com/v1", "Website", typeof spec, typeof status> {}
export const Website = defineKind<Website>({
  apiVersion: "web.example.com/v1",
  kind: "Website",
  plural: "websites",
  scope: "Namespaced",
});
export const crd = () =>
  defineCrd(Website, {
    spec,
    status,
    shortNames: ["ws"],
    printerColumns: [readyColumn, ageColumn],
  });
