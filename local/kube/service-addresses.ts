import type { ApiObject } from "./api-object.ts";
import { invalid } from "./registry-errors.ts";
import { invalid as invalidValue } from "./schema-errors.ts";
import type { ObjectStore } from "./store.ts";

/** The range of cluster IPs, as kubeadm's default. */
const NETWORK = "10.96";

/** Node ports lie between these. https://kubernetes.io/docs/concepts/services-networking/service/#type-nodeport */
const NODE_PORTS = { first: 30_000, count: 2_768 };

interface ServiceSpec {
  readonly type?: string;
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly ports?: readonly ServicePort[];
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly internalTrafficPolicy?: string;
  readonly externalTrafficPolicy?: string;
}

interface ServicePort {
  readonly nodePort?: number;
  readonly port?: number;
  readonly protocol?: string;
  readonly [field: string]: unknown;
}

/** A new Service with what only the server gives out: a cluster IP and node ports that no other one has. Throws ApiError 422. */
export function addressed(object: ApiObject, store: ObjectStore, random: () => number): ApiObject {
  const { type } = (object.spec ?? {}) as ServiceSpec;
  if (type === "ExternalName") return object;
  checkAddress(object, othersOf(object, store));
  return filled(object, store, random);
}

/**
 * A Service whose update leaves its addresses out: it keeps them, and its node ports. What its new
 * type does not have goes, what that needs is given out.
 */
export function updatedService(
  object: ApiObject,
  before: ApiObject,
  { store, random }: { readonly store: ObjectStore; readonly random: () => number },
): ApiObject {
  const spec = (object.spec ?? {}) as ServiceSpec;
  const was = (before.spec ?? {}) as ServiceSpec;
  if (spec.type === "ExternalName") {
    return was.type === "ExternalName" ? object : { ...object, spec: external(spec) };
  }
  if (was.type === "ExternalName") return filled(object, store, random);
  const { ipFamilies = was.ipFamilies, ipFamilyPolicy = was.ipFamilyPolicy } = spec;
  const clusterIP = spec.clusterIP || was.clusterIP;
  const kept = spec.clusterIPs?.length ? spec.clusterIPs : undefined;
  const same = clusterIP === was.clusterIP ? was.clusterIPs : clusterIP && [clusterIP];
  const clusterIPs = kept ?? same;
  const known = {
    ...spec,
    ...(clusterIP && { clusterIP }),
    ...(clusterIPs && { clusterIPs }),
    ...(ipFamilies && { ipFamilies }),
    ...(ipFamilyPolicy && { ipFamilyPolicy }),
    ...(spec.ports && { ports: keptPorts(spec, was) }),
  };
  return filled({ ...object, spec: known }, store, random);
}

/** Node ports stay where the type stays; a Service without any loses them. */
function keptPorts({ type, ports = [] }: ServiceSpec, was: ServiceSpec): readonly ServicePort[] {
  const known = was.ports ?? [];
  return ports.map((port) => {
    const before = known.find((each) => each.port === port.port && each.protocol === port.protocol);
    const { nodePort = before?.nodePort, ...rest } = port;
    if (type !== "ClusterIP") return nodePort === undefined ? rest : { ...rest, nodePort };
    return port.nodePort === before?.nodePort ? rest : port;
  });
}

/** A spec that names a host elsewhere has no addresses. */
function external(spec: ServiceSpec): ServiceSpec {
  const {
    clusterIP: _clusterIP,
    clusterIPs: _clusterIPs,
    ipFamilies: _ipFamilies,
    ipFamilyPolicy: _ipFamilyPolicy,
    internalTrafficPolicy: _internal,
    externalTrafficPolicy: _external,
    ...rest
  } = spec;
  const ports = rest.ports?.map(withoutNodePort);
  return { ...rest, ...(ports && { ports }) };
}

function othersOf({ metadata }: ApiObject, store: ObjectStore): readonly ApiObject[] {
  return store.list("/services", "").filter((each) => each.metadata.uid !== metadata.uid);
}

function filled(object: ApiObject, store: ObjectStore, random: () => number): ApiObject {
  const spec = (object.spec ?? {}) as ServiceSpec;
  const others = othersOf(object, store);
  const clusterIP = spec.clusterIP || freeAddress(others, random);
  const withPorts = spec.type === "NodePort" || spec.type === "LoadBalancer";
  const ports = withPorts ? portsOf(spec.ports ?? [], others, random) : spec.ports;
  const clusterIPs = spec.clusterIPs?.length ? spec.clusterIPs : [clusterIP];
  return { ...object, spec: { ...spec, clusterIP, clusterIPs, ...(ports && { ports }) } };
}

function withoutNodePort(port: ServicePort): ServicePort {
  const { nodePort: _, ...rest } = port;
  return rest;
}

const SERVICE = { group: "", plural: "services", kind: "Service" };

/** An address that is asked for must be of the network, and free. Throws ApiError 422. */
function checkAddress({ metadata, spec }: ApiObject, others: readonly ApiObject[]): void {
  const { clusterIP } = (spec ?? {}) as ServiceSpec;
  if (!clusterIP || clusterIP === "None") return;
  const taken = others.some((each) => (each.spec as ServiceSpec).clusterIP === clusterIP);
  if (!taken && clusterIP.startsWith(`${NETWORK}.`)) return;
  const why = taken
    ? "provided IP is already allocated"
    : "the provided network does not match the current range";
  const detail = `failed to allocate IP ${clusterIP}: ${why}`;
  throw invalid(SERVICE, metadata.name, [invalidValue("spec.clusterIPs", [clusterIP], detail)]);
}

function freeAddress(others: readonly ApiObject[], random: () => number): string {
  const taken = new Set(others.map(({ spec }) => (spec as ServiceSpec).clusterIP));
  for (;;) {
    const at = 10 + Math.floor(random() * 65_000);
    const address = `${NETWORK}.${Math.floor(at / 256)}.${at % 256}`;
    if (!taken.has(address)) return address;
  }
}

function portsOf(
  ports: readonly ServicePort[],
  others: readonly ApiObject[],
  random: () => number,
): readonly ServicePort[] {
  const taken = new Set(
    others.flatMap(({ spec }) =>
      ((spec as ServiceSpec).ports ?? []).map(({ nodePort }) => nodePort),
    ),
  );
  return ports.map((port) => {
    if (port.nodePort) return port;
    let nodePort: number;
    do nodePort = NODE_PORTS.first + Math.floor(random() * NODE_PORTS.count);
    while (taken.has(nodePort));
    taken.add(nodePort);
    return { ...port, nodePort };
  });
}
