import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { KubeRequest, Transport } from "../../shared/kube/wire.ts";

/**
 * Serves a transport over HTTP on loopback, so that a real client, or a program of its own, can be
 * pointed at a cluster in memory.
 */
export async function serveTransport(
  transport: Transport,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    // A stream that breaks off breaks off for the client, too.
    answer(transport, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const JSON_TYPE = { "content-type": "application/json" };

async function answer(
  transport: Transport,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const asked = { ...(await requestOf(request)), signal: gone.signal };
  if (asked.query?.watch !== "true") {
    const { status, body } = await transport.request(asked);
    response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
    return;
  }
  const { status, lines } = await transport.stream(asked);
  response.writeHead(status, JSON_TYPE).flushHeaders();
  for await (const line of lines) response.write(`${line}\n`);
  response.end();
}

async function requestOf(request: IncomingMessage): Promise<KubeRequest> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  return {
    method: request.method as KubeRequest["method"],
    path: pathname,
    query: Object.fromEntries(searchParams),
    ...(text !== "" && { body: JSON.parse(text) as unknown }),
    contentType: request.headers["content-type"] ?? "",
    accept: request.headers.accept ?? "",
  };
}
