import { mkdir } from "node:fs/promises";
import dynalite from "dynalite";
import { listen } from "./listen.ts";

export interface DynamoDbServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts an embedded DynamoDB on loopback. Its tables are kept in `dir`, or in memory without one.
 * Rejects with one line when the port is in use or the folder is another process's.
 */
export async function startDynamoDbServer({
  dir,
  port = 0,
}: {
  readonly dir?: string;
  readonly port?: number;
}): Promise<DynamoDbServer> {
  if (dir !== undefined) await mkdir(dir, { recursive: true });
  const server = dynalite({ ...(dir === undefined ? {} : { path: dir }), createTableMs: 0 });
  const used = await listen(server, { what: "the embedded DynamoDB", port });
  return {
    url: `http://127.0.0.1:${used}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
