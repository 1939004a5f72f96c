import { once } from "node:events";
import { expect, test } from "@jest/globals";
import { client, failureOf, type Got, loopback } from "./loopback.ts";

const watch = { method: "GET", path: "/api/v1/pods", query: { watch: "true" } } as const;

/** A server that writes these chunks, each when the one before was sent, and then ends as told. */
const writes =
  (
    chunks: readonly (string | Buffer)[],
    end: (got: Got) => void = ({ response }) => response.end(),
  ) =>
  (got: Got) => {
    got.response.writeHead(200, { "content-type": "application/json" });
    const next = (index: number): void => {
      const chunk = chunks[index];
      if (chunk === undefined) end(got);
      else got.response.write(chunk, () => setImmediate(next, index + 1));
    };
    next(0);
  };
const cut = ({ socket }: Got) => socket.destroySoon();

async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

test("lines come whole, though chunks split them and their characters", async () => {
  const bytes = Buffer.from('{"a":"grün €"}\n{"b":"🚀"}\n');
  const chunks = Array.from(bytes, (byte) => Buffer.from([byte]));
  await using server = await loopback(writes(chunks));
  using kube = client(server);

  const stream = await kube.stream(watch);

  expect(stream.status).toBe(200);
  expect(await linesOf(stream.lines)).toEqual(['{"a":"grün €"}', '{"b":"🚀"}']);
});

test("a last line without an end counts at a clean end", async () => {
  await using server = await loopback(writes(["one\ntwo\n\nth", "ree"]));
  using kube = client(server);

  const { lines } = await kube.stream(watch);

  expect(await linesOf(lines)).toEqual(["one", "two", "", "three"]);
});

test("10,000 lines come in order", async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `{"line":${index}}`);
  await using server = await loopback(writes([lines.map((line) => `${line}\n`).join("")]));
  using kube = client(server);

  const stream = await kube.stream(watch);

  expect(await linesOf(stream.lines)).toEqual(lines);
});

test("fails when the connection breaks off, after the lines that came", async () => {
  await using server = await loopback(writes(["one\n", "two\n", "thr"], cut));
  using kube = client(server);
  const { lines } = await kube.stream(watch);
  const came: string[] = [];

  const error = await failureOf(
    (async () => {
      for await (const line of lines) came.push(line);
    })(),
  );

  expect(came).toEqual(["one", "two"]);
  expect(error.message).toContain(`cannot GET ${server.server}/api/v1/pods: `);
});

test("fails when the connection broke off before anybody read", async () => {
  await using server = await loopback(writes(["one\n"], cut));
  using kube = client(server);
  const { lines } = await kube.stream(watch);
  const [{ socket }] = server.got as [Got];
  if (!socket.destroyed) await once(socket, "close");
  await new Promise((resolve) => setImmediate(resolve));

  expect(await failureOf(linesOf(lines))).toMatchObject({ cause: { code: "ECONNRESET" } });
});

test("close ends the lines and the connection", async () => {
  await using server = await loopback(writes(["one\n"], () => {}));
  using kube = client(server);
  const { lines, close } = await kube.stream(watch);
  const came: string[] = [];

  for await (const line of lines) {
    came.push(line);
    setImmediate(close); // While the next line is waited for.
  }

  expect(came).toEqual(["one"]);
  const [{ socket }] = server.got as [Got];
  if (!socket.destroyed) await once(socket, "close");
});

test("leaving the loop closes the connection", async () => {
  await using server = await loopback(writes(["one\n", "two\n"], () => {}));
  using kube = client(server);
  const { lines } = await kube.stream(watch);

  for await (const _ of lines) break;

  const [{ socket }] = server.got as [Got];
  if (!socket.destroyed) await once(socket, "close");
});

test("an abort ends the lines with the signal's reason", async () => {
  await using server = await loopback(writes(["one\n"], () => {}));
  using kube = client(server);
  const controller = new AbortController();
  const { lines } = await kube.stream({ ...watch, signal: controller.signal });

  const reading = failureOf(
    (async () => {
      for await (const _ of lines) setImmediate(() => controller.abort(new Error("stopping")));
    })(),
  );

  expect((await reading).message).toBe("stopping");
});

test("a stream may be silent for longer than an answer may take", async () => {
  const { promise: open, resolve } = Promise.withResolvers<Got>();
  await using server = await loopback(writes(["one\n"], resolve));
  using kube = client(server);
  const { lines } = await kube.stream(watch);
  const { response } = await open;

  await kube.clock.advance(3_600_000);
  response.end("two\n");

  expect(await linesOf(lines)).toEqual(["one", "two"]);
});

test("rejects when the head does not come in time", async () => {
  const { promise: asked, resolve } = Promise.withResolvers<Got>();
  await using server = await loopback(resolve);
  using kube = client(server);
  const opening = failureOf(kube.stream({ ...watch, timeoutMs: 7_000 }));
  await asked;

  await kube.clock.advance(7_000);

  expect((await opening).message).toContain("expected an answer within 7 s");
});

test("another status resolves, with the body as lines", async () => {
  await using server = await loopback(({ answer }) =>
    answer(429, { reason: "TooManyRequests" }, { "retry-after": "5" }),
  );
  using kube = client(server);

  const { status, headers, lines } = await kube.stream(watch);

  expect([status, headers["retry-after"]]).toEqual([429, "5"]);
  expect(await linesOf(lines)).toEqual(['{"reason":"TooManyRequests"}']);
});

test("a stream read to its end gives its connection back", async () => {
  await using server = await loopback(writes(["one\n"]));
  using kube = client(server);
  for (let i = 0; i < 3; i += 1) await linesOf((await kube.stream(watch)).lines);

  expect(server.connections).toBe(1);
});

test("what is not read is not fetched", async () => {
  const megabyte = Buffer.alloc(1_000_000, "x\n");
  let sent = 0;
  const { promise: full, resolve } = Promise.withResolvers<void>();
  await using server = await loopback(({ response }) => {
    response.writeHead(200);
    while (sent < 200 && response.write(megabyte)) sent += 1;
    const more = () => {
      sent += 1;
      if (sent >= 200 || !response.write(megabyte)) resolve();
    };
    response.on("drain", more);
    resolve();
  });
  using kube = client(server);
  const { lines, close } = await kube.stream(watch);
  await full;
  for (let turn = 0; turn < 200; turn += 1) await new Promise((go) => setImmediate(go));

  expect(sent).toBeLessThan(100);
  let count = 0;
  for await (const _ of lines) {
    count += 1;
    if (count === 1_000_000) break;
  }
  close();
  expect(count).toBe(1_000_000);
});

test("fails on a line longer than the limit", async () => {
  await using server = await loopback(writes(["x".repeat(600), "x".repeat(600)]));
  using kube = client(server, { limits: { maxBodyBytes: 1_000 } });
  const { lines } = await kube.stream(watch);

  await expect(linesOf(lines)).rejects.toThrow("expected lines of at most 1000 characters");
});
