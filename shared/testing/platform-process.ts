/** What answers at once, and so cannot wait for a thaw. */
const AT_ONCE = new Set(["nowMs", "monotonicMs", "list"]);

/**
 * A process as far as the others can tell: its calls to clock, cluster, table and queue. Frozen, or
 * killed, it makes no further one, and learns of no answer; what was on its way happens all the same.
 */
export class PlatformProcess {
  #awake: Promise<void> = Promise.resolve();
  #thaw = () => {};
  #killed = false;
  #stalled = false;

  get killed(): boolean {
    return this.#killed;
  }

  /** As SIGSTOP does. */
  freeze(): void {
    this.#awake = new Promise((resolve) => {
      this.#thaw = resolve;
    });
  }

  /** As a whole machine that stands still: a kill that comes meanwhile is not felt until the next one. */
  stall(): void {
    this.freeze();
    this.#stalled = true;
  }

  /** As SIGCONT does, or as a machine that goes on. */
  thaw(): void {
    if (!this.#killed || this.#stalled) this.#thaw();
    this.#stalled = false;
  }

  /** As SIGKILL does. */
  kill(): void {
    if (!this.#stalled) this.freeze();
    this.#killed = true;
  }

  /** The object as this process reaches it. All its methods must resolve to something, but for those in AT_ONCE. */
  reaching<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        const call = value.bind(target) as (...args: unknown[]) => unknown;
        return AT_ONCE.has(String(name)) ? call : (...args: unknown[]) => this.#through(call, args);
      },
    });
  }

  async #through(call: (...args: unknown[]) => unknown, args: unknown[]): Promise<unknown> {
    await this.#awake;
    try {
      return await call(...args);
    } finally {
      await this.#awake;
    }
  }
}
