import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { startServer } from "../../watcher/server.ts";
import type { WatcherHealth } from "../../watcher/watcher.ts";

const healthy: WatcherHealth = {
  live: true,
  dead: [],
  ready: true,
  leading: false,
  sources: [
    { name: "widgets", controllers: ["one"], state: "synced", objects: 3, idleMs: 5 },
    {
      name: "farms",
      controllers: ["one"],
      state: "unavailable",
      reason: "403",
      objects: 0,
      idleMs: 5,
    },
  ],
};

async function served(health: WatcherHealth) {
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    health: () => health,
    metrics: () => "# HELP x\n",
  });
  const get = async (path: string, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      body: await response.text(),
    };
  };
  return { get, close: server.close };
}

test("readyz names each source with its state and the reason", async () => {
  const { get, close } = await served(healthy);
  const { status, body } = await get("/readyz?verbose");
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({ ready: true, leading: false, sources: healthy.sources });
  await close();
});

test("a source that has not synced makes readyz 503, and healthz stays well", async () => {
  const { get, close } = await served({ ...healthy, ready: false });
  expect((await get("/readyz")).status).toBe(503);
  expect(await get("/healthz")).toMatchObject({ status: 200, body: "ok\n" });
  await close();
});

test("a dead loop makes healthz 503 and is named", async () => {
  const { get, close } = await served({ ...healthy, live: false, dead: ["widgets"] });
  expect(await get("/healthz")).toMatchObject({
    status: 503,
    body: "neither heard of nor asking: widgets\n",
  });
  await close();
});

test("metrics come as Prometheus text, other paths and methods are refused", async () => {
  const { get, close } = await served(healthy);
  expect(await get("/metrics")).toEqual({
    status: 200,
    type: "text/plain; version=0.0.4; charset=utf-8",
    body: "# HELP x\n",
  });
  expect((await get("/")).status).toBe(404);
  expect((await get("/metrics", "POST")).status).toBe(405);
  await close();
});

test("a port in use is told in one line", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const options = { host: "127.0.0.1", port, health: () => healthy, metrics: () => "" };
  await expect(startServer(options)).rejects.toThrow(
    `cannot serve health and metrics on port ${port}: it is in use; set TIDEGATE_PORT`,
  );
  other.close();
});
