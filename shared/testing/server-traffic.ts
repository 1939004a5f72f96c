import type { KubeStream, Transport } from "../kube/wire.ts";
import { writes } from "./request-target.ts";

/** What is under way to a server: requests without an answer, and writes that watches may not have told yet. */
export class ServerTraffic {
  #open = 0;
  #written = false;
  #answered = Promise.withResolvers<void>();

  /** The same transport, of whose requests this knows. A stream counts until it has begun. */
  over(transport: Transport): Transport {
    return {
      request: async (request) => {
        const answer = await this.#counted(transport.request(request));
        if (writes(request)) this.#written = true;
        return answer;
      },
      stream: (request) => this.#counted<KubeStream>(transport.stream(request)),
      close: () => transport.close(),
    };
  }

  /** Resolves once every request is answered; to whether one wrote since the last call. */
  async answered(): Promise<boolean> {
    while (this.#open > 0) await this.#answered.promise;
    const written = this.#written;
    this.#written = false;
    return written;
  }

  /** Whether all requests are answered. */
  get quiet(): boolean {
    return this.#open === 0;
  }

  async #counted<T>(answer: Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      return await answer;
    } finally {
      this.#open -= 1;
      this.#answered.resolve();
      this.#answered = Promise.withResolvers();
    }
  }
}
