import type { Logger } from "../../shared/api/log.ts";
import type { Clock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import type { ClusterPlace } from "../../shared/platform/custom-resources.ts";
import type { Host } from "./custom-resource.ts";
import { failureCode } from "./failure-code.ts";
import { patientTransport } from "./patient-transport.ts";

/** A connection to the cluster, for one request. */
export interface ClusterWork {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Whoever writes what a platform consists of. Not that of `tidegate install`, which would take each other's fields. */
export const FIELD_MANAGER = "tidegate-deploy";

/** Runs the work on the cluster, and closes the connection, however that ends. */
export async function onCluster<T>(
  place: ClusterPlace,
  { clock, log, transportTo }: Host,
  signal: AbortSignal,
  act: (work: ClusterWork) => Promise<T>,
): Promise<T> {
  const transport = patientTransport(transportTo(place), { clock, log });
  try {
    return await act({ client: createKubeClient(transport), transport, clock, log, signal });
  } finally {
    transport.close();
  }
}

/**
 * Whether there is no cluster any more: its name cannot be resolved, and could not for a while
 * (`patientTransport`). One that cannot be reached may still be there.
 */
export function clusterGone(error: unknown): boolean {
  return failureCode(error) === "ENOTFOUND";
}
