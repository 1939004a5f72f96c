import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, Agent as TlsAgent } from "node:https";
import { systemClock } from "../../../../shared/clock.ts";
import type { Peer, PeerRequest } from "./peer.ts";

export interface HttpPeerOptions {
  /** "https://127.0.0.1:6443", or with http. */
  readonly url: string;
  /** PEM, for https. */
  readonly ca?: string;
  readonly token: string;
  /** Stops the server; called once by `close`. */
  readonly stop: () => Promise<void>;
}

const PAUSE_MS = 50;

/** A server behind a URL. Deliberately knows nothing of the client under test. */
export function httpPeer({ url, ca, token, stop }: HttpPeerOptions): Peer {
  const tls = url.startsWith("https:");
  // Each request has its own connection: the server drops one whose body it did not read.
  const agent = tls ? new TlsAgent({ ca }) : new Agent();
  const send = tls ? httpsRequest : httpRequest;
  const answerTo = ({ method, path, headers, body }: PeerRequest) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const length =
        body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const sent = send(new URL(path, url), {
        method,
        agent,
        headers: { authorization: `Bearer ${token}`, ...headers, ...length },
      });
      sent.once("response", resolve).once("error", reject).end(body);
    });
  return {
    request: async (request) => {
      const response = await answerTo(request);
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      return { ...headOf(response), text: Buffer.concat(chunks).toString("utf8") };
    },
    stream: async (request) => {
      const response = await answerTo(request);
      return {
        ...headOf(response),
        lines: linesOf(response),
        close: () => response.destroy(),
      };
    },
    pause: () => systemClock.sleep(PAUSE_MS),
    close: async () => {
      agent.destroy();
      await stop();
    },
  };
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding("utf8");
  let partial = "";
  for await (const chunk of response) {
    const lines = `${partial}${chunk}`.split("\n");
    partial = lines.pop() ?? "";
    yield* lines;
  }
  if (partial !== "") yield partial;
}

function headOf({ statusCode = 0, headers }: IncomingMessage) {
  const joined = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status: statusCode, headers: Object.fromEntries(joined) as Record<string, string> };
}
