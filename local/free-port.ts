import { createServer } from "node:net";

/** Rejects with one line where something listens on that port of 127.0.0.1; `what` is to be served there. */
export async function requireFreePort(port: number, what: string): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(
      `cannot serve ${what} on 127.0.0.1:${port}: expected a free port, got ${code}; stop the other program, or choose other ports with --port`,
      { cause },
    );
  }
  await new Promise((resolve) => server.close(resolve));
}
