import { expect, test } from "@jest/globals";
import type { KubeRequest } from "../../shared/kube/wire.ts";
import { client, failureOf, type Got, loopback } from "./loopback.ts";

const read: KubeRequest = { method: "GET", path: "/api/v1/namespaces/default/configmaps/web" };
const write = (method: "POST" | "PUT" | "PATCH", metadata: object): KubeRequest => ({
  method,
  path: "/api/v1/namespaces/default/configmaps",
  body: { metadata },
});
const fine = ({ answer }: Got) => answer(200, { fine: true });

test("answers come with status, headers and parsed body", async () => {
  await using server = await loopback(({ answer }) => answer(404, { reason: "NotFound" }));
  using kube = client(server);

  const response = await kube.request(read);

  expect(response).toMatchObject({
    status: 404,
    headers: { "content-type": "application/json" },
    body: { reason: "NotFound" },
  });
});

test("a request carries its query, body, content type and the server's own path", async () => {
  await using server = await loopback(fine);
  using kube = client({ server: `${server.server}/clusters/a/` });

  await kube.request({
    method: "PATCH",
    path: "/api/v1/nodes/n%3A1",
    query: { fieldManager: "a b", force: "true" },
    body: { text: "grün", "x-kubernetes-int-or-string": true },
    contentType: "application/apply-patch+yaml",
  });

  const [got] = server.got;
  expect(got).toMatchObject({
    method: "PATCH",
    url: "/clusters/a/api/v1/nodes/n%3A1?fieldManager=a+b&force=true",
    body: '{"text":"grün","x-kubernetes-int-or-string":true}',
  });
  expect(got?.headers).toMatchObject({
    accept: "application/json",
    "content-type": "application/apply-patch+yaml",
    "content-length": "50",
    host: `127.0.0.1:${server.port}`,
  });
});

test("a text that is no JSON stays text", async () => {
  await using server = await loopback(({ response }) => {
    response.writeHead(200, { "content-type": "text/plain" }).end("ok");
  });
  using kube = client(server);

  expect((await kube.request(read)).body).toBe("ok");
});

test("rejects a success whose JSON is broken, without quoting it", async () => {
  await using server = await loopback(({ response }) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"password": hunter2');
  });
  using kube = client(server);

  const error = await failureOf(kube.request(read));

  expect(error.message).toBe(
    `cannot GET ${server.server}${read.path}: expected JSON, got 20 bytes that are none`,
  );
  expect(JSON.stringify(error) + error.stack).not.toContain("hunter2");
});

test("requests one after the other share one connection", async () => {
  await using server = await loopback(fine);
  using kube = client(server);

  for (let i = 0; i < 20; i += 1) await kube.request(read);

  expect(server.connections).toBe(1);
});

test("requests side by side take as many connections and no more", async () => {
  await using server = await loopback(fine);
  using kube = client(server);

  for (let i = 0; i < 5; i += 1) {
    await Promise.all(Array.from({ length: 4 }, () => kube.request(read)));
  }

  expect(server.connections).toBe(4);
});

test.each([
  [29_000, 1],
  [31_000, 2],
])("T1: after %i ms without requests there have been %i connections", async (idleMs, count) => {
  await using server = await loopback(fine);
  using kube = client(server);
  await kube.request(read);

  kube.clock.step(idleMs); // Of the wall clock: a frozen process runs no timers.
  await kube.request(read);

  expect(server.connections).toBe(count);
});

test("T1: a connection used shortly before the wall clock was set back is not used", async () => {
  await using server = await loopback(fine);
  using kube = client(server);
  await kube.request(read);

  kube.clock.step(-3_600_000);
  await kube.request(read);

  expect(server.connections).toBe(2);
});

/** Resets every second request of a connection. */
const resets = ({ turn, socket, answer }: Got) => {
  if (turn > 1) socket.resetAndDestroy();
  else answer(200, {});
};

test.each<[string, KubeRequest]>([
  ["a GET", read],
  ["a DELETE", { ...read, method: "DELETE" }],
  ["a PUT that names a version", write("PUT", { name: "web", resourceVersion: "7" })],
  ["a POST of an object with a name", write("POST", { name: "web" })],
  ["an apply", { ...write("PATCH", {}), contentType: "application/apply-patch+yaml" }],
])("T2: %s that a kept connection resets is sent once more", async (_, request) => {
  await using server = await loopback(resets);
  using kube = client(server);
  await kube.request(read);

  expect((await kube.request(request)).status).toBe(200);

  expect(server.got.map(({ connection }) => connection)).toEqual([1, 1, 2]);
});

