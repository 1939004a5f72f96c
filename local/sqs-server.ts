import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import { listen } from "./listen.ts";
import { SqsCore } from "./sqs-core.ts";
import { SqsError } from "./sqs-error.ts";
import { SqsJournal } from "./sqs-journal.ts";
import { errorResponse, respond, type SqsResponse } from "./sqs-protocol.ts";

/** A batch of 1 MiB, as JSON that escapes every character. */
const MAX_BODY_BYTES = 8 * 1_048_576;

/** Longer than SDK clients keep a connection that they do not use. */
const KEEP_ALIVE_MS = 75_000;

export interface SqsServerOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Logger;
  /** Where queues and messages are kept; in memory alone by default. */
  readonly dir?: string;
  /** A free one by default. */
  readonly port?: number;
}

export interface SqsServer {
  /** The `endpoint` for SQS clients, such as `http://127.0.0.1:9324`. */
  readonly url: string;
  /** The same service without HTTP, and the place where faults are injected. */
  readonly core: SqsCore;
  /** Answers all long polls, closes every connection and the state. */
  close(): Promise<void>;
}

/**
 * Starts an SQS server on loopback that speaks the AWS JSON 1.0 protocol.
 *
 * Rejects where the port is in use or what is kept in `dir` cannot be read. The state is opened
 * after the port, so two servers on one port never share it.
 */
export async function startSqsServer(options: SqsServerOptions): Promise<SqsServer> {
  const { clock, newId, log, dir, port = 0 } = options;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  const url = `http://127.0.0.1:${await listen(server, { what: "the embedded SQS", port })}`;
  try {
    const state = dir === undefined ? undefined : new SqsJournal({ dir, log });
    const core = new SqsCore({ clock, newId, log, state, baseUrl: url });
    const pending = serve(server, core, url);
    return { url, core, close: () => close(server, core, pending) };
  } catch (error) {
    server.close();
    throw error;
  }
}

function serve(server: Server, core: SqsCore, url: string): Set<Promise<void>> {
  const pending = new Set<Promise<void>>();
  server.on("request", (request, response) => {
    const answered = answer({ core, url }, request, response);
    pending.add(answered);
    void answered.finally(() => pending.delete(answered));
  });
  return pending;
}

/** Never rejects: whatever goes wrong concerns this one request. */
async function answer(
  { core, url: baseUrl }: { readonly core: SqsCore; readonly url: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    const body = await bodyOf(request);
    const { headers } = request;
    const call = { baseUrl, signal: gone.signal };
    await write(await respond(core, { headers, body }, call), response, core);
  } catch (error) {
    response.shouldKeepAlive = false; // The rest of the body is not read.
    if (!gone.signal.aborted) await write(errorResponse(core, error), response, core);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The socket must outlive a body that is too long, for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      throw new SqsError(
        "SerializationException",
        `reading the request: expected at most ${MAX_BODY_BYTES} bytes`,
      );
    }
  }
  return Buffer.concat(chunks).toString();
}

/** Resolves when the answer is handed to the operating system, or the client is gone. */
async function write(
  { status, headers, body }: SqsResponse,
  response: ServerResponse,
  core: SqsCore,
): Promise<void> {
  if (core.closed) response.shouldKeepAlive = false;
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.end(body, resolve);
  });
}

async function close(server: Server, core: SqsCore, pending: Set<Promise<void>>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  core.close();
  // Calls in hand are answered in the next turns; a request whose body never ends is cut off.
  for (let turn = 0; turn < 50 && pending.size > 0; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  server.closeAllConnections();
  await closed;
}
