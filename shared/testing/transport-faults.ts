import type { Key, Kind } from "../api/object.ts";
import type { Clock } from "../clock.ts";
import type { KubeRequest, KubeResponse, KubeStream, Transport } from "../kube/wire.ts";
import { type RequestTarget, targetOf, type Verb } from "./request-target.ts";

/** Which calls a fault is for; a part that is absent fits all. */
export interface FaultScope {
  readonly verb?: Verb;
  readonly kind?: Kind;
  readonly key?: Key;
}

interface Fault extends FaultScope {
  readonly verbs?: readonly Verb[];
  readonly answer: number | Error;
}

const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Expired",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** Makes calls to an API server fail, take time, or lose their connection. */
export class TransportFaults {
  readonly #clock: Clock;
  readonly #faults: Fault[] = [];
  readonly #streams = new Set<AbortController>();
  #latencyMs = 0;
  #wanted = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The next call within the scope answers this status, or rejects with this error; it changes nothing. */
  failNext(scope: FaultScope, answer: number | Error): void {
    this.#faults.push({ ...scope, answer });
  }

  /** The next write to the object answers 409, as if somebody had changed it a moment before. */
  conflict(kind: Kind, key: Key): void {
    this.#faults.push({ kind, key, verbs: ["update", "patch", "apply"], answer: 409 });
  }

  /** Every call takes so long from now on. */
  latency(ms: number): void {
    this.#latencyMs = ms;
  }

  /** Whether calls take time. */
  get slow(): boolean {
    return this.#latencyMs > 0;
  }

  /** Breaks the connections of all watches. */
  cutWatches(): void {
    this.#wanted = this.#streams.size;
    for (const stream of this.#streams) stream.abort();
  }

  /** Whether watches that were cut are not open again yet. */
  get cut(): boolean {
    if (this.#streams.size >= this.#wanted) this.#wanted = 0;
    return this.#wanted > 0;
  }

  /** No call fails or takes time any more. */
  clear(): void {
    this.#faults.length = 0;
    this.#latencyMs = 0;
  }

  /** The watches that were cut are nobody's any more. */
  forgetCut(): void {
    this.#wanted = 0;
  }

  /** The same transport with these faults. */
  over(transport: Transport): Transport {
    return {
      request: async (request) =>
        (await this.#before(request)) ?? (await transport.request(request)),
      stream: async (request) => {
        const failed = await this.#before(request);
        if (failed) return { ...failed, lines: linesOf(failed), close: () => {} };
        return this.#cuttable(await transport.stream(request));
      },
      close: () => transport.close(),
    };
  }

  async #before(request: KubeRequest): Promise<KubeResponse | undefined> {
    if (this.#latencyMs > 0) await this.#clock.sleep(this.#latencyMs, request.signal);
    request.signal?.throwIfAborted();
    if (this.#faults.length === 0) return undefined;
    const target = targetOf(request);
    const index = this.#faults.findIndex((fault) => target && fits(fault, target));
    const [fault] = index < 0 ? [] : this.#faults.splice(index, 1);
    if (!fault || !target) return undefined;
    if (fault.answer instanceof Error) throw fault.answer;
    return failure(fault.answer, target);
  }

  #cuttable(stream: KubeStream): KubeStream {
    const cut = new AbortController();
    this.#streams.add(cut);
    cut.signal.addEventListener("abort", () => {
      this.#streams.delete(cut);
      stream.close();
    });
    const close = () => {
      this.#streams.delete(cut);
      stream.close();
    };
    return { ...stream, lines: this.#linesUntil(stream.lines, cut), close };
  }

  async *#linesUntil(lines: AsyncIterable<string>, cut: AbortController): AsyncIterable<string> {
    try {
      yield* lines;
    } catch (error) {
      if (!cut.signal.aborted) throw error;
    } finally {
      this.#streams.delete(cut);
    }
    if (cut.signal.aborted) throw new Error("connection lost: the watch was cut");
  }
}

function fits(fault: Fault, target: RequestTarget): boolean {
  const { verb, verbs, kind, key } = fault;
  if (verb !== undefined && verb !== target.verb) return false;
  if (verbs && !verbs.includes(target.verb)) return false;
  if (kind && (kind.apiVersion !== target.apiVersion || kind.plural !== target.plural))
    return false;
  return !key || (key.name === target.key.name && key.namespace === (target.key.namespace ?? ""));
}

function failure(code: number, { plural, key, verb }: RequestTarget): KubeResponse {
  const reason = REASONS[code] ?? "";
  const message = `${verb} ${plural} ${key.name}: the test asked for this answer`;
  const details = { kind: plural, ...(key.name !== "" && { name: key.name }) };
  const body = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason,
    message,
    details,
    code,
  };
  return { status: code, headers: { "content-type": "application/json" }, body };
}

async function* linesOf({ body }: KubeResponse): AsyncIterable<string> {
  yield JSON.stringify(body);
}
