import type { IncomingMessage } from "node:http";
import type { Logger } from "../api/log.ts";
import type { Clock } from "../clock.ts";
import { Authorizer } from "./authorizer.ts";
import { type CallScope, callScope, unlessAborted } from "./call-scope.ts";
import { connect } from "./connect.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { exchange } from "./exchange.ts";
import { headOf, messageOf } from "./message.ts";
import { parsedBody, readBody } from "./read-body.ts";
import { readLines } from "./read-lines.ts";
import { repeatable } from "./repeatable.ts";
import { onceEach } from "./server-warnings.ts";
import { transportFailure } from "./transport-failure.ts";
import type { KubeAccess, KubeRequest, KubeResponse, KubeStream, Transport } from "./wire.ts";

const TRANSPORT_LIMITS = {
  connectTimeoutMs: 10_000,
  /** Until the whole answer is there, or the head of a stream. A request's `timeoutMs` goes before it. */
  answerTimeoutMs: 30_000,
  /** Of an answer, and of one line of a stream. V8 holds strings of up to 512 MB. */
  maxBodyBytes: 256 * 1024 * 1024,
};

export interface TransportOptions {
  readonly clock: Clock;
  /** Gets the server's warnings, each text once; default: they are dropped. */
  readonly log?: Logger;
  readonly limits?: Partial<typeof TRANSPORT_LIMITS>;
}

/**
 * A connection to one API server. Loading it costs next to nothing, and requests share kept
 * connections.
 *
 * T1. A connection that was idle for more than 30 s is not used (`connection-pool.ts`).
 * T2. A reset of a kept connection before any byte of an answer is met by one more try on a new
 *     connection, for requests that may be carried out twice (`repeatable.ts`). Nothing else is
 *     tried again: no status, and no failure of a new connection.
 * T3. After a 401 the authorization is renewed, by one caller for all, and the request sent once more.
 * T4. Errors and logs name method, server and path. Tokens, queries and bodies are never in them.
 */
export function createTransport(access: KubeAccess, options: TransportOptions): Transport {
  return new HttpTransport(access, options);
}

class HttpTransport implements Transport {
  readonly #access: KubeAccess;
  readonly #clock: Clock;
  readonly #limits: typeof TRANSPORT_LIMITS;
  readonly #authorizer: Authorizer;
  readonly #pool: ConnectionPool;
  readonly #warn: (header: string | undefined) => void;
  readonly #closed = new AbortController();

  constructor(access: KubeAccess, { clock, log, limits }: TransportOptions) {
    this.#access = access;
    this.#clock = clock;
    this.#limits = { ...TRANSPORT_LIMITS, ...limits };
    this.#authorizer = new Authorizer(access.authorization);
    const timeoutMs = this.#limits.connectTimeoutMs;
    this.#pool = new ConnectionPool(() => connect(access, { clock, timeoutMs }), clock);
    this.#warn = onceEach((warning) => log?.warn("the API server warns", { warning }));
  }

  request = async (asked: KubeRequest): Promise<KubeResponse> => {
    const scope = this.#scopeOf(asked);
    try {
      const response = await this.#head(asked, scope.signal);
      const { status, headers } = headOf(response);
      this.#warn(headers.warning);
      const bytes = await readBody(response, this.#limits.maxBodyBytes);
      const type = headers["content-type"] ?? "";
      return { status, headers, body: parsedBody(bytes, { status, type }) };
    } catch (error) {
      throw this.#failure(asked, error, scope);
    } finally {
      scope.end();
    }
  };

  stream = async (asked: KubeRequest): Promise<KubeStream> => {
    const scope = this.#scopeOf(asked);
    try {
      const response = await this.#head(asked, scope.signal);
      scope.arrived();
      response.once("close", scope.end);
      const { status, headers } = headOf(response);
      this.#warn(headers.warning);
      return { status, headers, ...this.#body(response, asked, scope) };
    } catch (error) {
      scope.end();
      throw this.#failure(asked, error, scope);
    }
  };

  close = (): void => {
    this.#closed.abort(new Error("the transport is closed"));
    this.#pool.destroy();
  };

  async #head(asked: KubeRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const authorization = await unlessAborted(signal, this.#authorizer.value());
    const how = { repeatable: repeatable(asked), signal };
    const first = await exchange(this.#pool, messageOf(this.#access, asked, authorization), how);
    if (first.statusCode !== 401 || !this.#authorizer.renewable) return first;
    await readBody(first, this.#limits.maxBodyBytes); // So that the connection can be used again.
    const renewed = await unlessAborted(signal, this.#authorizer.renewed(authorization));
    return exchange(this.#pool, messageOf(this.#access, asked, renewed), how);
  }

  #body(response: IncomingMessage, asked: KubeRequest, scope: CallScope) {
    let closed = false;
    const read = readLines(response, this.#limits.maxBodyBytes);
    const failure = (error: unknown) => this.#failure(asked, error, scope);
    async function* lines() {
      try {
        yield* read;
      } catch (error) {
        if (!closed) throw failure(error);
      }
    }
    const close = () => {
      closed = true;
      response.destroy();
    };
    return { lines: lines(), close };
  }

  #scopeOf({ signal, timeoutMs = this.#limits.answerTimeoutMs }: KubeRequest): CallScope {
    const error = () =>
      new Error(`expected an answer within ${timeoutMs / 1000} s, got none that is whole`);
    return callScope([signal, this.#closed.signal], { clock: this.#clock, ms: timeoutMs, error });
  }

  /** What a call rejects with: the caller's own reason where it aborted it. */
  #failure(asked: KubeRequest, error: unknown, { signal }: CallScope): unknown {
    if (asked.signal?.aborted) return asked.signal.reason;
    return transportFailure(this.#access, asked, signal.aborted ? signal.reason : error);
  }
}
