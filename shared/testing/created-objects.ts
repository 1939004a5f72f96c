import type { KubernetesObject } from "../api/object.ts";
import type { KubeRequest, Transport } from "../kube/wire.ts";
import { observedTransport } from "./observed-transport.ts";
import { targetOf } from "./request-target.ts";
import type { TestClock } from "./test-clock.ts";

/** Notes what is created over a transport, so that a cluster that outlives the test can be left as it was. */
export class CreatedObjects {
  readonly #paths = new Set<string>();
  readonly #told: (path: string) => void;

  /** @param told Told of each path before anybody else learns of it. */
  constructor(told: (path: string) => void = () => {}) {
    this.#told = told;
  }

  /** What was created before. */
  add(path: string): void {
    this.#paths.add(path);
  }

  /** Of all that was created and not removed by this. */
  get paths(): Iterable<string> {
    return this.#paths;
  }

  /** The same transport, of whose creates this learns. */
  over(transport: Transport): Transport {
    return observedTransport(transport, async (request) => {
      const answer = await transport.request(request);
      if (answer.status === 201) this.#note(request, answer.body);
      return answer;
    });
  }

  /**
   * Deletes all of it and waits until it is gone. Controllers may see to their finalizers first; then
   * finalizers are removed. Rejects where something is there still after half a minute. Definitions
   * of custom resources stay.
   */
  async remove(transport: Transport, clock: TestClock): Promise<void> {
    const asked = new Set<string>();
    for (let tries = 0; this.#paths.size > 0; tries += 1) {
      if (tries === TRIES) throw this.#left();
      for (const path of this.#paths) {
        if (!asked.has(path)) await transport.request({ method: "DELETE", path, body: DELETE });
        asked.add(path);
        const { status, body } = await transport.request({ method: "GET", path });
        if (status === 404) {
          this.#paths.delete(path);
          asked.delete(path); // A controller may make it again.
        } else if (tries >= PATIENT_TRIES && held(body)) {
          await transport.request({ method: "PATCH", path, contentType: MERGE, body: RELEASE });
        }
      }
      if (this.#paths.size > 0) await clock.advance(PAUSE_MS);
    }
  }

  #note(request: KubeRequest, body: unknown): void {
    const target = targetOf(request);
    if (!target || target.subresource !== undefined || request.query?.dryRun !== undefined) return;
    if (target.plural === "customresourcedefinitions") return;
    const { name } = (body as KubernetesObject).metadata;
    const path = target.verb === "create" ? `${request.path}/${name}` : request.path;
    if (!this.#paths.has(path)) this.#told(path);
    this.#paths.add(path);
  }

  #left(): Error {
    const [first] = this.#paths;
    const more = this.#paths.size > 1 ? ` and ${this.#paths.size - 1} more` : "";
    return new Error(
      `cannot leave the cluster as it was: expected all that the test created to be gone within 30 s, got ${first}${more} still there; delete it by hand`,
    );
  }
}

const PAUSE_MS = 100;
const TRIES = 300;
const PATIENT_TRIES = 30;

const MERGE = "application/merge-patch+json";
const RELEASE = { metadata: { finalizers: null } };
const DELETE = {
  apiVersion: "v1",
  kind: "DeleteOptions",
  propagationPolicy: "Background",
} as const;

function held(body: unknown): boolean {
  return ((body as Partial<KubernetesObject>).metadata?.finalizers ?? []).length > 0;
}