test.each<[string, KubeRequest]>([
  ["a POST with a generated name", write("POST", { generateName: "web-" })],
  ["a PUT without a version", write("PUT", { name: "web" })],
  ["a merge patch", { ...write("PATCH", {}), contentType: "application/merge-patch+json" }],
  ["a JSON patch", { ...write("PATCH", {}), contentType: "application/json-patch+json" }],
])("T2: %s that a kept connection resets rejects", async (_, request) => {
  await using server = await loopback(resets);
  using kube = client(server);
  await kube.request(read);

  await expect(kube.request(request)).rejects.toThrow("ECONNRESET");

  expect(server.got).toHaveLength(2);
});

test("T2: a connection that ends, as a stopping server ends it, is as good as a reset one", async () => {
  await using server = await loopback(({ turn, socket, answer }) => {
    if (turn > 1) socket.end();
    else answer(200, {});
  });
  using kube = client(server);
  await kube.request(read);

  expect((await kube.request(read)).status).toBe(200);
});

test("T2: the second try takes no other kept connection", async () => {
  await using server = await loopback(resets);
  using kube = client(server);
  await Promise.all([1, 2, 3].map(() => kube.request(read)));

  expect((await kube.request(read)).status).toBe(200);
  expect(server.connections).toBe(4);
});

test("T2: a reset of a new connection is not tried again", async () => {
  await using server = await loopback(({ socket }) => socket.resetAndDestroy());
  using kube = client(server);

  await expect(kube.request(read)).rejects.toThrow("ECONNRESET");
  expect(server.got).toHaveLength(1);
});

test("T2: a reset of the second try is not tried again", async () => {
  await using server = await loopback(({ socket, answer, connection, turn }) => {
    if (connection > 1 || turn > 1) socket.resetAndDestroy();
    else answer(200, {});
  });
  using kube = client(server);
  await kube.request(read);

  await expect(kube.request(read)).rejects.toThrow("ECONNRESET");
  expect(server.got).toHaveLength(3);
});

test("T2: a reset after the first byte of an answer is not tried again", async () => {
  await using server = await loopback(({ turn, socket, answer }) => {
    if (turn === 1) return answer(200, {});
    return socket.write("H", () => setImmediate(() => socket.resetAndDestroy()));
  });
  using kube = client(server);
  await kube.request(read);

  await expect(kube.request(read)).rejects.toThrow("cannot GET");
  expect(server.got).toHaveLength(2);
});

test("rejects an answer that is cut in mid-body", async () => {
  await using server = await loopback(({ response, socket }) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write('{"items":[]}', () => socket.destroySoon());
  });
  using kube = client(server);

  await expect(kube.request(read)).rejects.toThrow(`cannot GET ${server.server}${read.path}`);
});

test("rejects an answer longer than the limit", async () => {
  await using server = await loopback(({ answer }) => answer(200, { text: "x".repeat(2_000) }));
  using kube = client(server, { limits: { maxBodyBytes: 1_000 } });

  await expect(kube.request(read)).rejects.toThrow("expected at most 1000 bytes, got more");
});

test("names the server and what to check when nobody listens", async () => {
  const gone = await loopback(fine);
  await gone[Symbol.asyncDispose]();
  using kube = client(gone);

  await expect(kube.request(read)).rejects.toThrow(
    `cannot GET ${gone.server}${read.path}: connect ECONNREFUSED 127.0.0.1:${gone.port}; check that the API server runs and can be reached from here`,
  );
});

test("warnings of the server go to the log, each text once", async () => {
  const warning = '299 - "batch/v1beta1 CronJob is deprecated", 299 - "unknown field \\"spec.x\\""';
  await using server = await loopback(({ answer }) => answer(200, {}, { warning }));
  const lines: unknown[] = [];
  const note = (message: string, fields?: object) => lines.push([message, fields]);
  using kube = client(server, { log: { debug: note, info: note, warn: note, error: note } });

  await kube.request(read);
  await kube.request(read);

  expect(lines).toEqual([
    ["the API server warns", { warning: "batch/v1beta1 CronJob is deprecated" }],
    ["the API server warns", { warning: 'unknown field "spec.x"' }],
  ]);
});
