import type { KubeStream } from "../../shared/kube/wire.ts";
import type { PlatformProcess } from "../../shared/testing/platform-process.ts";

/** A watch as one process has it open. It can break off, or hang without a sign. */
export class WatchConnection implements KubeStream {
  readonly status: number;
  readonly headers: KubeStream["headers"];
  readonly process: PlatformProcess;
  readonly lines: AsyncIterable<string>;
  /** Resolves once the client has closed it, or it broke off. */
  readonly closed: Promise<void>;
  readonly #stream: KubeStream;
  readonly #reset: () => Error;
  #over = () => {};
  #broken = false;
  #silent = false;

  constructor(stream: KubeStream, process: PlatformProcess, reset: () => Error) {
    this.status = stream.status;
    this.headers = stream.headers;
    this.process = process;
    this.#stream = stream;
    this.#reset = reset;
    this.closed = new Promise((resolve) => {
      this.#over = resolve;
    });
    // A process that is frozen or killed reads nothing.
    const lines = this.#read();
    const reached = process.reaching({ next: () => lines.next() });
    const iterator = { next: () => reached.next(), return: () => lines.return(undefined) };
    this.lines = { [Symbol.asyncIterator]: () => iterator };
  }

  cut(): void {
    this.#broken = true;
    this.close();
  }

  silence(): void {
    this.#silent = true;
  }

  close = (): void => {
    this.#stream.close();
    this.#over();
  };

  async *#read(): AsyncGenerator<string> {
    for await (const line of this.#stream.lines) {
      if (this.#silent) break;
      if (this.#broken) throw this.#reset();
      yield line;
    }
    if (this.#silent) await this.closed;
    this.#over();
    if (this.#broken) throw this.#reset();
  }
}
