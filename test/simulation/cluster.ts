import { createKubeApi, type KubeApi } from "../../local/kube/kube-api.ts";
import type { Clock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import type { KubeRequest, KubeResponse, KubeStream, Transport } from "../../shared/kube/wire.ts";
import type { PlatformProcess } from "../../shared/testing/platform-process.ts";
import { writes } from "../../shared/testing/request-target.ts";
import { type CallFault, refusal } from "./call-fault.ts";
import type { Draws } from "./draws.ts";
import { WatchConnection } from "./watch-connection.ts";

/** As a client finds out that its server has gone. */
const reset = () => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
const refused = () => Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });

/** A call whose answer never comes ends after that. */
const CALL_TIMEOUT_MS = 30_000;

/** The API server of a simulation, and connections to it on which things go wrong. */
export class Cluster {
  readonly api: KubeApi;
  /** The user, whom nothing befalls. */
  readonly client: KubeClient;
  /** Of each call's way there and back, in milliseconds. */
  latency: () => number = () => 0;
  /** How many times longer each way takes. */
  slowness = 1;
  readonly #clock: Clock;
  readonly #watches = new Set<WatchConnection>();
  #faults: { readonly fault: CallFault; left: number }[] = [];
  #restarts = 0;
  #down = false;

  constructor(clock: Clock, draws: Draws, onError: (error: unknown) => void) {
    let uids = 0;
    const newUid = () => {
      uids += 1;
      return `00000000-0000-4000-8000-${String(uids).padStart(12, "0")}`;
    };
    this.#clock = clock;
    this.api = createKubeApi({ clock, random: draws.number, newUid, onError, accounts: false });
    this.client = createKubeClient(this.api.transport);
  }

  /** The API server as one process reaches it. */
  connection(process: PlatformProcess): Transport {
    return {
      request: (request) => this.#request(request),
      stream: (request) => this.#stream(request, process),
      close: () => {},
    };
  }

  failNext(fault: CallFault, times: number): void {
    this.#faults.push({ fault, left: times });
  }

  /** Watches break off; those of one process, if one is named. */
  cutWatches(process?: PlatformProcess): void {
    for (const watch of this.#watches) if (!process || watch.process === process) watch.cut();
  }

  /** Watches hang: nothing comes any more, and no end either. */
  silenceWatches(): void {
    for (const watch of this.#watches) watch.silence();
  }

  /** The server goes down. What is under way may have happened, and is not answered. */
  stop(): void {
    this.#down = true;
    this.#restarts += 1;
    this.cutWatches();
  }

  start(): void {
    this.#down = false;
  }

  /** No further call fails. */
  heal(): void {
    this.#faults = [];
    this.slowness = 1;
    this.start();
  }

  async #request(request: KubeRequest): Promise<KubeResponse> {
    const restarts = this.#restarts;
    const answer = (await this.#before(request)) ?? (await this.#carryOut(request));
    await this.#travel(request);
    if (restarts !== this.#restarts) throw reset();
    return answer;
  }

  async #carryOut(request: KubeRequest): Promise<KubeResponse> {
    const fault = this.#take(request, "after");
    const answer = await this.api.transport.request(request);
    if (fault) throw reset();
    return answer;
  }

  async #stream(request: KubeRequest, process: PlatformProcess): Promise<KubeStream> {
    const failed = await this.#before(request);
    if (failed) return { ...failed, lines: linesOf(failed), close: () => {} };
    const stream = await this.api.transport.stream(request);
    const watch = new WatchConnection(stream, process, reset);
    this.#watches.add(watch);
    void watch.closed.then(() => this.#watches.delete(watch));
    return watch;
  }

  /** What befalls a call on its way to the server. */
  async #before(request: KubeRequest): Promise<KubeResponse | undefined> {
    await this.#travel(request);
    if (this.#down) throw refused();
    const fault = this.#take(request, "before");
    if (!fault) return undefined;
    if (typeof fault.answer === "number") return refusal(fault.answer, request);
    if (fault.answer === "lost") throw reset();
    await this.#clock.sleep(request.timeoutMs ?? CALL_TIMEOUT_MS, request.signal);
    throw new Error("no answer in time");
  }

  async #travel({ signal }: KubeRequest): Promise<void> {
    signal?.throwIfAborted();
    const ms = this.latency() * this.slowness;
    if (ms > 0) await this.#clock.sleep(ms, signal);
    signal?.throwIfAborted();
  }

  #take(request: KubeRequest, when: CallFault["when"]): CallFault | undefined {
    if (this.#faults.length === 0) return undefined;
    const kind = request.query?.watch === "true" ? "watch" : writes(request) ? "write" : "read";
    const next = this.#faults.find(({ fault }) => fault.when === when && fault.of === kind);
    if (!next) return undefined;
    next.left -= 1;
    if (next.left === 0) this.#faults = this.#faults.filter((each) => each !== next);
    return next.fault;
  }
}

async function* linesOf({ body }: KubeResponse): AsyncIterable<string> {
  yield JSON.stringify(body);
}
