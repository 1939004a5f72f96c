import type { IncomingMessage } from "node:http";

/** Resolves to the whole body. Rejects when it breaks off or is longer than `maxBytes`. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw new Error(`expected at most ${maxBytes} bytes, got more`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
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
