import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { certificateAuthority, issueCertificate } from "../../local/kube/certificates.ts";
import type { WireRest } from "./wire-rest.ts";

/** One request, as it came. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The action of a call of AWS, such as "PutItem"; "" for Kubernetes. */
  readonly action: string;
  readonly authorization: string;
  readonly body: string;
  /** By the test's clock. */
  readonly atMs: number;
}

/** What happens to one request. */
export type Fault =
  /** It is not carried out, and answered so: 429, 500, 503, or a stream that ends after `body`. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** It waits, and is carried out then. */
  | { readonly kind: "delay"; readonly until: Promise<unknown> }
  /** The connection ends before anything is carried out. */
  | { readonly kind: "reset" }
  /** It is carried out, and the connection ends before the answer. */
  | { readonly kind: "lose" }
  /** The connection ends after so many bytes of the answer's body. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  /** It is carried out as another's: with that header instead of its own. */
  | { readonly kind: "as"; readonly authorization: string }
  /** It is carried out twice; the answer is the second one. */
  | { readonly kind: "twice" }
  /** The connection stays open and nothing comes of it, in either direction. */
  | { readonly kind: "silence" }
  /** So many bytes of the answer in each turn of the event loop. */
  | { readonly kind: "throttle"; readonly bytes: number }
  /** Each line of a stream comes twice. */
  | { readonly kind: "repeat-lines" }
  /** What the client gets is made of the answer. */
  | { readonly kind: "alter"; readonly body: (text: string) => string };

export type FaultPlan = (exchange: Exchange) => Fault | undefined;

export interface FaultProxyOptions {
  /** "https://127.0.0.1:PORT" or "http://..." */
  readonly target: string;
  /** Of the target's certificate. TLS ends here, and begins anew with a certificate of ours. */
  readonly ca?: string;
  readonly rest: WireRest;
  readonly nowMs: () => number;
}

const NO_FAULT: FaultPlan = () => undefined;

/** Stands between a client and a server of HTTP, and does to each request what the plan says. */
export class FaultProxy {
  /** In the order in which they came. */
  readonly seen: Exchange[] = [];
  plan: FaultPlan = NO_FAULT;
  readonly url: string;
  /** Of our certificate; undefined for plain HTTP. */
  readonly ca: string | undefined;
  /** Streams that are open now, and the most that were. */
  readonly streams = { open: 0, most: 0 };
  readonly #server: Server;
  readonly #options: FaultProxyOptions;
  readonly #passing = new Set<{ silent: boolean; readonly response: ServerResponse }>();

