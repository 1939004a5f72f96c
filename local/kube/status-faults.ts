import type { FieldError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { isMap } from "./fields-value.ts";
import { invalid } from "./schema-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** Counts of a status that none of them may exceed the first. */
const COUNTS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ["updatedReplicas", "readyReplicas", "availableReplicas"],
  ReplicaSet: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
  StatefulSet: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
};

/** What is wrong with the numbers of a status. */
export function statusFaults(
  { group, kind }: ServedResource,
  { status }: ApiObject,
): readonly FieldError[] {
  const names = group === "apps" ? COUNTS[kind] : undefined;
  if (!names || !isMap(status)) return [];
  const count = (name: string) => Number(status[name] ?? 0);
  const replicas = count("replicas");
  const negative = ["replicas", ...names]
    .filter((name) => count(name) < 0)
    .map((name) => invalid(`status.${name}`, count(name), "must be greater than or equal to 0"));
  const excess = names
    .filter((name) => count(name) > replicas)
    .map((name) =>
      invalid(`status.${name}`, count(name), "cannot be greater than status.replicas"),
    );
  return [...negative, ...excess];
}
