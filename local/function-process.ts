import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { type Clock, OVER } from "../shared/clock.ts";
import { eachLine } from "./each-line.ts";
import { type Fault, type RuntimeApi, type Said, startRuntimeApi } from "./runtime-api.ts";

export interface FunctionSpec {
  readonly name: string;
  readonly handlerFile: string;
  readonly timeoutSeconds: number;
  /** The whole environment of the process, beside what Lambda itself sets. */
  readonly env: Readonly<Record<string, string>>;
}

export interface FunctionProcessOptions {
  readonly spec: FunctionSpec;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Lines that the function prints. */
  readonly print: (line: string) => void;
}

/** How an invocation ended. */
export type Ended =
  | { readonly type: "response"; readonly body: string }
  | {
      readonly type: "failed";
      readonly reason: "error" | "init" | "timeout" | "exit";
      readonly message: string;
      /** The place in the user's code, `FILE:LINE`. */
      readonly at?: string;
    };

/** As large as a function of 512 MB may grow. */
const HEAP_MEGABYTES = 512;

/** A start may take as long as Lambda lets it. https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html */
const INIT_TIMEOUT_MS = 10_000;

/**
 * One environment of a function: a child process with its own Runtime API that runs one invocation
 * at a time, and is killed with its process group at the deadline.
 */
export class FunctionProcess {
  readonly #options: FunctionProcessOptions;
  #child: ChildProcess | undefined;
  #api: RuntimeApi | undefined;
  #ready = Promise.withResolvers<undefined>();
  #answer = Promise.withResolvers<Ended>();
  /** The invocation that it has; it may speak of no other. */
  #id = "";
  readonly #end = Promise.withResolvers<Ended>();
  #dead = false;

  private constructor(options: FunctionProcessOptions) {
    this.#options = options;
  }

  /** Starts the process; it loads its handler while the first invocation already waits. */
  static async start(options: FunctionProcessOptions): Promise<FunctionProcess> {
    const started = new FunctionProcess(options);
    started.#api = await startRuntimeApi(options.spec.name, (said) => started.#heard(said));
    started.#spawn(started.#api.address);
    return started;
  }

  /** Whether it can take another invocation. */
  get alive(): boolean {
    return !this.#dead;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Runs one invocation, one at a time. Its time counts from when the process is ready. Never rejects. */
  async invoke(event: unknown): Promise<Ended> {
    const { clock, spec, newId } = this.#options;
    const unready = await this.#within(INIT_TIMEOUT_MS, this.#ready.promise, "init");
    if (unready) return unready;
    this.#ready = Promise.withResolvers();
    const limitMs = spec.timeoutSeconds * 1_000;
    this.#id = newId();
    this.#api?.give({ id: this.#id, event, deadlineMs: clock.nowMs() + limitMs });
    const ended = await this.#within(limitMs, this.#answer.promise, "timeout");
    this.#answer = Promise.withResolvers();
    return ended;
  }

  /** Stops the process in its tracks, as Lambda does between invocations. */
  freeze(): void {
    this.#signal("SIGSTOP");
  }

  /** Lets a frozen process go on. */
  thaw(): void {
    this.#signal("SIGCONT");
  }

  /** Ends the process and everything it started. */
  kill(): void {
    this.#dead = true;
    this.#signal("SIGKILL");
    this.#api?.close();
  }

  #spawn(address: string): void {
    const { spec, print } = this.#options;
    const bootstrap = join(
      import.meta.dirname,
      `function-bootstrap${import.meta.filename.slice(-3)}`,
    );
    const args = [
      ...process.execArgv,
      `--max-old-space-size=${HEAP_MEGABYTES}`,
      bootstrap,
      spec.handlerFile,
    ];
    const child = spawn(process.execPath, args, {
      detached: true, // Its own process group, so that what it starts ends with it.
      env: {
        ...spec.env,
        AWS_LAMBDA_RUNTIME_API: address,
        AWS_LAMBDA_FUNCTION_NAME: spec.name,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(HEAP_MEGABYTES),
      },
      // The channel tells the child at once when the runner is gone, even by kill -9.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [child.stdout, child.stderr]) if (stream) eachLine(stream, print);
    child.once("error", ({ message }) => this.#exited(message));
    child.once("exit", (code, signal) =>
      this.#exited(signal ? `ended by ${signal}` : `exited with ${code}`),
    );
    this.#child = child;
  }

  /** What comes first: the promise, the end of the process, or the limit, which kills it. */
  async #within<T>(
    limitMs: number,
    promise: Promise<T>,
    reason: "init" | "timeout",
  ): Promise<T | Ended> {
    const over = new AbortController();
    const limit = this.#options.clock.sleep(limitMs, over.signal).then((): Ended => {
      if (over.signal.aborted) return { type: "failed", reason, message: "" };
      this.kill();
      return { type: "failed", reason, message: `took longer than ${limitMs / 1_000} s` };
    });
    const first = await Promise.race([this.#end.promise, promise, limit]);
    over.abort(OVER);
    return first;
  }

  #heard(said: Said): void {
    if (said.type === "next") this.#ready.resolve(undefined);
    else if (said.type === "init-error") this.#ended({ ...failedBy(said), reason: "init" });
    else if (said.id !== this.#id) return;
    else if (said.type === "response") this.#answer.resolve({ type: "response", body: said.body });
    else this.#answer.resolve({ ...failedBy(said), reason: "error" });
  }

  #ended(ended: Ended): void {
    this.#dead = true;
    this.#end.resolve(ended);
    this.#api?.close();
  }

  #exited(message: string): void {
    this.#signalGroup("SIGKILL"); // What it started does not outlive it.
    this.#ended({ type: "failed", reason: "exit", message });
  }

  #signal(signal: NodeJS.Signals): void {
    // Once it has ended, its number may be another's.
    if ((this.#child?.exitCode ?? this.#child?.signalCode) == null) this.#signalGroup(signal);
  }

  #signalGroup(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal); // The negative id names the whole group.
    } catch {
      // The group ended by itself a moment ago.
    }
  }
}

function failedBy({ message, at }: Fault) {
  return { type: "failed", message, ...(at !== undefined && { at }) } as const;
}
