import type { FieldError } from "./api-error.ts";
import { partsIn } from "./built-in-default.ts";
import {
  dnsLabel,
  dnsSubdomain,
  isMissing,
  oneOf,
  optionalText,
  requiredText,
} from "./built-in-names.ts";
import type { PartRules } from "./built-in-validation.ts";
import { containerFaults } from "./built-in-validation-container.ts";
import { labelFaults } from "./built-in-validation-metadata.ts";
import type { Part } from "./built-in-visit.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from "./schema-errors.ts";

export const podRules: PartRules = {
  "core.v1.PodSpec": (spec, path) => [
    ...volumeFaults(spec, `${path}.volumes`),
    ...containersFaults(spec, path),
    ...choiceFaults(spec, path),
    ...optionalText(`${path}.nodeName`, spec.nodeName, dnsSubdomain),
    ...optionalText(`${path}.serviceAccountName`, spec.serviceAccountName, dnsSubdomain),
    ...optionalText(`${path}.hostname`, spec.hostname, dnsLabel),
    ...labelFaults(spec.nodeSelector, `${path}.nodeSelector`),
    ...partsIn(spec, "tolerations").flatMap((each, index) => {
      return tolerationFaults(each, `${path}.tolerations[${index}]`);
    }),
  ],
  "core.v1.Container": containerFaults,
};

const RESTART_POLICIES = ["Always", "OnFailure", "Never"];
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const MAX_INT32 = 2 ** 31 - 1;

function choiceFaults(spec: Part, path: string): FieldError[] {
  const seconds = spec.activeDeadlineSeconds;
  const field = `${path}.activeDeadlineSeconds`;
  const wrong = typeof seconds === "number" && (seconds < 1 || seconds > MAX_INT32);
  return [
    ...oneOf(`${path}.restartPolicy`, spec.restartPolicy, RESTART_POLICIES),
    ...oneOf(`${path}.dnsPolicy`, spec.dnsPolicy, DNS_POLICIES),
    ...(spec.dnsPolicy === "None" && isMissing(spec.dnsConfig)
      ? [required(`${path}.dnsConfig`, "must provide `dnsConfig` when `dnsPolicy` is None")]
      : []),
    ...(wrong ? [invalid(field, seconds, `must be between 1 and ${MAX_INT32}, inclusive`)] : []),
  ];
}

function containersFaults(spec: Part, path: string): FieldError[] {
  const containers = partsIn(spec, "containers");
  const faults = containers.length === 0 ? [required(`${path}.containers`)] : [];
  const names = new Set<unknown>();
  const volumes = new Set(partsIn(spec, "volumes").map(({ name }) => name));
  const ports = new Set<string>();
  for (const list of ["containers", "initContainers"]) {
    partsIn(spec, list).forEach((container, index) => {
      const at = `${path}.${list}[${index}]`;
      const { name } = container;
      if (!isMissing(name) && names.has(name)) faults.push(duplicate(`${at}.name`, name));
      names.add(name);
      faults.push(...mountFaults(container, volumes, at));
      if (list === "containers") faults.push(...hostPortFaults(container, ports, at));
    });
  }
  return faults;
}

function mountFaults(container: Part, volumes: ReadonlySet<unknown>, path: string): FieldError[] {
  const paths = new Set<unknown>();
  return partsIn(container, "volumeMounts").flatMap(({ name, mountPath }, index) => {
    const at = `${path}.volumeMounts[${index}]`;
    const faults: FieldError[] = [];
    if (isMissing(name)) faults.push(required(`${at}.name`));
    else if (!volumes.has(name)) faults.push(notFound(`${at}.name`, name));
    if (isMissing(mountPath)) faults.push(required(`${at}.mountPath`));
    else if (paths.has(mountPath)) {
      faults.push(invalid(`${at}.mountPath`, mountPath, "must be unique"));
    }
    paths.add(mountPath);
    return faults;
  });
}

function hostPortFaults(container: Part, ports: Set<string>, path: string): FieldError[] {
  return partsIn(container, "ports").flatMap(({ hostPort, hostIP = "", protocol }, index) => {
    if (!hostPort) return [];
    const text = [protocol, hostIP, hostPort].map(String).join("/");
    const taken = ports.has(text);
    ports.add(text);
    return taken ? [duplicate(`${path}.ports[${index}].hostPort`, text)] : [];
  });
}

function volumeFaults(spec: Part, path: string): FieldError[] {
  const names = new Set<unknown>();
  return partsIn(spec, "volumes").flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const { name, ...sources } = volume;
    const faults = requiredText(`${at}.name`, name, dnsLabel);
    if (!isMissing(name) && names.has(name)) faults.push(duplicate(`${at}.name`, name));
    names.add(name);
    return [...faults, ...sourceFaults(sources, at)];
  });
}

/** The order in which the API server looks for a second source. */
const SOURCES = ["emptyDir", "hostPath", "secret", "nfs", "persistentVolumeClaim", "configMap"];

function sourceFaults(sources: Part, path: string): FieldError[] {
  const order = (key: string) => SOURCES.indexOf(key) + 1 || SOURCES.length + 1;
  const keys = Object.keys(sources).sort((a, b) => order(a) - order(b));
  const faults = keys.slice(1).map((key) => {
    return forbidden(`${path}.${key}`, "may not specify more than 1 volume type");
  });
  const [first = ""] = keys;
  const needed = { secret: "secretName", configMap: "name", persistentVolumeClaim: "claimName" };
  const key = needed[first as keyof typeof needed];
  const source = sources[first] as Part | undefined;
  if (key && source && isMissing(source[key])) faults.push(required(`${path}.${first}.${key}`));
  return faults;
}

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function tolerationFaults({ key, operator, value, effect }: Part, path: string): FieldError[] {
  const faults: FieldError[] = [];
  const field = `${path}.operator`;
  if (isMissing(key) && operator !== "Exists") {
    const detail =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    faults.push(invalid(field, operator ?? "", detail));
  }
  if (operator === "Exists" && !isMissing(value)) {
    faults.push(invalid(field, value, "value must be empty when `operator` is 'Exists'"));
  } else if (!isMissing(operator) && operator !== "Exists" && operator !== "Equal") {
    faults.push(notSupported(field, operator, ["Equal", "Exists"]));
  }
  return [...faults, ...oneOf(`${path}.effect`, effect, EFFECTS)];
}
