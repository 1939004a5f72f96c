import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { KubeAccess } from "../../shared/kube/wire.ts";

/** How to reach an API server. */
export interface KubeConnection {
  /** Such as "https://127.0.0.1:6443". */
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** Bearer token. */
  readonly token: string;
}

/** The same, as a transport takes it. */
export function accessOf({ url, ca, token }: KubeConnection): KubeAccess {
  return { server: url, ca: async () => ca, authorization: async () => `Bearer ${token}` };
}

export interface KubeRequest {
  /** Default GET. */
  readonly method?: string;
  /** With its query, such as "/apis/apps/v1/deployments?limit=1". */
  readonly path: string;
  readonly body?: unknown;
  /** Default "application/json". */
  readonly contentType?: string;
  /** Default "application/json". */
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface KubeResponse {
  readonly status: number;
  /** Parsed JSON, or the text if it is none. */
  readonly body: unknown;
}

/**
 * Sends one request on a connection of its own. Deliberately knows nothing of the client under test.
 * Rejects if there is no answer; an answer of any status resolves.
 */
export async function kubeRequest(to: KubeConnection, what: KubeRequest): Promise<KubeResponse> {
  const response = await answer(to, what);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: response.statusCode ?? 0, body: parsed(text) };
}

/** Yields what a watch sends, line by line, until the server or the signal ends it. */
export async function* kubeWatch(to: KubeConnection, what: KubeRequest): AsyncGenerator<unknown> {
  const response = await answer(to, what);
  response.setEncoding("utf8");
  let partial = "";
  for await (const chunk of response) {
    const lines = `${partial}${chunk}`.split("\n");
    partial = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

function answer(to: KubeConnection, what: KubeRequest): Promise<IncomingMessage> {
  const body = what.body === undefined ? undefined : JSON.stringify(what.body);
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(new URL(what.path, to.url), {
      method: what.method ?? "GET",
      ca: to.ca,
      agent: false,
      ...(what.signal && { signal: what.signal }),
      headers: {
        authorization: `Bearer ${to.token}`,
        accept: what.accept ?? "application/json",
        ...(body !== undefined && { "content-type": what.contentType ?? "application/json" }),
      },
    });
    sent.once("response", resolve).once("error", reject).end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
