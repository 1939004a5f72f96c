import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { createTransport, type TransportOptions } from "../../shared/kube/transport.ts";
import type { KubeAccess, Transport } from "../../shared/kube/wire.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";

/** One request as a loopback server got it, and what it needs to answer. */
export interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** 1 for the first request of a connection. */
  readonly turn: number;
  /** 1 for the first connection. */
  readonly connection: number;
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** Answers with JSON. */
  readonly answer: (status: number, body: unknown, headers?: Record<string, string>) => void;
}

export interface Loopback extends AsyncDisposable {
  readonly server: string;
  readonly port: number;
  readonly got: Got[];
  connections: number;
  /** Connections that are open now. */
  readonly open: Set<Socket>;
}

/** A server of a test's own on 127.0.0.1. It ends with the block that it was made in. */
export async function loopback(
  answer: (got: Got) => void,
  { port = 0, tls }: { port?: number; tls?: ServerOptions } = {},
): Promise<Loopback> {
  const turns = new WeakMap<Socket, { turn: number; connection: number }>();
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { socket, method = "", url = "", headers } = request;
    const state = turns.get(socket) ?? { turn: 0, connection: 0 };
    state.turn += 1;
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk as string;
    const got: Got = {
      method,
      url,
      headers,
      body,
      socket,
      response,
      ...state,
      answer: (status, content, more = {}) => {
        response.writeHead(status, { "content-type": "application/json", ...more });
        response.end(JSON.stringify(content));
      },
    };
    loop.got.push(got);
    answer(got);
  };
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    take(request, response).catch(() => response.destroy()); // The request broke off.
  };
  const server = tls ? createTlsServer(tls, listen) : createServer(listen);
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    loop.connections += 1;
    turns.set(socket, { turn: 0, connection: loop.connections });
    loop.open.add(socket);
    socket.once("close", () => loop.open.delete(socket)).on("error", () => {});
  });
  server.keepAliveTimeout = 0; // It never closes an idle connection by itself.
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bound = (server.address() as AddressInfo).port;
  const loop: Loopback = {
    server: `${tls ? "https" : "http"}://127.0.0.1:${bound}`,
    port: bound,
    got: [],
    connections: 0,
    open: new Set(),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of loop.open) socket.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
  return loop;
}

/** A transport with a clock that stands still. It is closed with the block that it was made in. */
export function client(access: KubeAccess | Loopback, options: Partial<TransportOptions> = {}) {
  const clock = new VirtualClock();
  const { server } = access;
  const kubeAccess: KubeAccess = "got" in access ? { server } : access;
  const transport = createTransport(kubeAccess, { clock, ...options });
  return { ...transport, clock, [Symbol.dispose]: () => transport.close() };
}

export type Client = Transport & { readonly clock: VirtualClock };

/** A file of `tls/`. */
export function pem(name: string): string {
  return readFileSync(join(import.meta.dirname, "tls", `${name}.pem`), "utf8");
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { cause?: unknown }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected a rejection, got none");
}
