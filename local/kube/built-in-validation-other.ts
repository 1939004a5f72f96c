import { isIP } from "node:net";
import type { FieldError } from "./api-error.ts";
import { partsIn } from "./built-in-default.ts";
import {
  configKey,
  dnsSubdomain,
  isMissing,
  notNegative,
  oneOf,
  optionalText,
  qualifiedName,
  requiredText,
} from "./built-in-names.ts";
import type { PartRules } from "./built-in-validation.ts";
import { amountFaults } from "./built-in-validation-apps.ts";
import { IP_TEXT } from "./built-in-validation-service.ts";
import { childPath, isPart, type Part } from "./built-in-visit.ts";
import { eventFaults } from "./event-faults.ts";
import { scanJson } from "./json-scan.ts";
import { parseQuantity } from "./quantity.ts";
import { forbidden, invalid, notSupported, required, tooLong } from "./schema-errors.ts";

/** https://kubernetes.io/docs/concepts/configuration/configmap/#motivation */
const MAX_BYTES = 1024 * 1024;

function sizeOf(data: unknown): number {
  const values = Object.values(isPart(data) ? data : {});
  return values.reduce((sum: number, each) => sum + Buffer.byteLength(String(each)), 0);
}

export const otherRules: PartRules = {
  "core.v1.ConfigMap": ({ data, binaryData }) => [
    ...(sizeOf(data) + sizeOf(binaryData) > MAX_BYTES ? [tooLong("[]", MAX_BYTES)] : []),
    ...keyFaults(data, "data"),
    ...keyFaults(binaryData, "binaryData"),
    ...Object.keys(isPart(data) ? data : {})
      .filter((key) => isPart(binaryData) && Object.hasOwn(binaryData, key))
      .map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
  ],
  "core.v1.Secret": (secret) => [...keyFaults(secret.data, "data"), ...secretFaults(secret)],
  "core.v1.PersistentVolumeClaimSpec": claimFaults,
  "core.v1.Event": eventFaults,
  "events.v1.Event": eventFaults,
  "rbac.v1.Role": ({ rules }) => ruleFaults(rules, true),
  "rbac.v1.ClusterRole": ({ rules }) => ruleFaults(rules, false),
  "rbac.v1.RoleBinding": (binding) => bindingFaults(binding, ["Role", "ClusterRole"]),
  "rbac.v1.ClusterRoleBinding": (binding) => bindingFaults(binding, ["ClusterRole"]),
  "policy.v1.PodDisruptionBudgetSpec": budgetFaults,
  "autoscaling.v1.HorizontalPodAutoscalerSpec": autoscalerFaults,
  "autoscaling.v2.HorizontalPodAutoscalerSpec": autoscalerFaults,
  "coordination.v1.LeaseSpec": ({ leaseDurationSeconds: seconds, leaseTransitions }, path) => [
    ...(typeof seconds === "number" && seconds <= 0
      ? [invalid(`${path}.leaseDurationSeconds`, seconds, "must be greater than 0")]
      : []),
    ...notNegative(`${path}.leaseTransitions`, leaseTransitions),
  ],
  "discovery.v1.EndpointSlice": sliceFaults,
  "storage.v1.StorageClass": ({ provisioner, reclaimPolicy, volumeBindingMode }) => [
    ...requiredText("provisioner", provisioner, (text) => qualifiedName(text.toLowerCase())),
    ...oneOf("reclaimPolicy", reclaimPolicy, ["Delete", "Retain"]),
    ...oneOf("volumeBindingMode", volumeBindingMode, ["Immediate", "WaitForFirstConsumer"]),
  ],
  "scheduling.v1.PriorityClass": ({ value, preemptionPolicy }) => [
    ...(typeof value === "number" && value > MAX_PRIORITY
      ? [forbidden("value", `maximum allowed value of a user defined priority is ${MAX_PRIORITY}`)]
      : []),
    ...oneOf("preemptionPolicy", preemptionPolicy, ["PreemptLowerPriority", "Never"]),
  ],
};

/** Higher ones are the system's. */
const MAX_PRIORITY = 1_000_000_000;

function keyFaults(data: unknown, field: string): FieldError[] {
  return Object.keys(isPart(data) ? data : {}).flatMap((key) => {
    return configKey(key).map((why) => invalid(`${field}[${key}]`, key, why));
  });
}

const SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};

const DOCKER_KEY = ".dockerconfigjson";

/** Registry credentials are JSON; what they say is not shown. */
function dockerFaults(value: unknown): FieldError[] {
  try {
    scanJson(Buffer.from(String(value), "base64").toString());
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [invalid(`data[${DOCKER_KEY}]`, "<secret contents redacted>", why)];
  }
}

function secretFaults({ type, data, metadata }: Part): FieldError[] {
  const has = (key: string) => isPart(data) && Object.hasOwn(data, key);
  const keys = SECRET_KEYS[String(type)] ?? [];
  const faults = keys.filter((key) => !has(key)).map((key) => required(`data[${key}]`));
  if (type === "kubernetes.io/basic-auth" && !has("username") && !has("password")) {
    faults.push(required("data[username]"), required("data[password]"));
  }
  if (has(DOCKER_KEY) && isPart(data)) faults.push(...dockerFaults(data[DOCKER_KEY]));
  const name = "kubernetes.io/service-account.name";
  const annotations = isPart(metadata) && isPart(metadata.annotations) ? metadata.annotations : {};
  if (type === "kubernetes.io/service-account-token" && isMissing(annotations[name])) {
    faults.push(required(`metadata.annotations[${name}]`));
  }
  return faults;
}

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

