import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../clock.ts";
import { http } from "./http.ts";

/**
 * A connection that was idle for longer is not used again. The other end, or a load balancer between,
 * may have dropped it while this process was frozen.
 */
const IDLE_LIMIT_MS = 30_000;

/**
 * The connections to one server, kept open between requests.
 *
 * Idleness is measured by the wall clock at the moment of use, for a frozen Lambda environment runs
 * no timers. An idle connection does not keep the process alive.
 */
export class ConnectionPool extends http.Agent {
  readonly #connect: () => Promise<Socket>;
  readonly #clock: Clock;
  readonly #idleSinceMs = new WeakMap<Duplex, number>();
  #closed = false;

  constructor(connect: () => Promise<Socket>, clock: Clock) {
    // First in, first out: of several idle connections Node skips the ended ones at the front only.
    super({ keepAlive: true, maxFreeSockets: 32, scheduling: "fifo" });
    this.#connect = connect;
    this.#clock = clock;
  }

  /** To be called right before a request is made: ends what was idle for too long, or all that is idle. */
  dropIdle({ all = false } = {}): void {
    const nowMs = this.#clock.nowMs();
    for (const sockets of Object.values(this.freeSockets)) {
      for (const socket of sockets ?? []) {
        const idleMs = nowMs - (this.#idleSinceMs.get(socket) ?? Number.NEGATIVE_INFINITY);
        // A clock that was set back says nothing.
        if (all || idleMs > IDLE_LIMIT_MS || idleMs < 0) socket.destroy();
      }
    }
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#connect().then(
      (socket) => {
        if (this.#closed) socket.destroy();
        callback?.(null, socket);
      },
      // Node passes no socket along with an error, whatever the type says.
      (error: Error) => callback?.(error, undefined as unknown as Duplex),
    );
  }

  override keepSocketAlive(socket: Duplex): boolean {
    this.#idleSinceMs.set(socket, this.#clock.nowMs());
    // It does answer whether to keep it, whatever the type says.
    return super.keepSocketAlive(socket) as unknown as boolean;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#idleSinceMs.delete(socket);
    super.reuseSocket(socket, request);
  }

  override destroy(): void {
    this.#closed = true;
    super.destroy();
  }
}
