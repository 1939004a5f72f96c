import { defineKind, type Resource } from "tidegate";
import { ageColumn, column, conditions, defineCrd, readyColumn } from "tidegate/crd";
import * as z from "zod";

// Functions, so that a bundler drops them, and zod, from the Lambda function.
export const spec = () =>
  z.object({
    size: z.int().min(1).max(10).default(1).describe("How many pods serve the guestbook."),
    configMapName: z
      .string()
      .min(1)
      .max(253)
      .describe("A ConfigMap of the same namespace: the pods' environment."),
    type: z
      .enum(["Phone", "Address", "Name"])
      .default("Phone")
      .describe("What guests leave behind."),
  });
export const status = () =>
  z.object({
    active: z.string().optional().describe("The pod that serves."),
    standby: z.array(z.string()).optional().describe("The pods that would take over."),
    conditions: conditions().optional(),
  });

export interface Guestbook
  extends Resource<"webapp.example.com/v1", "Guestbook", typeof spec, typeof status> {}
export const Guestbook = defineKind<Guestbook>({
  apiVersion: "webapp.example.com/v1",
  kind: "Guestbook",
  plural: "guestbooks",
  scope: "Namespaced",
});
export const crd = () =>
  defineCrd(Guestbook, {
    spec,
    status,
    printerColumns: [
      column({ name: "Type", jsonPath: ".spec.type" }),
      column({ name: "Active", jsonPath: ".status.active" }),
      readyColumn,
      ageColumn,
    ],
  });
