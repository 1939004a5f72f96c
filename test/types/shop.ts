// A small custom resource, for the type tests.

import { defineKind, type Resource } from "tidegate";
import { conditions } from "tidegate/crd";
import * as z from "zod";

export const spec = () =>
  z.object({
    host: z.string(),
    replicas: z.int().default(1),
    contentFrom: z.string().optional(),
  });
export const status = () => z.object({ availableReplicas: z.int(), conditions: conditions() });

export interface Shop extends Resource<"web.example.com/v1", "Shop", typeof spec, typeof status> {}
export const Shop = defineKind<Shop>({
  apiVersion: "web.example.com/v1",
  kind: "Shop",
  plural: "shops",
  scope: "Namespaced",
});

/** Of the same shape as Shop, in another group. */
export interface OtherShop
  extends Resource<"other.example.com/v1", "Shop", typeof spec, typeof status> {}
export const OtherShop = defineKind<OtherShop>({
  apiVersion: "other.example.com/v1",
  kind: "Shop",
  plural: "shops",
  scope: "Namespaced",
});