function claimFaults(spec: Part, path: string): FieldError[] {
  const modes = Array.isArray(spec.accessModes) ? spec.accessModes : [];
  const field = `${path}.accessModes`;
  const faults = modes.length > 0 ? [] : [required(field, "at least 1 access mode is required")];
  faults.push(
    ...modes
      .filter((mode) => !ACCESS_MODES.includes(String(mode)))
      .map((mode) => notSupported(field, mode, ACCESS_MODES)),
  );
  const { requests } = isPart(spec.resources) ? spec.resources : {};
  const storage = isPart(requests) ? requests.storage : undefined;
  const at = `${path}.resources[storage]`;
  const quantity = storage === undefined ? undefined : parseQuantity(storage as string);
  if (storage === undefined) faults.push(required(at));
  else if (quantity && quantity.nano <= 0n) {
    faults.push(invalid(at, storage, "must be greater than zero"));
  }
  faults.push(...optionalText(`${path}.storageClassName`, spec.storageClassName, dnsSubdomain));
  return [...faults, ...oneOf(`${path}.volumeMode`, spec.volumeMode, ["Block", "Filesystem"])];
}

function ruleFaults(rules: unknown, namespaced: boolean): FieldError[] {
  if (!Array.isArray(rules)) return [];
  return rules.filter(isPart).flatMap((rule, index) => {
    const at = `rules[${index}]`;
    const count = (key: string) => partsLength(rule[key]);
    const faults = count("verbs") === 0 ? [required(`${at}.verbs`)] : [];
    if (count("nonResourceURLs") > 0) {
      if (!namespaced) return faults;
      const detail = "namespaced rules cannot apply to non-resource URLs";
      return [...faults, invalid(`${at}.nonResourceURLs`, rule.nonResourceURLs, detail)];
    }
    for (const [key, what] of [
      ["apiGroups", "api group"],
      ["resources", "resource"],
    ] as const) {
      const detail = `resource rules must supply at least one ${what}`;
      if (count(key) === 0) faults.push(required(`${at}.${key}`, detail));
    }
    return faults;
  });
}

function partsLength(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

const SUBJECTS = ["ServiceAccount", "User", "Group"];

function bindingFaults(binding: Part, kinds: readonly string[]): FieldError[] {
  const { kind = "", name } = isPart(binding.roleRef) ? binding.roleRef : {};
  const faults: FieldError[] = [];
  if (!kinds.includes(String(kind))) faults.push(notSupported("roleRef.kind", kind, kinds));
  const subjects = partsIn(binding, "subjects").flatMap((subject, index) => {
    const at = `subjects[${index}]`;
    const own = oneOf(`${at}.kind`, subject.kind, SUBJECTS);
    if (isMissing(subject.name)) own.push(required(`${at}.name`));
    return own;
  });
  const missing = isMissing(name) ? [required("roleRef.name")] : [];
  return [...faults, ...subjects, ...missing];
}

/** Both are refused with the whole of the budget, in Go's names. */
function budgetFaults(spec: Part, path: string): FieldError[] {
  const { minAvailable, maxUnavailable, selector = null } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = JSON.stringify({
      MinAvailable: minAvailable,
      Selector: selector,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
    });
    const message = `Invalid value: ${shown}: minAvailable and maxUnavailable cannot be both set`;
    return [{ reason: "FieldValueInvalid", message, field: path }];
  }
  return [
    ...amountFaults(`${path}.minAvailable`, minAvailable),
    ...amountFaults(`${path}.maxUnavailable`, maxUnavailable),
  ];
}

function autoscalerFaults(spec: Part, path: string): FieldError[] {
  const { minReplicas = 1, maxReplicas = 0 } = spec;
  const { kind, name, apiVersion = "" } = isPart(spec.scaleTargetRef) ? spec.scaleTargetRef : {};
  const faults: FieldError[] = [];
  const target = `${path}.scaleTargetRef`;
  if (Number(maxReplicas) < Number(minReplicas)) {
    const detail = "must be greater than or equal to `minReplicas`";
    faults.push(invalid(`${path}.maxReplicas`, maxReplicas, detail));
  }
  if (isMissing(kind)) faults.push(required(`${target}.kind`));
  if (isMissing(name)) faults.push(required(`${target}.name`));
  if (apiVersion === "") {
    const detail = "apiVersion must specify API group";
    faults.push(invalid(`${target}.apiVersion`, apiVersion, detail));
  }
  if (minReplicas === 0) {
    const detail =
      "must specify at least one Object or External metric to support scaling to zero replicas";
    const metrics = partsIn(spec, "metrics");
    const enough = metrics.some(({ type }) => type === "Object" || type === "External");
    if (!enough) faults.push(forbidden(`${path}.metrics`, detail));
  }
  if (Number(maxReplicas) <= 0) faults.push(required(`${path}.maxReplicas`));
  return faults;
}

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];

function sliceFaults(slice: Part): FieldError[] {
  const { addressType } = slice;
  if (isMissing(addressType)) return [required("addressType")];
  const faults = oneOf("addressType", addressType, ADDRESS_TYPES);
  if (faults.length > 0) return faults;
  return partsIn(slice, "endpoints").flatMap(({ addresses }, index) => {
    const field = childPath(`endpoints[${index}]`, "addresses");
    if (!Array.isArray(addresses) || addresses.length === 0) return [required(field)];
    return addresses.flatMap((address: unknown, at) => {
      const valid = addressType === "FQDN" || isIP(String(address)) > 0;
      return valid ? [] : [invalid(`${field}[${at}]`, address, IP_TEXT)];
    });
  });
}
