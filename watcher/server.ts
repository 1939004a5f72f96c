import { createServer, type Server, type ServerResponse } from "node:http";
import { PROMETHEUS_CONTENT_TYPE } from "../shared/telemetry/prometheus.ts";
import type { WatcherHealth } from "./watcher.ts";

export interface ServerOptions {
  /** Absent: all interfaces, as the kubelet's probes need. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  readonly health: () => WatcherHealth;
  /** The metrics page. */
  readonly metrics: () => string;
}

export interface HealthServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Serves /healthz (is every loop at work), /readyz (names each source and its state) and /metrics
 * on every replica, leading or not. Rejects with one line when the port is taken.
 */
export async function startServer(options: ServerOptions): Promise<HealthServer> {
  const server = createServer(({ method, url = "/" }, response) => {
    const path = url.split("?", 1)[0] ?? "/";
    if (method !== "GET" && method !== "HEAD") answer(response, 405, "only GET is served\n");
    else serve(path, options, response);
  });
  const port = await listening(server, options);
  return { port, close: () => closed(server) };
}

function serve(path: string, { health, metrics }: ServerOptions, response: ServerResponse): void {
  if (path === "/healthz") {
    const { live, dead } = health();
    if (live) answer(response, 200, "ok\n");
    else answer(response, 503, `neither heard of nor asking: ${dead.join(", ")}\n`);
  } else if (path === "/readyz") {
    const { ready, leading, sources } = health();
    const body = JSON.stringify({ ready, leading, sources }, undefined, 2);
    answer(response, ready ? 200 : 503, `${body}\n`, JSON_TYPE);
  } else if (path === "/metrics") {
    answer(response, 200, metrics(), PROMETHEUS_CONTENT_TYPE);
  } else {
    answer(response, 404, "expected /healthz, /readyz or /metrics\n");
  }
}

const TEXT_TYPE = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

function answer(response: ServerResponse, status: number, body: string, type = TEXT_TYPE): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
  });
  response.end(body);
}

function listening(server: Server, { host, port }: ServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ message, code }: NodeJS.ErrnoException) => {
      const why = code === "EADDRINUSE" ? "it is in use; set TIDEGATE_PORT" : message;
      reject(new Error(`cannot serve health and metrics on port ${port}: ${why}`));
    });
    server.listen({ port, ...(host !== undefined && { host }) }, () => {
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
