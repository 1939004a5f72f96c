import type { IncomingMessage } from "node:http";
import type { ConnectionPool } from "./connection-pool.ts";
import { http } from "./http.ts";
import type { Message } from "./message.ts";

/**
 * Sends one request and resolves to the head of its answer. Rejects with the signal's reason once it
 * is aborted; an abort later breaks the body off.
 *
 * A kept connection may have been closed by the other end just when it is used. Such a reset, before
 * any byte of an answer, is met by one more try on a new connection where `repeatable` allows it.
 */
export async function exchange(
  pool: ConnectionPool,
  message: Message,
  { repeatable, signal }: { readonly repeatable: boolean; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  pool.dropIdle();
  const first = await attempt(pool, message, signal);
  if (first.response) return first.response;
  if (!repeatable || !first.unanswered) throw first.error;
  pool.dropIdle({ all: true }); // They most likely share its fate.
  const second = await attempt(pool, message, signal);
  if (second.response) return second.response;
  throw second.error;
}

type Attempt =
  | { readonly response: IncomingMessage }
  /** `unanswered`: a kept connection was reset and nothing of an answer had come. */
  | { readonly response?: undefined; readonly error: unknown; readonly unanswered: boolean };

function attempt(agent: ConnectionPool, message: Message, signal: AbortSignal): Promise<Attempt> {
  if (signal.aborted) return Promise.resolve({ error: signal.reason, unanswered: false });
  const { host, method, path, headers, body } = message;
  return new Promise((resolve) => {
    let answered = false;
    const sent = http.request({ agent, method, path, headers: { host, ...headers } });
    const note = () => {
      answered = true;
    };
    const abort = () => {
      sent.destroy();
      resolve({ error: signal.reason, unanswered: false });
    };
    signal.addEventListener("abort", abort, { once: true });
    sent.once("socket", (socket) => {
      socket.once("data", note);
      sent.once("close", () => socket.off("data", note));
    });
    sent.once("close", () => signal.removeEventListener("abort", abort));
    sent.on("error", (error) =>
      resolve({ error, unanswered: sent.reusedSocket && !answered && isReset(error) }),
    );
    sent.once("response", (response) => resolve({ response }));
    sent.end(body);
  });
}

function isReset(error: Error & { code?: string }): boolean {
  return error.code === "ECONNRESET" || error.code === "EPIPE";
}
