import type { FieldError } from "./api-error.ts";
import { partsIn } from "./built-in-default.ts";
import {
  dnsLabel,
  envName,
  isMissing,
  notNegative,
  oneOf,
  optionalText,
  portName,
  portNumber,
  portNumberOrName,
  requiredText,
} from "./built-in-names.ts";
import { isPart, type Part } from "./built-in-visit.ts";
import { compareQuantities, parseQuantity } from "./quantity.ts";
import { duplicate, forbidden, invalid, required } from "./schema-errors.ts";

/** The faults of one container, without those that need the whole pod. */
export function containerFaults(container: Part, path: string): FieldError[] {
  const { name, image, imagePullPolicy, terminationMessagePolicy, resources } = container;
  return [
    ...requiredText(`${path}.name`, name, dnsLabel),
    ...requiredText(`${path}.image`, image, (text) => {
      return text.trim() === text ? [] : ["must not have leading or trailing whitespace"];
    }),
    ...oneOf(`${path}.imagePullPolicy`, imagePullPolicy, ["Always", "IfNotPresent", "Never"]),
    ...oneOf(`${path}.terminationMessagePolicy`, terminationMessagePolicy, MESSAGE_POLICIES),
    ...portFaults(container, `${path}.ports`),
    ...partsIn(container, "env").flatMap((each, index) => envFaults(each, `${path}.env[${index}]`)),
    ...(isPart(resources) ? resourceFaults(resources, `${path}.resources`) : []),
    ...PROBES.flatMap((key) => {
      const probe = container[key];
      return isPart(probe) ? probeFaults(probe, `${path}.${key}`, key) : [];
    }),
  ];
}

const MESSAGE_POLICIES = ["File", "FallbackToLogsOnError"];
const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];

function portFaults(container: Part, path: string): FieldError[] {
  const names = new Set<unknown>();
  return partsIn(container, "ports").flatMap((port, index) => {
    const { name, containerPort, protocol, hostPort } = port;
    const at = `${path}[${index}]`;
    const faults = optionalText(`${at}.name`, name, portName);
    if (!isMissing(name) && names.has(name)) faults.push(duplicate(`${at}.name`, name));
    names.add(name);
    if (!containerPort) faults.push(required(`${at}.containerPort`));
    else faults.push(...portNumber(`${at}.containerPort`, containerPort));
    if (hostPort) faults.push(...portNumber(`${at}.hostPort`, hostPort));
    return [...faults, ...oneOf(`${at}.protocol`, protocol, PROTOCOLS)];
  });
}

/** Fields of a Pod that a container can be told. */
const TOLD =
  /^(metadata\.(name|namespace|uid|(labels|annotations)(\['[^']*'\])?)|spec\.(nodeName|serviceAccountName|restartPolicy)|status\.(phase|hostIPs?|podIPs?))$/;

function fieldFaults(valueFrom: unknown, path: string): FieldError[] {
  const fieldRef = isPart(valueFrom) ? valueFrom.fieldRef : undefined;
  const fieldPath = isPart(fieldRef) ? fieldRef.fieldPath : undefined;
  if (typeof fieldPath !== "string" || fieldPath === "" || TOLD.test(fieldPath)) return [];
  const why = `error converting fieldPath: field label not supported: ${fieldPath}`;
  return [invalid(`${path}.valueFrom.fieldRef.fieldPath`, fieldPath, why)];
}

function envFaults({ name, value, valueFrom }: Part, path: string): FieldError[] {
  const faults = [...requiredText(`${path}.name`, name, envName), ...fieldFaults(valueFrom, path)];
  if (!isPart(valueFrom)) return faults;
  const field = `${path}.valueFrom`;
  const count = Object.keys(valueFrom).length;
  if (count === 0) {
    const detail =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or " +
      "`fileKeyRef`";
    faults.push(invalid(field, "", detail));
  } else if (!isMissing(value)) {
    faults.push(invalid(field, "", "may not be specified when `value` is not empty"));
  } else if (count > 1) {
    faults.push(invalid(field, "", "may not have more than one field specified at a time"));
  }
  return faults;
}

/** Resources that containers may ask for without a domain. */
const RESOURCES = /^(cpu|memory|ephemeral-storage|hugepages-.*|.*\/.*)$/;

function resourceFaults({ requests, limits }: Part, path: string): FieldError[] {
  const faults: FieldError[] = [];
  for (const [kind, list] of Object.entries({ limits, requests })) {
    if (!isPart(list)) continue;
    for (const [name, amount] of Object.entries(list)) {
      const field = `${path}.${kind}[${name}]`;
      if (!RESOURCES.test(name)) {
        faults.push(
          invalid(field, name, "must be a standard resource type or fully qualified"),
          invalid(field, name, "must be a standard resource for containers"),
        );
      }
      const quantity = parseQuantity(amount as string);
      if (quantity && quantity.nano < 0n) {
        faults.push(invalid(field, amount, "must be greater than or equal to 0"));
      }
    }
  }
  return [...faults, ...overLimit(requests, limits, path)];
}

function overLimit(requests: unknown, limits: unknown, path: string): FieldError[] {
  if (!isPart(requests) || !isPart(limits)) return [];
  return Object.entries(requests).flatMap(([name, amount]) => {
    const most = limits[name];
    const limit = most === undefined ? undefined : parseQuantity(most as string);
    const request = parseQuantity(amount as string);
    if (!limit || !request || compareQuantities(request, limit) <= 0) return [];
    const detail = `must be less than or equal to ${name} limit of ${String(most)}`;
    return [invalid(`${path}.requests`, amount, detail)];
  });
}

const HANDLERS = ["exec", "httpGet", "tcpSocket", "grpc"];

function probeFaults(probe: Part, path: string, key: string): FieldError[] {
  const handlers = HANDLERS.filter((name) => isPart(probe[name]));
  const faults = handlers.slice(1).map((name) => {
    return forbidden(`${path}.${name}`, "may not specify more than 1 handler type");
  });
  if (handlers.length === 0) faults.push(required(path, "must specify a handler type"));
  for (const name of ["httpGet", "tcpSocket", "grpc"]) {
    const handler = probe[name];
    if (name !== handlers[0] || !isPart(handler)) continue;
    faults.push(...portNumberOrName(`${path}.${name}.port`, handler.port));
  }
  for (const name of NUMBERS) faults.push(...notNegative(`${path}.${name}`, probe[name]));
  const { successThreshold } = probe;
  if (key !== "readinessProbe" && typeof successThreshold === "number" && successThreshold > 1) {
    faults.push(invalid(`${path}.successThreshold`, successThreshold, "must be 1"));
  }
  return faults;
}

const NUMBERS = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
];
