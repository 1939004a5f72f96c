import type { AddressInfo, Server } from "node:net";

/** What a server of local mode serves, in the words of an error, and where. */
export interface Place {
  readonly what: string;
  /** 0: any free port. */
  readonly port: number;
}

/** No server here asks who calls. */
const HOST = "127.0.0.1";

/**
 * Lets a server listen on loopback; resolves to its port. Rejects with one line where it cannot have
 * that port, and with any other error as it is.
 */
export async function listen(server: Server, { what, port }: Place): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, HOST, resolve);
  try {
    await promise;
    return (server.address() as AddressInfo).port;
  } catch (cause) {
    const { code, syscall, message } = cause as NodeJS.ErrnoException;
    if (syscall !== "listen") throw cause;
    const got = code === "EADDRINUSE" ? "one that is in use" : message;
    throw new Error(
      `cannot serve ${what} on ${HOST}:${port}: expected a free port, got ${got}; stop the other program, or choose other ports with --port`,
      { cause },
    );
  } finally {
    server.off("error", reject);
  }
}
