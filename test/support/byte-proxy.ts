import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { WireRest } from "./wire-rest.ts";

/** A connection that passes. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Stands between a client and a server and passes bytes, TLS or not, which it does not read. */
export class ByteProxy {
  /** Connections that were accepted so far. */
  accepted = 0;
  /** New connections are accepted, and nothing passes. */
  mute = false;
  /** New connections are ended at once. */
  refusing = false;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #muted = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param target "https://127.0.0.1:PORT" */
  static async start(target: string, rest: WireRest): Promise<ByteProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const proxy = new ByteProxy(server);
    const port = Number(new URL(target).port);
    server.on("connection", (client) => proxy.#accept(client, { port, rest }));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get open(): number {
    return this.#pairs.size;
  }

  /** Connections that are open stay so, and pass nothing any more: neither bytes nor an end. */
  halfOpen(): void {
    for (const { client, server } of this.#pairs) {
      client.unpipe(server).pause();
      server.unpipe(client).pause();
    }
  }

  /** Ends all connections where they are, with a reset. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
    for (const socket of this.#muted) socket.destroy();
    return closed;
  }

  #accept(client: Socket, { port, rest }: { readonly port: number; readonly rest: WireRest }) {
    this.accepted += 1;
    rest.moved();
    client.on("error", () => {}); // The other end went away.
    if (this.refusing) return void client.resetAndDestroy();
    if (this.mute) {
      this.#muted.add(client);
      client.once("close", () => this.#muted.delete(client));
      return;
    }
    const server = connect(port, "127.0.0.1").on("error", () => client.destroy());
    const pair = { client, server };
    this.#pairs.add(pair);
    for (const socket of [client, server]) socket.on("data", rest.moved);
    client.pipe(server).pipe(client);
    client.once("close", () => {
      this.#pairs.delete(pair);
      server.destroy();
    });
    server.once("close", () => client.destroy());
  }
}
