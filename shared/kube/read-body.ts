import type { IncomingMessage } from "node:http";

/**
 * Resolves to the whole body. Rejects when it breaks off or is longer than `maxBytes`. (By events: an
 * iteration costs more than all else of a short answer.)
 */
export function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const brokenOff = () => reject(response.errored ?? new Error("the answer broke off"));
  if (response.destroyed) brokenOff();
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= maxBytes) return;
    reject(new Error(`expected at most ${maxBytes} bytes, got more`));
    response.destroy();
  });
  response.once("end", () => resolve(Buffer.concat(chunks, bytes)));
  response.once("error", reject);
  response.once("close", brokenOff); // Of no consequence after the end.
  return promise;
}

/**
 * The body as a value. Text that is no JSON stays text, except where a success says that it is JSON:
 * then it fails. What the body says is never in the error.
 */
export function parsedBody(body: Buffer, { status, type }: { status: number; type: string }) {
  const text = body.toString("utf8");
  if (!/[/+]json\b/.test(type)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (status >= 300) return text;
    // Without a cause: the parser's message quotes the body.
    throw new Error(`expected JSON, got ${body.length} bytes that are none`);
  }
}
