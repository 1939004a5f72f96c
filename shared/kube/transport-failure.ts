import type { KubeAccess, KubeRequest } from "./wire.ts";

/** The error of a request that has no answer. Names method, server and path; never a query, token or body. */
export function transportFailure(
  { server }: KubeAccess,
  { method, path }: KubeRequest,
  cause: unknown,
): Error {
  const { message, code } = (cause ?? {}) as { message?: string; code?: string };
  const text = message || code || String(cause); // Where several addresses failed there is a code only.
  const advice = code === undefined ? "" : adviceFor(code);
  // The origin, for a URL can hold a password.
  return new Error(`cannot ${method} ${new URL(server).origin}${path}: ${text}${advice}`, {
    cause,
  });
}

function adviceFor(code: string): string {
  if (/^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/.test(code)) {
    return "; check that the API server runs and can be reached from here";
  }
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(code)) {
    return "; check the CA, and the name that the server's certificate is for";
  }
  return "";
}