  private constructor(server: Server, options: FaultProxyOptions, ca: string | undefined) {
    const { port } = server.address() as AddressInfo;
    this.url = `${ca === undefined ? "http" : "https"}://127.0.0.1:${port}`;
    this.ca = ca;
    this.#server = server;
    this.#options = options;
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const authority = options.ca === undefined ? undefined : certificateAuthority("fault-proxy");
    const server = authority ? createHttpsServer(servingOf(authority)) : createHttpServer();
    server.keepAliveTimeout = 0; // Tests say when a connection ends.
    server.requestTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const proxy = new FaultProxy(server, options, authority?.certificate);
    server.on("request", (request, response) => void proxy.#meet(request, response));
    server.on("connection", options.rest.moved);
    return proxy;
  }

  /** The requests that came for an action of AWS. */
  of(action: string): readonly Exchange[] {
    return this.seen.filter((exchange) => exchange.action === action);
  }

  /** Answers that are on their way become silent, their connections stay open. */
  silence(): void {
    for (const passing of this.#passing) passing.silent = true;
  }

  /** Ends the connections of answers that are on their way, in the middle of them. */
  cut(): void {
    for (const { response } of this.#passing) response.destroy();
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  async #meet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { rest, nowMs } = this.#options;
    response.on("error", () => {}); // The client is gone.
    const ended = rest.begin();
    response.once("close", ended);
    try {
      const exchange = await exchangeOf(request, nowMs());
      this.seen.push(exchange);
      const fault = this.plan(exchange);
      if (fault?.kind === "silence") return ended();
      if (fault?.kind === "reset") return void response.destroy();
      if (fault?.kind === "answer") return answer(response, fault);
      if (fault?.kind === "delay") {
        ended();
        await fault.until;
      }
      const authorization = fault?.kind === "as" ? fault.authorization : exchange.authorization;
      const asked = { request, exchange, authorization, gone: goneOf(response) };
      if (fault?.kind === "twice") await drained(await this.#forward(asked));
      const answered = await this.#forward(asked);
      if (waitsAtServer(exchange)) ended();
      await this.#pass(answered, response, fault);
    } catch {
      response.destroy(); // The server is away: the client is told as by a gateway that resets.
    }
  }

  #forward({ request, exchange, authorization, gone }: Asked): Promise<IncomingMessage> {
    const { target, ca, rest } = this.#options;
    const { host: _, connection: __, ...headers } = request.headers;
    const send = ca === undefined ? httpRequest : httpsRequest;
    return new Promise((resolve, reject) => {
      const sent = send(new URL(request.url ?? "/", target), {
        method: exchange.method,
        headers: { ...headers, authorization, host: new URL(target).host },
        agent: false,
        signal: gone,
        ...(ca !== undefined && { ca }),
      });
      if (waitsAtServer(exchange)) rest.moved();
      sent.once("response", resolve).once("error", reject).end(exchange.body);
    });
  }

  async #pass(
    answered: IncomingMessage,
    response: ServerResponse,
    fault: Fault | undefined,
  ): Promise<void> {
    if (fault?.kind === "lose") {
      await drained(answered);
      response.destroy();
      return;
    }
    if (fault?.kind === "alter") return alter(answered, response, fault.body);
    const { connection: _, "keep-alive": __, ...headers } = answered.headers; // Those are of the hop.
    response.writeHead(answered.statusCode ?? 502, headers).flushHeaders();
    const passing = { silent: false, response };
    this.#passing.add(passing);
    this.#count(1);
    try {
      for await (const piece of piecesOf(answered, fault)) {
        if (!passing.silent && !response.destroyed) response.write(piece);
        this.#options.rest.moved();
      }
      if (fault?.kind === "cut") response.destroy();
      else if (!passing.silent) response.end();
    } finally {
      this.#passing.delete(passing);
      this.#count(-1);
    }
  }

  #count(by: 1 | -1): void {
    this.streams.open += by;
    this.streams.most = Math.max(this.streams.most, this.streams.open);
  }
}

interface Asked {
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  readonly authorization: string;
  readonly gone: AbortSignal;
}

function servingOf(authority: ReturnType<typeof certificateAuthority>) {
  // Another name than its issuer's: it would be taken for signed by itself.
  const subject = { commonName: "localhost", hosts: ["127.0.0.1"] };
  const { certificate: cert, key } = issueCertificate(authority, "fault-proxy", subject);
  return { cert, key };
}

async function exchangeOf(request: IncomingMessage, atMs: number): Promise<Exchange> {
  const { method = "GET", headers, url = "/" } = request;
  const { pathname: path, searchParams: query } = new URL(url, "http://127.0.0.1");
  const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  const action = String(headers["x-amz-target"] ?? "").replace(/^.*\./, "");
  return { method, path, query, action, authorization: headers.authorization ?? "", body, atMs };
}

/** A request that the server itself answers late or for long: it does not keep time from passing. */
function waitsAtServer({ query, action }: Exchange): boolean {
  return query.get("watch") === "true" || action === "ReceiveMessage";
}

function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

function answer(response: ServerResponse, fault: Fault & { kind: "answer" }): void {
  const type = { "content-type": "application/json" };
  response.writeHead(fault.status, { ...type, ...fault.headers }).end(fault.body ?? "{}");
}

async function drained(answered: IncomingMessage): Promise<void> {
  for await (const _ of answered);
}

async function alter(
  answered: IncomingMessage,
  response: ServerResponse,
  change: (text: string) => string,
): Promise<void> {
  const text = Buffer.concat((await answered.toArray()) as Buffer[]).toString();
  const { "content-length": _, connection: __, "x-amz-crc32": ___, ...headers } = answered.headers;
  response.writeHead(answered.statusCode ?? 502, headers).end(change(text));
}

async function* piecesOf(
  answered: IncomingMessage,
  fault: Fault | undefined,
): AsyncGenerator<Buffer> {
  let leftBytes = fault?.kind === "cut" ? fault.afterBytes : Number.POSITIVE_INFINITY;
  const atOnce = fault?.kind === "throttle" ? fault.bytes : Number.POSITIVE_INFINITY;
  for await (const chunk of answered as AsyncIterable<Buffer>) {
    // Our servers write whole lines.
    if (fault?.kind === "repeat-lines")
      yield Buffer.from(chunk.toString().replace(/.+\n/g, "$&$&"));
    for (let at = 0; at < chunk.length && leftBytes > 0; at += atOnce) {
      const piece = chunk.subarray(at, Math.min(at + atOnce, at + leftBytes));
      leftBytes -= piece.length;
      if (fault?.kind !== "repeat-lines") yield piece;
      if (fault) await new Promise((resolve) => setImmediate(resolve));
    }
    if (leftBytes <= 0) return;
  }
}
