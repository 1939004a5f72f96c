import { isIP } from "node:net";
import type { FieldError } from "./api-error.ts";
import { partsIn } from "./built-in-default.ts";
import {
  dnsLabel,
  dnsSubdomain,
  isMissing,
  oneOf,
  optionalText,
  portName,
  portNumber,
  portNumberOrName,
  requiredText,
} from "./built-in-names.ts";
import type { PartRules } from "./built-in-validation.ts";
import { labelFaults } from "./built-in-validation-metadata.ts";
import { isPart, type Part } from "./built-in-visit.ts";
import { duplicate, forbidden, invalid, required } from "./schema-errors.ts";

export const serviceRules: PartRules = {
  "core.v1.ServiceSpec": (spec, path) => [
    ...servicePorts(spec, `${path}.ports`),
    ...labelFaults(spec.selector, `${path}.selector`),
    ...oneOf(`${path}.sessionAffinity`, spec.sessionAffinity, ["ClientIP", "None"]),
    ...oneOf(`${path}.type`, spec.type, SERVICE_TYPES),
    ...addressFaults(spec, path),
    ...(spec.type === "ExternalName"
      ? requiredText(`${path}.externalName`, spec.externalName, dnsSubdomain)
      : []),
  ],
  "networking.v1.IngressSpec": (spec, path) => [
    ...(partsIn(spec, "rules").length === 0 && !isPart(spec.defaultBackend)
      ? [invalid(path, null, "either `defaultBackend` or `rules` must be specified")]
      : []),
    ...optionalText(`${path}.ingressClassName`, spec.ingressClassName, dnsSubdomain),
  ],
  "networking.v1.IngressRule": (rule, path) => optionalText(`${path}.host`, rule.host, hostName),
  "networking.v1.HTTPIngressRuleValue": (value, path) =>
    partsIn(value, "paths").length === 0 ? [required(`${path}.paths`)] : [],
  "networking.v1.HTTPIngressPath": pathFaults,
  "networking.v1.IngressServiceBackend": backendFaults,
  "networking.v1.NetworkPolicyPort": ({ port, protocol }, path) => [
    ...oneOf(`${path}.protocol`, protocol, ["TCP", "UDP", "SCTP"]),
    ...(port === undefined ? [] : portNumberOrName(`${path}.port`, port)),
  ],
  "networking.v1.NetworkPolicyPeer": (peer, path) =>
    Object.keys(peer).length === 0 ? [required(path, "must specify a peer")] : [],
  "networking.v1.NetworkPolicySpec": ({ policyTypes }, path) =>
    (Array.isArray(policyTypes) ? policyTypes : []).flatMap((type, index) => {
      return oneOf(`${path}.policyTypes[${index}]`, type, ["Ingress", "Egress"]);
    }),
  "networking.v1.IngressClassSpec": ({ controller }, path) =>
    optionalText(`${path}.controller`, controller, (text) => {
      const prefixed = text.includes("/") && dnsSubdomain(text.split("/")[0] ?? "").length === 0;
      return prefixed ? [] : ['must be a domain-prefixed path (such as "acme.io/foo")'];
    }),
};

const SERVICE_TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

function servicePorts(spec: Part, path: string): FieldError[] {
  const ports = partsIn(spec, "ports");
  const headless = spec.clusterIP === "None" || spec.type === "ExternalName";
  const faults = ports.length === 0 && !headless ? [required(path)] : [];
  const [names, numbers] = [new Set<unknown>(), new Set<string>()];
  ports.forEach((port, index) => {
    const at = `${path}[${index}]`;
    const { name, protocol } = port;
    if (ports.length > 1 && isMissing(name)) faults.push(required(`${at}.name`));
    faults.push(...optionalText(`${at}.name`, name, dnsLabel));
    if (!isMissing(name) && names.has(name)) faults.push(duplicate(`${at}.name`, name));
    names.add(name);
    faults.push(...portNumber(`${at}.port`, port.port));
    faults.push(...oneOf(`${at}.protocol`, protocol, ["SCTP", "TCP", "UDP"]));
    faults.push(...portNumberOrName(`${at}.targetPort`, port.targetPort));
    const outside = spec.type === "NodePort" || spec.type === "LoadBalancer";
    if (port.nodePort && !outside) {
      const detail = `may not be used when \`type\` is '${String(spec.type)}'`;
      faults.push(forbidden(`${at}.nodePort`, detail));
    }
    const key = `${String(protocol)}/${String(port.port)}`;
    if (numbers.has(key)) faults.push(repeatedPort(port, at));
    numbers.add(key);
  });
  return faults;
}

/** Go's names of the fields, of those that make a port. */
function repeatedPort({ protocol, port }: Part, field: string): FieldError {
  const shown = JSON.stringify({
    Name: "",
    Protocol: protocol,
    AppProtocol: null,
    Port: port,
    TargetPort: 0,
    NodePort: 0,
  });
  return { reason: "FieldValueDuplicate", message: `Duplicate value: ${shown}`, field };
}

function addressFaults(spec: Part, path: string): FieldError[] {
  const { clusterIP, type, externalTrafficPolicy: policy } = spec;
  const field = `${path}.clusterIPs[0]`;
  const faults: FieldError[] = [];
  const outside = type === "NodePort" || type === "LoadBalancer";
  if (clusterIP === "None" && outside) {
    faults.push(invalid(field, clusterIP, `may not be set to 'None' for ${type} services`));
  } else if (typeof clusterIP === "string" && clusterIP !== "" && clusterIP !== "None") {
    if (isIP(clusterIP) === 0) faults.push(invalid(field, clusterIP, IP_TEXT));
  }
  const external = Array.isArray(spec.externalIPs) && spec.externalIPs.length > 0;
  if (!isMissing(policy) && !outside && !external) {
    const detail = "may only be set for externally-accessible services";
    faults.push(invalid(`${path}.externalTrafficPolicy`, policy, detail));
  }
  return faults;
}

export const IP_TEXT = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

/** A name, or one behind `*.`. */
function hostName(text: string): readonly string[] {
  return dnsSubdomain(text.replace(/^\*\./, ""));
}

const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];

function pathFaults({ path, pathType, backend }: Part, at: string): FieldError[] {
  if (isMissing(pathType)) return [required(`${at}.pathType`, "pathType must be specified")];
  const faults = oneOf(`${at}.pathType`, pathType, PATH_TYPES);
  const text = typeof path === "string" ? path : "";
  const absolute = text.startsWith("/") || (text === "" && pathType === "ImplementationSpecific");
  if (!absolute && faults.length === 0) {
    faults.push(invalid(`${at}.path`, text, "must be an absolute path"));
  }
  const { service, resource } = isPart(backend) ? backend : {};
  if (!isPart(service) && !isPart(resource)) faults.push(required(`${at}.backend`));
  return faults;
}

/** The fault of a port that is not there is its backend's. */
function backendFaults({ name, port }: Part, path: string): FieldError[] {
  const faults = requiredText(`${path}.name`, name, dnsLabel);
  const { name: text, number } = isPart(port) ? port : {};
  if (isMissing(text) && !number) {
    const field = path.replace(/\.service$/, "");
    faults.push(required(field, "port name or number is required"));
  } else if (!isMissing(text)) faults.push(...optionalText(`${path}.port.name`, text, portName));
  else faults.push(...portNumber(`${path}.port.number`, number));
  return faults;
}
