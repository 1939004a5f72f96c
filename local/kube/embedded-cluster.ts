import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "../../shared/api/log.ts";
import type { Clock } from "../../shared/clock.ts";
import { createKubeApi, type KubeApi } from "./kube-api.ts";
import { keptKubeCredentials, newKubeCredentials, writeKubeconfig } from "./kube-credentials.ts";
import { startKubeServer } from "./kube-server.ts";
import { ObjectJournal } from "./object-journal.ts";
import { runWorkloads } from "./workloads.ts";

export interface EmbeddedClusterOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** Where objects and credentials are kept; in memory alone by default. */
  readonly dir?: string;
  /** Where a kubeconfig is written. Default: none is. */
  readonly kubeconfigFile?: string;
  /** A free one by default. */
  readonly port?: number;
}

export interface EmbeddedCluster {
  /** "https://127.0.0.1:PORT" */
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly api: KubeApi;
  readonly close: () => Promise<void>;
}

/**
 * Starts a Kubernetes API server of ours on loopback, with controllers that bring workloads to life.
 * Rejects with one line when the port is in use or what is kept in `dir` cannot be read.
 */
export async function startEmbeddedCluster(
  options: EmbeddedClusterOptions,
): Promise<EmbeddedCluster> {
  const { clock, random, log, dir, kubeconfigFile, port } = options;
  const { ca, tls, token } =
    dir === undefined ? newKubeCredentials() : await keptKubeCredentials(dir);
  const state =
    dir === undefined ? undefined : new ObjectJournal({ dir: join(dir, "objects"), log });
  const onError = (error: unknown) => log.error("the embedded API server met a fault", { error });
  const api = createKubeApi({
    clock,
    random,
    newUid: randomUUID,
    onError,
    ...(state && { state }),
  });
  const serving = { handle: api.handle, token, tls, ...(port !== undefined && { port }) };
  const server = await startKubeServer(serving).catch((error: unknown) => {
    api.close();
    state?.close();
    throw error;
  });
  api.servedAt(new URL(server.url).host);
  if (kubeconfigFile !== undefined)
    await writeKubeconfig(kubeconfigFile, { url: server.url, ca, token });
  const stopping = new AbortController();
  const working = runWorkloads({ transport: api.transport, clock, random, log }, stopping.signal);
  return {
    url: server.url,
    ca,
    token,
    api,
    close: async () => {
      stopping.abort();
      api.close();
      await server.close();
      await working;
      state?.close();
    },
  };
}
