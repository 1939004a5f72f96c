import type { IncomingMessage } from "node:http";
import type { KubeAccess, KubeRequest } from "./wire.ts";

/** One request as it goes over the wire. */
export interface Message {
  readonly host: string;
  readonly method: KubeRequest["method"];
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | undefined;
}

/** A request as it is sent to the server of `access`. */
export function messageOf(
  { server }: KubeAccess,
  { method, path, query, body, contentType, accept }: KubeRequest,
  authorization: string | undefined,
): Message {
  const { host, pathname } = new URL(server);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const search =
    query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : "";
  return {
    host,
    method,
    path: `${pathname.replace(/\/$/, "")}${path}${search}`,
    body: text,
    headers: {
      accept: accept ?? "application/json",
      // Names the field manager of writes that name none.
      "user-agent": "tidegate",
      ...(authorization !== undefined && { authorization }),
      ...(text !== undefined && {
        "content-type": contentType ?? "application/json",
        "content-length": Buffer.byteLength(text),
      }),
    },
  };
}

/** Status and headers of an answer; a header that came several times is one, joined by commas. */
export function headOf({ statusCode, headers }: IncomingMessage) {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
  );
  return {
    status: statusCode ?? 0,
    headers: Object.fromEntries(entries) as Record<string, string>,
  };
}
