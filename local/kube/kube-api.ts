import type { Clock } from "../../shared/clock.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import type { ApiAnswer, ApiRequest } from "./api-request.ts";
import { ApiRouter } from "./api-router.ts";
import { createKindRules } from "./built-in-rules.ts";
import { seedCluster } from "./cluster-seed.ts";
import { startDefinitionLifecycle } from "./crd-lifecycle.ts";
import { startDefaultAccounts } from "./default-accounts.ts";
import { startGarbageCollector } from "./garbage-collector.ts";
import { createKubeTransport } from "./kube-transport.ts";
import { createLiveCatalog } from "./live-catalog.ts";
import { startNamespaceLifecycle } from "./namespace-lifecycle.ts";
import { MemoryObjectStore } from "./object-store.ts";
import { Registry } from "./registry.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import { createScaleCodec } from "./scale-codec.ts";
import { serverPaths } from "./server-paths.ts";
import type { ObjectState, ObjectStore } from "./store.ts";

export interface KubeApiOptions {
  readonly clock: Clock;
  /** From 0 to 1, for names and times that clients must not guess. */
  readonly random: () => number;
  readonly newUid: () => string;
  /** Keeps objects over restarts. Default: they are in memory alone. */
  readonly state?: ObjectState;
  /** Gives each namespace its default ServiceAccount; default true. */
  readonly accounts?: boolean;
  /** Told of faults of the server's own controllers. Default: nobody is. */
  readonly onError?: (error: unknown) => void;
}

/**
 * A Kubernetes API server in this process. It has no sockets: `handle` answers requests that came by
 * HTTP (kube-server.ts), and `transport` gives clients in this process the same answers.
 */
export interface KubeApi {
  readonly handle: (request: ApiRequest) => Promise<ApiAnswer>;
  readonly transport: Transport;
  readonly store: ObjectStore;
  readonly catalog: ResourceCatalog;
  /** Tells discovery where it is served. */
  readonly servedAt: (address: string) => void;
  /** Ends all watches. */
  readonly close: () => void;
}

/** Makes an API server with what a fresh cluster holds, or with what its state kept. */
export function createKubeApi(options: KubeApiOptions): KubeApi {
  const { clock, random, newUid, state, onError = () => {} } = options;
  const store = new MemoryObjectStore({ clock, ...(state && { state }) });
  const catalog = createLiveCatalog(store);
  const rules = createKindRules({ store, catalog, clock, random });
  const registry = new Registry({ store, clock, random, newUid, rules });
  const parts = { store, registry, catalog, clock, random, onError };
  const stops = [
    startGarbageCollector(parts),
    startNamespaceLifecycle(parts),
    startDefinitionLifecycle(parts),
  ];
  if (options.accounts ?? true) stops.push(startDefaultAccounts(parts));
  seedCluster(parts);
  const closing = new AbortController();
  let address = "127.0.0.1";
  const router = new ApiRouter({
    store,
    registry,
    catalog,
    clock,
    random,
    address: () => address,
    other: serverPaths({ clock }),
    scale: createScaleCodec(),
    closing: closing.signal,
  });
  return {
    handle: router.handle,
    transport: createKubeTransport(router.handle),
    store,
    catalog,
    servedAt: (given) => {
      address = given;
    },
    close: () => {
      for (const stop of stops) stop();
      closing.abort();
    },
  };
}
