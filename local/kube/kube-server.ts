import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { OVER } from "../../shared/clock.ts";
import { listen } from "../listen.ts";
import type { ApiAnswer, ApiRequest } from "./api-request.ts";
import { MAX_BODY_BYTES } from "./api-router.ts";
import { errorAnswer } from "./api-status.ts";
import type { CertificateAndKey } from "./certificates.ts";
import { tooLarge } from "./registry-errors.ts";

export interface KubeServerOptions {
  /** Answers a request; never rejects. */
  readonly handle: (request: ApiRequest) => Promise<ApiAnswer>;
  /** What clients must send as bearer token: a page in a browser does not know it. */
  readonly token: string;
  /** For TLS: kubectl sends no token without it. */
  readonly tls: CertificateAndKey;
  /** A free one by default. */
  readonly port?: number;
}

export interface KubeServer {
  /** "https://127.0.0.1:PORT" */
  readonly url: string;
  /** Ends all watches and closes every connection. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the API over HTTPS on loopback. Refuses requests without the token, and those that name
 * another host than loopback (a page of another site, whose name was pointed here).
 * Rejects with one line when the port is in use.
 */
export async function startKubeServer(options: KubeServerOptions): Promise<KubeServer> {
  const { certificate: cert, key } = options.tls;
  const limits = { maxHeaderSize: MAX_HEADER_BYTES };
  const server = createServer({ cert, key, ...limits }, (request, response) => {
    void answer(options, request, response).catch(() => response.destroy());
  });
  const place = { what: "the embedded API server", port: options.port ?? 0 };
  const port = await listen(server, place);
  return {
    url: `https://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Go's own limit. Long selectors are part of it, for they stand in the first line. */
const MAX_HEADER_BYTES = 1_048_576;

async function answer(
  { handle, token }: KubeServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refused = refusalOf(request, token);
  if (refused) return send(response, refused);
  const body = await bodyOf(request);
  if (body === undefined) return send(response, errorAnswer(tooLarge(MAX_BODY_BYTES)));
  const gone = new AbortController();
  response.once("close", () => gone.abort(OVER));
  const { path, query } = placeOf(request.url ?? "/");
  const answered = await handle({
    method: request.method ?? "GET",
    path,
    query,
    headers: request.headers as Record<string, string | undefined>,
    body,
    signal: gone.signal,
  });
  await send(response, answered);
}

/** Not by URL, which takes "/a/b/.." for "/a": who asks to delete ".." must not delete what is above. */
function placeOf(target: string): Pick<ApiRequest, "path" | "query"> {
  const [path = "", ...query] = target.split("?");
  return { path, query: new URLSearchParams(query.join("?")) };
}

async function send(response: ServerResponse, { status, headers, body }: ApiAnswer): Promise<void> {
  if (typeof body === "string") {
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
    return;
  }
  response.writeHead(status, headers).flushHeaders();
  await sendLines(response, body);
  response.end();
}

/** Characters after which lines are sent, whether more are waiting or not. */
const PIECE = 64 * 1024;

/** Sends the lines of one turn of the event loop as one piece: a write costs more than what is in it. */
async function sendLines(response: ServerResponse, lines: AsyncIterable<string>): Promise<void> {
  let text = "";
  const flush = () => {
    if (text !== "" && !response.destroyed) response.write(text);
    text = "";
  };
  for await (const line of lines) {
    if (response.destroyed) return;
    if (text === "") setImmediate(flush);
    text += `${line}\n`;
    if (text.length >= PIECE || response.writableNeedDrain) flush();
    if (response.writableNeedDrain) await drained(response);
  }
  flush();
}

/** Resolves once more can be written, or never will. */
async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once("drain", resolve).once("close", resolve);
  await promise;
  response.off("drain", resolve).off("close", resolve);
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

function refusalOf({ headers }: IncomingMessage, token: string): ApiAnswer | undefined {
  if (!LOOPBACK.test(headers.host ?? "")) return refusal(403, "Forbidden");
  return sameText(headers.authorization ?? "", `Bearer ${token}`)
    ? undefined
    : refusal(401, "Unauthorized");
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function refusal(code: number, reason: string): ApiAnswer {
  const body = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: reason,
    reason,
    code,
  };
  return {
    status: code,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** Undefined where it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
