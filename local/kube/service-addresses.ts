import type { ApiObject } from "./api-object.ts";
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
}

interface ServicePort {
  readonly nodePort?: number;
  readonly [field: string]: unknown;
}

/** A Service with what only the server gives out: a cluster IP and node ports that no other one has. */
export function addressed(object: ApiObject, store: ObjectStore, random: () => number): ApiObject {
  const spec = (object.spec ?? {}) as ServiceSpec;
  if (spec.type === "ExternalName") return object;
  const others = store
    .list("/services", "")
    .filter(({ metadata }) => metadata.uid !== object.metadata.uid);
  const clusterIP = spec.clusterIP || freeAddress(others, random);
  const withPorts = spec.type === "NodePort" || spec.type === "LoadBalancer";
  const ports = withPorts ? portsOf(spec.ports ?? [], others, random) : spec.ports;
  const clusterIPs = spec.clusterIPs?.length ? spec.clusterIPs : [clusterIP];
  return { ...object, spec: { ...spec, clusterIP, clusterIPs, ...(ports && { ports }) } };
}

/** A Service whose update leaves its addresses out: it keeps them, and its node ports. */
export function keptAddresses(object: ApiObject, before: ApiObject): ApiObject {
  const spec = (object.spec ?? {}) as ServiceSpec;
  const was = (before.spec ?? {}) as ServiceSpec;
  if (spec.type === "ExternalName" || was.type === "ExternalName") return object;
  const clusterIP = spec.clusterIP || was.clusterIP;
  const kept = spec.clusterIPs?.length ? spec.clusterIPs : undefined;
  const clusterIPs =
    kept ?? (clusterIP === was.clusterIP ? was.clusterIPs : clusterIP && [clusterIP]);
  return {
    ...object,
    spec: { ...spec, ...(clusterIP && { clusterIP }), ...(clusterIPs && { clusterIPs }) },
  };
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
