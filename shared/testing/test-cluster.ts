import type { Logger } from "../api/log.ts";
import type { KubernetesObject } from "../api/object.ts";
import { kubeconfigAccess } from "../kube/kubeconfig-access.ts";
import { createTransport } from "../kube/transport.ts";
import type { KubeRequest, Transport } from "../kube/wire.ts";
import { observedTransport } from "./observed-transport.ts";
import { targetOf } from "./request-target.ts";
import { realClock, type TestClock } from "./test-clock.ts";

/** The cluster that tests run against. */
export interface TestCluster {
  readonly transport: Transport;
  /** Ends everything; no timer is left. */
  readonly stop: () => Promise<void>;
}

/** A cluster that is there already: the one that a kubeconfig names. */
export async function connectCluster(file: string, log: Logger): Promise<TestCluster> {
  const access = await kubeconfigAccess({ file });
  const transport = createTransport(access, { clock: realClock, log });
  return { transport, stop: async () => transport.close() };
}

/** Notes what is created over a transport, so that a cluster that outlives the test can be left as it was. */
export class CreatedObjects {
  readonly #paths = new Set<string>();

  /** The same transport, of whose creates this learns. */
  over(transport: Transport): Transport {
    return observedTransport(transport, async (request) => {
      const answer = await transport.request(request);
      if (answer.status === 201) this.#note(request, answer.body);
      return answer;
    });
  }

  /**
   * Deletes all of it and waits until it is gone, for half a minute at most. Definitions of custom
   * resources stay: the next test needs them.
   */
  async remove(transport: Transport, clock: TestClock): Promise<void> {
    for (const path of this.#paths) {
      await transport.request({ method: "DELETE", path, body: DELETE_OPTIONS });
    }
    for (let tries = 0; this.#paths.size > 0 && tries < 300; tries += 1) {
      for (const path of this.#paths) {
        const { status } = await transport.request({ method: "GET", path });
        if (status === 404) this.#paths.delete(path);
      }
      if (this.#paths.size > 0) await clock.advance(100);
    }
  }

  #note(request: KubeRequest, body: unknown): void {
    const target = targetOf(request);
    if (!target || target.subresource !== undefined || request.query?.dryRun !== undefined) return;
    if (target.plural === "customresourcedefinitions" || target.plural === "events") return;
    const { name } = (body as KubernetesObject).metadata;
    this.#paths.add(target.verb === "create" ? `${request.path}/${name}` : request.path);
  }
}

const DELETE_OPTIONS = {
  apiVersion: "v1",
  kind: "DeleteOptions",
  propagationPolicy: "Background",
} as const;
