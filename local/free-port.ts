import { createServer } from "node:net";
import { listen, type Place } from "./listen.ts";

/** Rejects with one line where something listens on that port of 127.0.0.1 already. */
export async function requireFreePort(place: Place): Promise<void> {
  const server = createServer();
  await listen(server, place);
  await new Promise((resolve) => server.close(resolve));
}
