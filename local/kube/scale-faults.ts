import type { FieldError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { isMap } from "./fields-value.ts";
import { invalid } from "./schema-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** What of a custom resource the subresource `scale` could not tell. */
export function scaleFaults(
  { subresources }: ServedResource,
  object: ApiObject,
): readonly FieldError[] {
  const { specReplicasPath: path } = subresources.scale ?? {};
  if (path === undefined) return [];
  let value: unknown = object;
  for (const part of path.split(".").filter(Boolean))
    value = isMap(value) ? value[part] : undefined;
  if (typeof value !== "number") return [];
  if (value < 0) return [invalid(path, value, "should be a non-negative integer")];
  const most = 2 ** 31 - 1;
  return value > most ? [invalid(path, value, `should be less than or equal to ${most}`)] : [];
}
