import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FakeCluster } from "./fake-cluster.ts";

/** A cluster in memory behind HTTP on loopback, for programs that are processes of their own. */
export async function serveCluster(cluster: FakeCluster) {
  const server = createServer((request, response) => void answer(cluster, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  cluster: FakeCluster,
  { url = "/", headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname: path, searchParams } = new URL(url, "http://localhost");
  const query = Object.fromEntries(searchParams);
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const asked = { method: "GET" as const, path, query, accept: headers.accept ?? "" };
  if (query.watch !== "true") {
    const { status, body } = await cluster.request(asked);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
    return;
  }
  const stream = await cluster.stream({ ...asked, signal: gone.signal });
  response.writeHead(stream.status, { "content-type": "application/json" });
  response.flushHeaders();
  for await (const line of stream.lines) response.write(`${line}\n`);
  response.end();
}
