/**
 * A queue of work that is done after the present write, as the controllers of a real cluster do it:
 * in the order in which it came, and never inside a request. Work that throws is told and passed over.
 */
export class Later {
  readonly #work: (() => void)[] = [];
  readonly #onError: (error: unknown) => void;
  #running = false;
  #closed = false;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  do(work: () => void): void {
    this.#work.push(work);
    if (this.#running) return;
    this.#running = true;
    queueMicrotask(() => this.#run());
  }

  /** Nothing is done any more. */
  close(): void {
    this.#closed = true;
  }

  #run(): void {
    for (let next = this.#work.shift(); next && !this.#closed; next = this.#work.shift()) {
      try {
        next();
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#running = false;
  }
}
