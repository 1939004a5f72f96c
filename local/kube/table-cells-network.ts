import type { ApiObject } from "./api-object.ts";
import type { CellFunction } from "./table-cells.ts";
import { age, name } from "./table-cells-core.ts";
import {
  labelSelectorText,
  labelsText,
  numberAt,
  type Part,
  partAt,
  partsAt,
  shortList,
  textAt,
  textsAt,
} from "./table-fields.ts";

/** Kinds of the network. */
export const NETWORK_CELLS: Readonly<Record<string, CellFunction>> = {
  "/Service": (object, { nowMs }) => [
    name(object),
    textAt(object, "spec.type"),
    textsAt(object, "spec.clusterIPs")[0] ?? "<none>",
    externalIp(object),
    partsAt(object, "spec.ports").map(servicePort).join(",") || "<none>",
    age(object, nowMs),
    labelsText(partAt(object, "spec.selector")),
  ],
  "/Endpoints": (object, { nowMs }) => [name(object), endpoints(object), age(object, nowMs)],
  "discovery.k8s.io/EndpointSlice": (object, { nowMs }) => [
    name(object),
    textAt(object, "addressType"),
    slicePorts(object),
    sliceAddresses(object),
    age(object, nowMs),
  ],
  "networking.k8s.io/Ingress": (object, { nowMs }) => [
    name(object),
    textAt(object, "spec.ingressClassName", "<none>"),
    hosts(object),
    loadBalancer(object),
    partsAt(object, "spec.tls").length > 0 ? "80, 443" : "80",
    age(object, nowMs),
  ],
  "networking.k8s.io/IngressClass": (object, { nowMs }) => [
    ingressClassName(object),
    textAt(object, "spec.controller"),
    parameters(partAt(object, "spec.parameters")),
    age(object, nowMs),
  ],
  "networking.k8s.io/NetworkPolicy": (object, { nowMs }) => [
    name(object),
    labelSelectorText(partAt(object, "spec.podSelector")) || "<none>",
    age(object, nowMs),
  ],
};

function externalIp(service: ApiObject): string {
  const own = textsAt(service, "spec.externalIPs");
  switch (textAt(service, "spec.type")) {
    case "ClusterIP":
    case "NodePort":
      return own.join(",") || "<none>";
    case "LoadBalancer":
      return [loadBalancer(service), ...own].filter((each) => each !== "").join(",") || "<pending>";
    case "ExternalName":
      return textAt(service, "spec.externalName");
    default:
      return "<unknown>";
  }
}

function loadBalancer(object: ApiObject): string {
  const addresses = partsAt(object, "status.loadBalancer.ingress")
    .map((each) => textAt(each, "ip") || textAt(each, "hostname"))
    .filter((address) => address !== "");
  return [...new Set(addresses)].sort().join(",");
}

function servicePort(port: Part): string {
  const node = numberAt(port, "nodePort");
  const number = numberAt(port, "port");
  return `${node > 0 ? `${number}:${node}` : number}/${textAt(port, "protocol")}`;
}

const MOST = 3;

function endpoints(object: ApiObject): string {
  const subsets = partsAt(object, "subsets");
  if (subsets.length === 0) return "<none>";
  const all = subsets.flatMap((subset) => {
    const ips = partsAt(subset, "addresses").map((address) => textAt(address, "ip"));
    const ports = partsAt(subset, "ports").map((port) => numberAt(port, "port"));
    if (ports.length === 0) return ips;
    return ports.flatMap((port) => ips.map((ip) => `${hostOf(ip)}:${port}`));
  });
  return shortList(all, { most: MOST, count: all.length, empty: "" });
}

function hostOf(ip: string): string {
  return ip.includes(":") ? `[${ip}]` : ip;
}

function slicePorts(slice: ApiObject): string {
  const ports = partsAt(slice, "ports").map(
    (port) => textAt(port, "port") || textAt(port, "name", "*"),
  );
  return shortList(ports, { most: MOST, count: ports.length, empty: "<unset>" });
}

function sliceAddresses(slice: ApiObject): string {
  const all = partsAt(slice, "endpoints").flatMap((each) => textsAt(each, "addresses"));
  return shortList(all, { most: MOST, count: all.length, empty: "<unset>" });
}

function hosts(ingress: ApiObject): string {
  const rules = partsAt(ingress, "spec.rules");
  const named = rules.map((rule) => textAt(rule, "host")).filter((host) => host !== "");
  const shown = named.slice(0, MOST).join(",");
  if (shown === "") return "*";
  // Counted as the API server does: rules without a host count, too, once three have one.
  const full = rules.findIndex((_, at) => at >= MOST && hostsBefore(rules, at) >= MOST) >= 0;
  return full ? `${shown} + ${rules.length - MOST} more...` : shown;
}

function hostsBefore(rules: readonly Part[], end: number): number {
  return rules.slice(0, end).filter((rule) => textAt(rule, "host") !== "").length;
}

function ingressClassName(object: ApiObject): string {
  const annotation = object.metadata.annotations?.["ingressclass.kubernetes.io/is-default-class"];
  return annotation === "true" ? `${name(object)} (default)` : name(object);
}

function parameters(of: Part | undefined): string {
  if (!of) return "<none>";
  const group = textAt(of, "apiGroup");
  return `${textAt(of, "kind")}${group && `.${group}`}/${textAt(of, "name")}`;
}
