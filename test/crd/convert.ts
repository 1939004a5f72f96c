import { defineKind } from "tidegate";
import type { StructuralSchema } from "tidegate/crd";
import { type CrdVersionOptions, type CustomResourceDefinition, defineCrd } from "tidegate/crd";
import * as z from "zod";

export const Widget = defineKind({
  apiVersion: "shop.example.com/v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
});

/** The definition of a kind whose spec has these fields. */
export function crdOf(
  shape: z.core.$ZodLooseShape,
  more: Partial<CrdVersionOptions> = {},
): CustomResourceDefinition {
  return defineCrd(Widget, { spec: () => z.object(shape), ...more });
}

/** What a schema becomes as the field `it` of a spec. */
export function converted(schema: z.core.$ZodType): StructuralSchema | undefined {
  return specOf(crdOf({ it: schema })).properties?.it;
}

export function specOf({ spec }: CustomResourceDefinition): StructuralSchema {
  return spec.versions[0]?.schema.openAPIV3Schema.properties?.spec ?? {};
}

/** What is said of a schema as the field `it` of a spec, a line a fault. */
export function faultsOf(schema: z.core.$ZodType): readonly string[] {
  try {
    crdOf({ it: schema });
    return [];
  } catch (error) {
    const [, ...lines] = (error as Error).message.split("\n");
    return lines.map((line) => line.trim());
  }
}
