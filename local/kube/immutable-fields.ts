import type { FieldError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { sameJson } from "./fields-equal.ts";
import { isMap } from "./fields-value.ts";
import { claimSpecFaults, jobSelectorFaults, podSpecFaults } from "./immutable-specs.ts";
import { goJson } from "./schema-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** Fields of built-in kinds that an update may not change. */
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  "apps/Deployment": ["spec.selector"],
  "apps/ReplicaSet": ["spec.selector"],
  "apps/DaemonSet": ["spec.selector"],
  "apps/StatefulSet": ["spec.selector", "spec.serviceName", "spec.podManagementPolicy"],
  "batch/Job": ["spec.completions", "spec.selector", "spec.template", "spec.completionMode"],
  "/Secret": ["type"],
  "rbac.authorization.k8s.io/RoleBinding": ["roleRef"],
  "rbac.authorization.k8s.io/ClusterRoleBinding": ["roleRef"],
  "storage.k8s.io/StorageClass": [
    "provisioner",
    "parameters",
    "reclaimPolicy",
    "volumeBindingMode",
  ],
};

/** Kinds that their own field `immutable` can freeze, and what of them. */
const FREEZABLE: Readonly<Record<string, readonly string[]>> = {
  "/ConfigMap": ["data", "binaryData"],
  "/Secret": ["data"],
};

/** Kinds of which nearly nothing can be changed. */
const WHOLE: Readonly<
  Record<string, (object: ApiObject, before: ApiObject) => readonly FieldError[]>
> = { "/Pod": podSpecFaults, "/PersistentVolumeClaim": claimSpecFaults };

/** What an update may not change, in the words of the API server. */
export function immutableFaults(
  { group, kind, custom }: ServedResource,
  object: ApiObject,
  before: ApiObject,
): readonly FieldError[] {
  if (custom) return [];
  const whole = WHOLE[`${group}/${kind}`];
  if (whole) return whole(object, before);
  const id = `${group}/${kind}`;
  const changed = (path: string) => !sameJson(at(object, path) ?? null, at(before, path) ?? null);
  const fixed = (IMMUTABLE[id] ?? []).filter(changed).map((field) => {
    const message = `Invalid value: ${shown(field, at(object, field))}: field is immutable`;
    return { reason: "FieldValueInvalid", message, field };
  });
  return [
    ...frozen(FREEZABLE[id] ?? [], { object, before, changed }),
    ...(id === "batch/Job" ? jobSelectorFaults(object) : []),
    ...fixed,
    ...own(id, changed, object),
  ];
}

/** Some values are shown as the API server holds them. */
function shown(field: string, value: unknown): string {
  if (field === "roleRef" && isMap(value)) {
    const { apiGroup: APIGroup, kind: Kind, name: Name } = value;
    return JSON.stringify({ APIGroup, Kind, Name });
  }
  if (field === "spec.template" && isMap(value)) {
    const metadata = isMap(value.metadata) ? value.metadata : {};
    return JSON.stringify({ ...metadata, Spec: value.spec });
  }
  return goJson(value ?? null);
}

function frozen(
  fields: readonly string[],
  {
    object,
    before,
    changed,
  }: { object: ApiObject; before: ApiObject; changed: (path: string) => boolean },
): readonly FieldError[] {
  if (fields.length === 0 || before.immutable !== true) return [];
  const message = "Forbidden: field is immutable when `immutable` is set";
  const thawed = object.immutable === true ? [] : ["immutable"];
  return [...thawed, ...fields.filter(changed)].map((field) => ({
    reason: "FieldValueForbidden",
    message,
    field,
  }));
}

/** Kinds that say it in other words. */
function own(
  id: string,
  changed: (path: string) => boolean,
  object: ApiObject,
): readonly FieldError[] {
  if (id === "scheduling.k8s.io/PriorityClass" && changed("value")) {
    const message = "Forbidden: may not be changed in an update.";
    return [{ reason: "FieldValueForbidden", message, field: "value" }];
  }
  if (
    id === "/Service" &&
    changed("spec.clusterIP") &&
    at(object, "spec.type") !== "ExternalName"
  ) {
    const message = `Invalid value: ${JSON.stringify([at(object, "spec.clusterIP") ?? ""])}: may not change once set`;
    return [{ reason: "FieldValueInvalid", message, field: "spec.clusterIPs[0]" }];
  }
  return [];
}

function at(object: ApiObject, path: string): unknown {
  let value: unknown = object;
  for (const part of path.split(".")) value = isMap(value) ? value[part] : undefined;
  return value;
}
