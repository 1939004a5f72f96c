import * as z from "zod";
import { keywords } from "./keywords.ts";

/** A whole number or a string, as ports and percentages are: 80, "http", "25%". */
export function intOrString() {
  return z.union([z.int(), z.string()]);
}

/** An amount of a resource: 2, "500m", "1.5Gi". https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/ */
export function quantity() {
  return z.union([z.int(), z.string().regex(QUANTITY)]);
}

/** A span of time as Go writes it: "90s", "1h30m". Not negative; not that of ISO 8601. https://pkg.go.dev/time#ParseDuration */
export function duration() {
  return z.string().regex(DURATION);
}

/**
 * A whole object of Kubernetes inside of another, whatever its kind: `embedded<Pod>()`. All fields
 * beside its metadata are kept, and none is checked.
 */
export function embedded<T extends object = AnyObject>(): z.ZodType<T, T> {
  const schema = z
    .looseObject({ apiVersion: z.string(), kind: z.string() })
    .check(keywords({ "x-kubernetes-embedded-resource": true }));
  return schema as unknown as z.ZodType<T, T>;
}

/**
 * An object whose fields are kept, and not checked: `preserveUnknown<NonNullable<Job["spec"]>>()`.
 * For any value, not only objects: `z.unknown()`.
 */
export function preserveUnknown<T extends object = Record<string, unknown>>(): z.ZodType<T, T> {
  return z.looseObject({}) as unknown as z.ZodType<T, T>;
}

interface AnyObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

const QUANTITY = /^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
const DURATION = /^(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+)$/;
