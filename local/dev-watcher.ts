import { join } from "node:path";
import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import { keepRunning } from "./child-program.ts";
import type { Definitions } from "./dev-functions.ts";

export interface DevWatcherOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly print: (source: string, line: string) => void;
  /** Gives back the lease of one that was killed. */
  readonly releaseLease: () => Promise<void>;
}

/** The watcher program on this machine: the same that runs in a cluster. */
export class DevWatcher {
  readonly #options: DevWatcherOptions;
  #definitions: Definitions | undefined;
  #ended = false;
  /** Starts and stops come one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: DevWatcherOptions) {
    this.#options = options;
  }

  /** Runs it with these definitions; one that already does goes on. */
  update(definitions: Definitions): Promise<void> {
    return this.#inTurn(async () => {
      if (definitions.hash !== this.#definitions?.hash) await this.#start(definitions);
    });
  }

  /** Runs it anew with the definitions that it has: it then looks at every object. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#definitions) await this.#start(this.#definitions);
    });
  }

  /** Asks it to stop, which releases the lease, and waits for it. It is not started again. */
  async stop(): Promise<void> {
    this.#ended = true;
    await this.#halt();
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(step);
    this.#turn = done.catch(() => {}); // Told to who asked for it.
    return done;
  }

  async #start(definitions: Definitions): Promise<void> {
    await this.#halt();
    if (this.#ended) return;
    const { clock, env, log, print } = this.#options;
    this.#definitions = definitions;
    this.#stopping = new AbortController();
    this.#running = keepRunning(
      {
        file: join(import.meta.dirname, `../watcher/main${import.meta.filename.slice(-3)}`),
        args: definitions.controllerFiles,
        env: { ...env, TIDEGATE_QUEUE_URLS: JSON.stringify(definitions.queueUrls) },
        print: (line) => print("watcher", line),
        prepare: () =>
          this.#options.releaseLease().catch((error: unknown) => {
            // Safe: it leads once the lease has expired.
            log.warn("cannot release the lease of an earlier watcher", { error });
          }),
        onExit: (how) => log.error("the watcher ended and is started again", { how }),
        clock,
      },
      this.#stopping.signal,
    );
  }

  async #halt(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}
