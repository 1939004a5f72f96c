import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { KubeRequest, KubeResponse, Transport } from "../../shared/kube/wire.ts";

/** Serves a transport over HTTP on loopback, so that a real client can be pointed at a fake cluster. */
export async function serveTransport(
  transport: Transport,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void answer(transport, request).then(({ status, body }) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(transport: Transport, request: IncomingMessage): Promise<KubeResponse> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  return transport.request({
    method: request.method as KubeRequest["method"],
    path: pathname,
    query: Object.fromEntries(searchParams),
    ...(text !== "" && { body: JSON.parse(text) as unknown }),
    contentType: request.headers["content-type"] ?? "",
  });
}
