import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Clock, OVER } from "../clock.ts";
import type { KubeAccess } from "./wire.ts";

/** Between keep-alive probes of a silent connection; load balancers forget one after 350 s (NLB) or sooner. */
const TCP_KEEP_ALIVE_MS = 15_000;

/**
 * Opens a connection to the API server. CA and client certificate are read anew each time.
 * Rejects when it is not open, TLS included, within `timeoutMs`.
 */
export async function connect(
  access: KubeAccess,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<Socket> {
  const url = new URL(access.server);
  // An IPv6 address has brackets in a URL only.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (url.protocol === "http:") {
    const socket = connectTcp({ host, port: Number(url.port || 80) });
    return opened(socket, "connect", { clock, timeoutMs });
  }
  const [ca, certificate] = await Promise.all([access.ca?.(), access.certificate?.()]);
  const socket = connectTls({
    host,
    port: Number(url.port || 443),
    // An IP address cannot be a TLS server name; the certificate is then checked against `host`.
    servername: access.tlsServerName ?? (isIP(host) ? "" : host),
    rejectUnauthorized: access.insecureSkipTlsVerify !== true,
    ALPNProtocols: ["http/1.1"],
    ...(ca !== undefined && { ca }),
    ...certificate,
  });
  return opened(socket, "secureConnect", { clock, timeoutMs });
}

function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Promise<Socket> {
  socket.setNoDelay(true);
  socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
  const settled = new AbortController();
  return new Promise<Socket>((resolve, reject) => {
    socket.once(event, () => resolve(socket)).once("error", reject);
    void clock.sleep(timeoutMs, settled.signal).then(() => {
      if (!settled.signal.aborted) {
        socket.destroy(new Error(`expected a connection within ${timeoutMs / 1000} s, got none`));
      }
    });
  }).finally(() => settled.abort(OVER));
}
