import { createServer } from "node:net";
import { listen, type Place } from "./listen.ts";

/**
 * Resolves to the port of 127.0.0.1, for 0 to any free one. Rejects with one line where something
 * listens on it already. It may be taken again by the time it is used.
 */
export async function requireFreePort(place: Place): Promise<number> {
  const server = createServer();
  const port = await listen(server, place);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
