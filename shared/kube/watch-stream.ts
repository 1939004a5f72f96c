import type { KubernetesObject } from "../api/object.ts";
import { KubeError, kubeErrorOf } from "./kube-error.ts";
import { reflectedObject } from "./reflected-object.ts";
import { type ReflectorSource, sourceRequest, sourceText } from "./reflector-source.ts";
import { metadataOf } from "./strip.ts";
import type { KubeStream, Transport } from "./wire.ts";

/** One line of a watch that the reflector acts on. */
export type WatchLine =
  | { readonly type: "put" | "drop"; readonly object: KubernetesObject; readonly version: string }
  | { readonly type: "bookmark"; readonly version: string };

/** A watch that is open, but says what cannot be gone on from: no JSON, no object, or an ERROR. */
export class BrokenWatchError extends Error {
  override readonly name = "BrokenWatchError";
}

/** An error's answer is read up to this length. */
const LONGEST_ANSWER = 64 * 1024;

/**
 * Opens a watch from a version. Rejects with a KubeError for every answer but 200. The caller closes
 * the stream.
 */
export async function openWatch(
  transport: Transport,
  source: ReflectorSource,
  query: { readonly resourceVersion: string; readonly timeoutSeconds: string },
  signal: AbortSignal,
): Promise<KubeStream> {
  const options = { watch: "true", allowWatchBookmarks: "true" };
  const stream = await transport.stream({
    ...sourceRequest(source, "watch", { ...query, ...options }),
    signal,
  });
  if (stream.status === 200) return stream;
  try {
    const body = await answerOf(stream);
    throw kubeErrorOf(`watch ${sourceText(source)}`, { ...stream, body });
  } finally {
    stream.close();
  }
}

/**
 * Reads one line. Undefined for one that asks for nothing. Throws a KubeError for an ERROR of a code
 * that decides what is next (410), and a BrokenWatchError for all else that is no change.
 */
export function watchLine(line: string, source: ReflectorSource): WatchLine | undefined {
  if (line.trim() === "") return undefined;
  const { type, object: value } = parsed(line, source);
  if (type === "ERROR") throw errorOf(value, source);
  if (type === "BOOKMARK") {
    const version = metadataOf(value)?.resourceVersion;
    return typeof version === "string" && version ? { type: "bookmark", version } : undefined;
  }
  const object = reflectedObject(value, source);
  const known = type === "ADDED" || type === "MODIFIED" || type === "DELETED";
  if (!object || !known) throw broken(line, source);
  const version = object.metadata.resourceVersion;
  return { type: type === "DELETED" ? "drop" : "put", object, version };
}

function parsed(line: string, source: ReflectorSource): { type?: unknown; object?: unknown } {
  try {
    const value: unknown = JSON.parse(line);
    if (value !== null && typeof value === "object") return value;
  } catch {
    // Told below, together with JSON that is no change.
  }
  throw broken(line, source);
}

/** The text says nothing of the line but its length: it may hold a Secret. */
function broken(line: string, source: ReflectorSource): BrokenWatchError {
  return new BrokenWatchError(
    `cannot watch ${sourceText(source)}: expected a change as JSON, got a line of ${line.length} characters that is none`,
  );
}

function errorOf(value: unknown, source: ReflectorSource): Error {
  const code = (value as { code?: unknown } | undefined)?.code;
  const status = typeof code === "number" ? code : 500;
  const error = kubeErrorOf(`watch ${sourceText(source)}`, { status, headers: {}, body: value });
  return status === 410 ? error : new BrokenWatchError(error.message, { cause: error });
}

async function answerOf(stream: KubeStream): Promise<unknown> {
  let text = "";
  for await (const line of stream.lines) {
    text += `${line}\n`;
    if (text.length > LONGEST_ANSWER) break;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a server asks to wait, in whichever way it said so. */
export function retryAfterMsOf(error: unknown): number {
  const told = error instanceof BrokenWatchError ? error.cause : error;
  return told instanceof KubeError ? (told.retryAfterSeconds ?? 0) * 1000 : 0;
}
