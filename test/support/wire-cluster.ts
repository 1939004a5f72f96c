import { randomUUID } from "node:crypto";
import { createKubeApi } from "../../local/kube/kube-api.ts";
import { newKubeCredentials } from "../../local/kube/kube-credentials.ts";
import { startKubeServer } from "../../local/kube/kube-server.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import type { KubeAccess, Transport } from "../../shared/kube/wire.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { ByteProxy } from "./byte-proxy.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { WireRest } from "./wire-rest.ts";

/** The embedded API server on a socket, with both proxies before it, in virtual time. */
export interface WireCluster {
  readonly clock: VirtualClock;
  readonly rest: WireRest;
  /** Reads requests; TLS ends there. */
  readonly requests: FaultProxy;
  /** Passes bytes, and TLS with them. */
  readonly bytes: ByteProxy;
  readonly token: string;
  /** Of a client, by that proxy; `access` replaces parts of it. */
  readonly transport: (by: "requests" | "bytes", access?: Partial<KubeAccess>) => Transport;
  /** Behind the proxies. */
  readonly direct: KubeClient;
  /** Writes a ConfigMap of the namespace "default" behind the proxies. */
  readonly apply: (name: string, value: string, labels?: object) => Promise<unknown>;
  readonly remove: (name: string) => Promise<unknown>;
  readonly get: (name: string) => Promise<ConfigMap | undefined>;
  readonly close: () => Promise<void>;
}

export async function startWireCluster(): Promise<WireCluster> {
  const rest = new WireRest();
  const clock = new VirtualClock(undefined, rest.untilStill);
  const api = createKubeApi({ clock, random: () => 0.5, newUid: randomUUID, accounts: false });
  const { ca, tls, token } = newKubeCredentials();
  const server = await startKubeServer({ handle: api.handle, token, tls });
  const nowMs = clock.monotonicMs;
  const requests = await FaultProxy.start({ target: server.url, ca, rest, nowMs });
  const bytes = await ByteProxy.start(server.url, rest);
  const direct = createKubeClient(api.transport);
  const transports: Transport[] = [];
  const places = {
    requests: { server: requests.url, ca: async () => requests.ca },
    bytes: { server: `https://127.0.0.1:${bytes.port}`, ca: async () => ca },
  };
  return {
    clock,
    rest,
    requests,
    bytes,
    token,
    direct,
    transport: (by, access = {}) => {
      const authorization = async () => `Bearer ${token}`;
      const transport = createTransport({ ...places[by], authorization, ...access }, { clock });
      transports.push(transport);
      return {
        ...transport,
        request: (request) => rest.during(() => transport.request(request)),
        stream: (request) => rest.during(() => transport.stream(request)),
      };
    },
    apply: async (name, value, labels = {}) => {
      const metadata = { namespace: "default", name, labels };
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { value } };
      await direct.apply(ConfigMap, { namespace: "default", name }, object, {
        fieldManager: "test",
        force: true,
      });
    },
    remove: (name) => direct.delete(ConfigMap, { namespace: "default", name }),
    get: (name) => direct.get(ConfigMap, { namespace: "default", name }),
    close: async () => {
      for (const transport of transports) transport.close();
      api.close();
      await Promise.all([requests.close(), bytes.close()]);
      await server.close();
    },
  };
}
