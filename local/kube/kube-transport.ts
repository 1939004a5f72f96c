import type { KubeRequest, KubeResponse, KubeStream, Transport } from "../../shared/kube/wire.ts";
import type { ApiAnswer, ApiRequest } from "./api-request.ts";

/**
 * A transport to an API server in this process: the same requests and answers, without sockets. What
 * is answered are copies, as from a real server.
 */
export function createKubeTransport(
  handle: (request: ApiRequest) => Promise<ApiAnswer>,
): Transport {
  const closing = new AbortController();
  return {
    request: async (request) => {
      request.signal?.throwIfAborted();
      const answer = await handle(apiRequestOf(request, () => signalOf(request, closing.signal)));
      return responseOf(
        answer,
        typeof answer.body === "string" ? answer.body : await whole(answer.body),
      );
    },
    stream: async (request) => {
      request.signal?.throwIfAborted();
      const ending = new AbortController();
      const signal = AbortSignal.any([signalOf(request, closing.signal), ending.signal]);
      const { status, headers, body } = await handle(apiRequestOf(request, () => signal));
      const lines = typeof body === "string" ? linesOf(body) : body;
      return { status, headers, lines, close: () => ending.abort() } satisfies KubeStream;
    },
    close: () => closing.abort(),
  };
}

function signalOf({ signal }: KubeRequest, closing: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, closing]) : closing;
}

/** @param signal Asked by those few requests that take a while. */
function apiRequestOf(request: KubeRequest, signal: () => AbortSignal): ApiRequest {
  const { method, path, query, body, contentType = "application/json" } = request;
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers: {
      accept: request.accept ?? "application/json",
      "user-agent": "tidegate",
      ...(body !== undefined && { "content-type": contentType }),
    },
    body: body === undefined ? "" : JSON.stringify(body),
    get signal() {
      return signal();
    },
  };
}

function responseOf({ status, headers }: ApiAnswer, text: string): KubeResponse {
  const json = headers["content-type"]?.includes("json") ?? false;
  return { status, headers, body: json ? (JSON.parse(text) as unknown) : text };
}

async function whole(lines: AsyncIterable<string>): Promise<string> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all.join("\n");
}

async function* linesOf(text: string): AsyncIterable<string> {
  if (text !== "") yield text;
}
