import { type Ended, FunctionProcess, type FunctionProcessOptions } from "./function-process.ts";

/**
 * The environments of one function: started on demand, reused, never more than `limit` at a time.
 * After `renew` none of the present ones takes another invocation.
 */
export class FunctionPool {
  #options: FunctionProcessOptions;
  readonly #limit: number;
  readonly #idle = new Set<FunctionProcess>();
  readonly #busy = new Set<FunctionProcess>();
  #starting = 0;
  #generation = 0;
  #closed = false;

  constructor(options: FunctionProcessOptions, limit: number) {
    this.#options = options;
    this.#limit = limit;
  }

  /** Whether another invocation could begin now. */
  get free(): boolean {
    return !this.#closed && this.#busy.size + this.#starting < this.#limit;
  }

  /** All environments, for tests that freeze or kill them. */
  get processes(): readonly FunctionProcess[] {
    return [...this.#idle, ...this.#busy];
  }

  /** Runs one invocation. The caller has asked `free` before. Never rejects. */
  async invoke(event: unknown): Promise<Ended> {
    const generation = this.#generation;
    this.#starting += 1;
    let environment: FunctionProcess;
    try {
      environment = this.#takeIdle() ?? (await FunctionProcess.start(this.#options));
    } catch (error) {
      return { type: "failed", reason: "init", message: String(error) };
    } finally {
      this.#starting -= 1;
    }
    if (this.#closed) environment.kill();
    this.#busy.add(environment);
    const ended = await environment.invoke(event);
    this.#busy.delete(environment);
    if (generation === this.#generation && environment.alive) this.#idle.add(environment);
    else environment.kill();
    return ended;
  }

  /** Goes on with new code: idle environments go now, busy ones when they have finished. */
  renew(options: FunctionProcessOptions): void {
    this.#options = options;
    this.#generation += 1;
    for (const environment of this.#idle) environment.kill();
    this.#idle.clear();
  }

  /** Kills all environments; a message of theirs comes back after its visibility timeout. */
  close(): void {
    this.#closed = true;
    for (const environment of this.processes) environment.kill();
    this.#idle.clear();
  }

  #takeIdle(): FunctionProcess | undefined {
    for (const environment of this.#idle) {
      this.#idle.delete(environment);
      if (environment.alive) return environment;
    }
    return undefined;
  }
}
