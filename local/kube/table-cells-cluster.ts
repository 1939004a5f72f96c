import type { ApiObject } from "./api-object.ts";
import type { TableCell } from "./table.ts";
import type { CellFunction } from "./table-cells.ts";
import { age, madeAt, name } from "./table-cells-core.ts";
import {
  conditionTrue,
  numberAt,
  type Part,
  partAt,
  partsAt,
  textAt,
  textsAt,
  valueAt,
} from "./table-fields.ts";

/** Kinds that rule the cluster: access, priorities, budgets, leases, storage, definitions. */
export const CLUSTER_CELLS: Readonly<Record<string, CellFunction>> = {
  "rbac.authorization.k8s.io/RoleBinding": bindingCells,
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindingCells,
  "policy/PodDisruptionBudget": (object, { nowMs }) => [
    name(object),
    textAt(object, "spec.minAvailable", "N/A"),
    textAt(object, "spec.maxUnavailable", "N/A"),
    numberAt(object, "status.disruptionsAllowed"),
    age(object, nowMs),
  ],
  "coordination.k8s.io/Lease": (object, { nowMs }) => [
    name(object),
    textAt(object, "spec.holderIdentity"),
    age(object, nowMs),
  ],
  "scheduling.k8s.io/PriorityClass": (object, { nowMs }) => [
    name(object),
    numberAt(object, "value"),
    object.globalDefault === true,
    age(object, nowMs),
    textAt(object, "preemptionPolicy"),
  ],
  "storage.k8s.io/StorageClass": (object, { nowMs, items }) => [
    name(object) === defaultClass(items) ? `${name(object)} (default)` : name(object),
    textAt(object, "provisioner"),
    textAt(object, "reclaimPolicy", "Delete"),
    textAt(object, "volumeBindingMode", "Immediate"),
    object.allowVolumeExpansion === true,
    age(object, nowMs),
  ],
  "apiextensions.k8s.io/CustomResourceDefinition": (object) => [
    name(object),
    textAt(object, "spec.scope"),
    servedVersions(object),
    madeAt(object),
    textAt(object, "spec.group"),
    textAt(object, "spec.names.kind"),
    textsAt(object, "spec.names.shortNames").join(","),
    conditionTrue(object, "Established"),
  ],
  "flowcontrol.apiserver.k8s.io/FlowSchema": (object, { nowMs }) => [
    name(object),
    textAt(object, "spec.priorityLevelConfiguration.name"),
    numberAt(object, "spec.matchingPrecedence"),
    textAt(object, "spec.distinguisherMethod.type", "<none>"),
    age(object, nowMs),
    dangling(object),
  ],
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": (object, { nowMs }) => [
    name(object),
    textAt(object, "spec.type"),
    cellAt(object, "spec.limited.nominalConcurrencyShares"),
    cellAt(object, "spec.limited.limitResponse.queuing.queues"),
    cellAt(object, "spec.limited.limitResponse.queuing.handSize"),
    cellAt(object, "spec.limited.limitResponse.queuing.queueLengthLimit"),
    age(object, nowMs),
  ],
};

function bindingCells(...[object, { nowMs }]: Parameters<CellFunction>): ReturnType<CellFunction> {
  const role = partAt(object, "roleRef") ?? {};
  const subjects = partsAt(object, "subjects");
  const named = (kind: string, text: (subject: Part) => string) =>
    subjects
      .filter((each) => each.kind === kind)
      .map(text)
      .join(", ");
  return [
    name(object),
    `${textAt(role, "kind")}/${textAt(role, "name")}`,
    age(object, nowMs),
    named("User", (each) => textAt(each, "name")),
    named("Group", (each) => textAt(each, "name")),
    named("ServiceAccount", (each) => `${textAt(each, "namespace")}/${textAt(each, "name")}`),
  ];
}

const DEFAULT_CLASS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

/** The newest of those that say that they are the default; undefined where none does. */
function defaultClass(classes: readonly ApiObject[]): string | undefined {
  const candidates = classes.filter(({ metadata }) =>
    DEFAULT_CLASS.some((annotation) => metadata.annotations?.[annotation] === "true"),
  );
  const rank = ({ metadata }: ApiObject) => Date.parse(metadata.creationTimestamp);
  const [first] = candidates.sort(
    (one, other) => rank(other) - rank(one) || (name(one) < name(other) ? -1 : 1),
  );
  return first && name(first);
}

function servedVersions(definition: ApiObject): string {
  const served = partsAt(definition, "spec.versions").filter((each) => each.served === true);
  const texts = served.map(
    (each) => `${textAt(each, "name")}${each.storage === true ? "(storage)" : ""}`,
  );
  return texts.sort().join(",");
}

function dangling(schema: ApiObject): string {
  const found = partsAt(schema, "status.conditions").find((each) => each.type === "Dangling");
  return found ? textAt(found, "status") : "?";
}

function cellAt(object: ApiObject, path: string): TableCell {
  const value = valueAt(object, path);
  return typeof value === "number" ? value : "<none>";
}
