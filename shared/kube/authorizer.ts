import type { KubeAccess } from "./wire.ts";

/** The Authorization header of all requests, renewed once however many of them are refused together. */
export class Authorizer {
  readonly #authorization: KubeAccess["authorization"];
  #renewing: Promise<string | undefined> | undefined;
  #renewals = 0;

  constructor(authorization: KubeAccess["authorization"]) {
    this.#authorization = authorization;
  }

  /** Whether a refused request can be tried with something else. */
  get renewable(): boolean {
    return this.#authorization !== undefined;
  }

  async value(): Promise<string | undefined> {
    return this.#authorization?.({ renew: false });
  }

  /** What to send after the server refused `refused`: what came meanwhile, else a new one. */
  async renewed(refused: string | undefined): Promise<string | undefined> {
    if (!this.#renewing) {
      const renewals = this.#renewals;
      const value = await this.value();
      if (value !== refused) return value;
      // One began and ended meanwhile.
      if (renewals !== this.#renewals && !this.#renewing) return this.value();
    }
    this.#renewing ??= this.#renew();
    return this.#renewing;
  }

  async #renew(): Promise<string | undefined> {
    try {
      return await this.#authorization?.({ renew: true });
    } finally {
      this.#renewals += 1;
      this.#renewing = undefined;
    }
  }
}
