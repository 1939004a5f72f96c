import type { Clock } from "../../shared/clock.ts";
import type { KubeRequest, KubeResponse, KubeStream, Transport } from "../../shared/kube/wire.ts";

/** What happens to one list: an answer, a failure, or nothing until it is aborted. */
export type ListAnswer = KubeResponse | Error | "hang";
/** What happens to one watch: it opens, is refused, fails, or hangs before its head. */
export type WatchAnswer = "open" | ListAnswer;

export interface ScriptedCall {
  readonly form: "list" | "watch";
  readonly atMs: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string;
}

/** An API server that does what a test tells it to, call by call. */
export class ScriptedTransport implements Transport {
  readonly calls: ScriptedCall[] = [];
  /** All watches that were opened. */
  readonly watches: ScriptedWatch[] = [];
  /** The most watches that were open at one time. */
  mostOpen = 0;
  /** What comes next, in order; the last one stays. */
  lists: ListAnswer[] = [];
  /** What comes next, in order; afterwards watches open. */
  watchAnswers: WatchAnswer[] = [];
  /** Aborts come too late: a call that hangs is answered then, and a watch stays open until it is closed. */
  ignoresAbort = false;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get open(): readonly ScriptedWatch[] {
    return this.watches.filter(({ closed }) => !closed);
  }

  /** The newest watch. */
  get watch(): ScriptedWatch {
    const watch = this.watches.at(-1);
    if (!watch) throw new Error("expected a watch, got none");
    return watch;
  }

  callsOf(form: "list" | "watch"): readonly ScriptedCall[] {
    return this.calls.filter((call) => call.form === form);
  }

  /** Milliseconds between the calls of a form, or of all. */
  gaps(form?: "list" | "watch"): readonly number[] {
    const times = this.calls.filter((call) => !form || call.form === form).map(({ atMs }) => atMs);
    return times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  }

  request = async (request: KubeRequest): Promise<KubeResponse> => {
    this.#record("list", request);
    const answer = (this.lists.length > 1 ? this.lists.shift() : this.lists[0]) ?? listOf("1");
    return this.#settle(answer, request);
  };

  stream = async (request: KubeRequest): Promise<KubeStream> => {
    this.#record("watch", request);
    let answer = this.watchAnswers.shift() ?? "open";
    if (answer === "hang" && this.ignoresAbort) {
      await aborted(request.signal);
      answer = "open";
    }
    if (answer !== "open") {
      const { body, ...head } = await this.#settle(answer, request);
      const watch = new ScriptedWatch();
      watch.line(JSON.stringify(body));
      watch.end();
      return { ...head, lines: watch.lines, close: watch.close };
    }
    const watch = new ScriptedWatch();
    this.watches.push(watch);
    if (!this.ignoresAbort) request.signal?.addEventListener("abort", watch.close, { once: true });
    this.mostOpen = Math.max(this.mostOpen, this.open.length);
    return watch;
  };

  close = (): void => {};

  async #settle(answer: ListAnswer, { signal }: KubeRequest): Promise<KubeResponse> {
    if (answer === "hang") {
      await aborted(signal);
      if (this.ignoresAbort) return listOf("1", [configMap("late", 1)]);
      throw signal?.reason;
    }
    if (answer instanceof Error) throw answer;
    return answer;
  }

  #record(form: "list" | "watch", { path, query = {}, accept = "" }: KubeRequest): void {
    this.calls.push({ form, atMs: this.#clock.monotonicMs(), path, query, accept });
  }
}

async function aborted(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
}

/** One open watch, whose lines the test sends. */
export class ScriptedWatch implements KubeStream {
  readonly status = 200;
  readonly headers = {};
  readonly lines: AsyncIterable<string>;
  closed = false;
  readonly #waiting: string[] = [];
  #error: Error | undefined;
  #wake: () => void = () => {};

  constructor() {
    this.lines = this.#read();
  }

  send(type: string, object: object): void {
    this.line(JSON.stringify({ type, object }));
  }

  line(text: string): void {
    this.#waiting.push(text);
    this.#wake();
  }

  bookmark(version: number): void {
    this.send("BOOKMARK", { metadata: { resourceVersion: String(version) } });
  }

  /** The clean end of the answer. */
  end(): void {
    this.close();
  }

  /** The connection breaks off. */
  cut(error: Error = new Error("read ECONNRESET")): void {
    this.#error = error;
    this.close();
  }

  close = (): void => {
    this.closed = true;
    this.#wake();
  };

  async *#read(): AsyncGenerator<string> {
    while (true) {
      const line = this.#waiting.shift();
      if (line !== undefined) yield line;
      else if (this.#error) throw this.#error;
      else if (this.closed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** A list of ConfigMaps as a server answers it: items without kind. */
export function listOf(
  version: string,
  items: readonly object[] = [],
  token?: string,
): KubeResponse {
  const metadata = { resourceVersion: version, ...(token ? { continue: token } : {}) };
  return { status: 200, headers: {}, body: { kind: "ConfigMapList", metadata, items } };
}

/** An answer that is no success. */
export function refusal(
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): KubeResponse {
  const message = `${reason} by the script`;
  return { status, headers, body: { kind: "Status", code: status, reason, message } };
}

export function configMap(name: string, version: number, more: object = {}, uid = `uid-${name}`) {
  const resourceVersion = String(version);
  return { metadata: { namespace: "a", name, uid, resourceVersion, ...more } };
}
