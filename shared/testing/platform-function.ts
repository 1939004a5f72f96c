import { setMaxListeners } from "node:events";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { FunctionPool } from "../../local/function-pool.ts";
import type { Ended } from "../../local/function-process.ts";
import { runFunction } from "../../local/function-runner.ts";
import { mappingOf } from "../api/mapping.ts";
import { OVER } from "../clock.ts";
import type { SqsEvent } from "../worker/sqs-event.ts";
import { createWorker, type WorkerOptions } from "../worker/worker.ts";
import { PlatformProcess } from "./platform-process.ts";

export interface PlatformFunctionOptions extends Omit<WorkerOptions, "exit"> {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  /** What an invocation has of its own, such as the clock of its machine. */
  readonly host?: (environment: PlatformProcess) => Partial<Host>;
  /** What lies between the mapping and the function: it may wait, or invoke twice. */
  readonly deliver?: (
    event: SqsEvent,
    invoke: (event: SqsEvent) => Promise<Ended>,
  ) => Promise<Ended>;
}

type Host = Pick<WorkerOptions, "store" | "queue" | "kube" | "clock" | "reconciler">;

/**
 * The function of a controller in memory: the mapping of local mode, which has the rules of Lambda's,
 * and a worker that is made anew for each invocation.
 */
export class PlatformFunction {
  #options: PlatformFunctionOptions;
  readonly #environments = new Map<PlatformProcess, (ended: Ended) => void>();
  readonly #stopped = new AbortController();

  constructor(options: PlatformFunctionOptions) {
    this.#options = options;
    const { controller, sqs, queueUrl, clock, log, deliver } = options;
    setMaxListeners(0, this.#stopped.signal);
    const invoke = (event: SqsEvent) => this.#invoke(event);
    const delivered = (event: SqsEvent) => (deliver ? deliver(event, invoke) : invoke(event));
    const pool = { free: true, invoke: delivered };
    void runFunction(
      {
        name: controller.name,
        queueUrl,
        mapping: () => mappingOf(controller),
        ensureQueue: async () => {},
        pool: pool as unknown as FunctionPool,
        sqs,
        clock,
        log,
      },
      this.#stopped.signal,
    );
  }

  /** Invocations that have not ended. */
  get running(): number {
    return this.#environments.size;
  }

  /** Kills every invocation where it stands, as a machine that dies does. */
  kill(): void {
    for (const process of this.#environments.keys()) this.#end(process, "exit");
  }

  /** The environments that are running, for tests that freeze them. */
  get environments(): readonly PlatformProcess[] {
    return [...this.#environments.keys()];
  }

  /** The code of invocations from now on; those that run go on with theirs. */
  deploy(code: Pick<PlatformFunctionOptions, "reconciler" | "revision">): void {
    this.#options = { ...this.#options, ...code };
  }

  stop(): void {
    this.#stopped.abort();
    this.kill();
  }

  #invoke(event: SqsEvent): Promise<Ended> {
    const { clock, controller } = this.#options;
    const environment = new PlatformProcess();
    const endMs = clock.nowMs() + controller.timeoutSeconds * 1_000;
    const over = new AbortController();
    return new Promise<Ended>((resolve) => {
      this.#environments.set(environment, resolve);
      const invocation = { getRemainingTimeInMillis: () => endMs - clock.nowMs() };
      void clock
        .sleep(controller.timeoutSeconds * 1_000, over.signal)
        .then(() => this.#end(environment, "timeout"));
      this.#worker(environment)(event, invocation).then(
        (answer) => this.#answer(environment, { type: "response", body: JSON.stringify(answer) }),
        (error: unknown) =>
          this.#answer(environment, { type: "failed", reason: "error", message: String(error) }),
      );
    }).finally(() => over.abort(OVER));
  }

  #worker(environment: PlatformProcess) {
    const { host, ...rest } = this.#options;
    const own = { ...rest, ...host?.(environment) };
    const { store, queue, kube, clock } = own;
    return createWorker({
      ...own,
      store: environment.reaching(store),
      queue: environment.reaching(queue),
      kube: environment.reaching(kube),
      clock: environment.reaching(clock),
      exit: () => this.#end(environment, "exit"),
    });
  }

  #end(environment: PlatformProcess, reason: "timeout" | "exit"): void {
    if (!this.#environments.has(environment)) return;
    environment.kill();
    this.#answer(environment, { type: "failed", reason, message: `ended by ${reason}` });
  }

  #answer(environment: PlatformProcess, ended: Ended): void {
    this.#environments.get(environment)?.(ended);
    this.#environments.delete(environment);
  }
}
