import { mkdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import dynalite from "dynalite";

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
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(clearer(error, port)));
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function clearer(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== "EADDRINUSE") return error;
  const text = `cannot start the embedded DynamoDB: port ${port} of 127.0.0.1 is in use; choose another with --port`;
  return new Error(text, { cause: error });
}
