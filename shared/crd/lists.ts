import type * as z from "zod";
import { keywords } from "./keywords.ts";

/**
 * A list whose items are told apart by these fields, as containers are by their name:
 * `z.array(item).check(listMap("name"))`. Several managers can then apply an item each. The API
 * server refuses two items of the same keys; zod does not.
 *
 * Keys are scalars, and required or with a default.
 */
export function listMap<T extends object>(
  ...keys: readonly [keyof T & string, ...(keyof T & string)[]]
): z.core.$ZodCheck<readonly T[]> {
  return keywords({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys });
}

/** A list that holds each value once: `z.array(z.string()).check(listSet())`. The API server refuses doubles; zod does not. */
export function listSet(): z.core.$ZodCheck<readonly unknown[]> {
  return keywords({ "x-kubernetes-list-type": "set" });
}

/** A list that one manager has as a whole, as lists are by default: to say so. */
export function listAtomic(): z.core.$ZodCheck<readonly unknown[]> {
  return keywords({ "x-kubernetes-list-type": "atomic" });
}

/** An object that one manager has as a whole; by default each field has managers of its own. */
export function mapAtomic(): z.core.$ZodCheck<object> {
  return keywords({ "x-kubernetes-map-type": "atomic" });
}
