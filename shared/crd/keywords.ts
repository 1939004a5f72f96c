import * as z from "zod";
import type { StructuralSchema } from "./custom-resource-definition.ts";

/** A check that says nothing to zod, and to the API server what its keywords say. */
export function keywords<T>(given: StructuralSchema): z.core.$ZodCheck<T> {
  const def: KeywordsDef = { check: KEYWORDS, keywords: given };
  const check: z.core.$ZodCheck<T> = new z.core.$ZodCheck(def);
  check._zod.check = () => {};
  return check;
}

/** The keywords of a check that `keywords` made; undefined of others. */
export function keywordsOf({ _zod: { def } }: z.core.$ZodCheck): StructuralSchema | undefined {
  return def.check === KEYWORDS ? (def as KeywordsDef).keywords : undefined;
}

interface KeywordsDef extends z.core.$ZodCheckDef {
  readonly keywords: StructuralSchema;
}

const KEYWORDS = "kubernetes";
