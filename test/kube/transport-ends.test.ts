import { getEventListeners, once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { client, failureOf, type Got, type Loopback, loopback } from "./loopback.ts";

const read = { method: "GET", path: "/api/v1/nodes/a" } as const;

/** A server that tells when it got a request, and does with it what the test says. */
async function waiting(act: (got: Got) => void = () => {}): Promise<{
  server: Loopback;
  got: Promise<Got>;
  [Symbol.asyncDispose]: () => PromiseLike<void>;
}> {
  const { promise: got, resolve } = Promise.withResolvers<Got>();
  const server = await loopback((request) => {
    act(request);
    resolve(request);
  });
  return { server, got, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("rejects when the server does not answer within 30 s, and closes the connection", async () => {
  await using hanging = await waiting();
  using kube = client(hanging.server);
  const answer = failureOf(kube.request(read));
  const { socket } = await hanging.got;

  await kube.clock.advance(29_999);
  expect(socket.destroyed).toBe(false);
  await kube.clock.advance(1);

  expect((await answer).message).toBe(
    `cannot GET ${hanging.server.server}/api/v1/nodes/a: expected an answer within 30 s, got none that is whole`,
  );
  if (!socket.destroyed) await once(socket, "close");
});

test("rejects an answer that is begun and not finished in the time of the request", async () => {
  await using slow = await waiting(({ response }) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
  });
  using kube = client(slow.server);
  const answer = failureOf(kube.request({ ...read, timeoutMs: 5_000 }));
  const { response } = await slow.got;

  await kube.clock.advance(4_000);
  response.write(" ");
  await kube.clock.advance(1_000);

  expect((await answer).message).toContain("expected an answer within 5 s");
});

test("rejects when no connection is made within 10 s", async () => {
  // It takes connections and never says a word, so TLS does not come about.
  const mute = createServer().listen(0, "127.0.0.1");
  const connected = once(mute, "connection");
  await once(mute, "listening");
  const { port } = mute.address() as AddressInfo;
  using kube = client({ server: `https://127.0.0.1:${port}`, insecureSkipTlsVerify: true });
  const answer = failureOf(kube.request(read));
  const [accepted] = (await connected) as [Socket];

  await kube.clock.advance(10_000);

  expect((await answer).message).toContain("expected a connection within 10 s, got none");
  accepted.destroy();
  await new Promise((resolve) => mute.close(resolve));
});

test("an aborted request rejects with the signal's reason and closes the connection", async () => {
  await using hanging = await waiting();
  using kube = client(hanging.server);
  const controller = new AbortController();
  const answer = failureOf(kube.request({ ...read, signal: controller.signal }));
  const { socket } = await hanging.got;

  const reason = new Error("the run is over");
  controller.abort(reason);

  expect(await answer).toBe(reason);
  if (!socket.destroyed) await once(socket, "close");
});

test("an abort while the body is read rejects with the signal's reason", async () => {
  await using slow = await waiting(({ response }) => void response.writeHead(200).write("{"));
  using kube = client(slow.server);
  const controller = new AbortController();
  const answer = failureOf(kube.request({ ...read, signal: controller.signal }));
  await slow.got;

  controller.abort(new Error("the run is over"));

  expect((await answer).message).toBe("the run is over");
});

test("with an aborted signal nothing is sent", async () => {
  await using server = await loopback(({ answer }) => answer(200, {}));
  using kube = client(server);

  const error = await failureOf(
    kube.request({ ...read, signal: AbortSignal.abort(new Error("a")) }),
  );

  expect(error.message).toBe("a");
  expect(server.connections).toBe(0);
});

test("an abort does not wait for an authorization that hangs", async () => {
  await using server = await loopback(({ answer }) => answer(200, {}));
  using kube = client({
    server: server.server,
    authorization: () => new Promise(() => {}),
  });
  const controller = new AbortController();
  const answer = failureOf(kube.request({ ...read, signal: controller.signal }));

  controller.abort(new Error("the run is over"));

  expect((await answer).message).toBe("the run is over");
});

test("close ends what is under way and kept, and refuses what comes later", async () => {
  await using hanging = await waiting(({ url, answer }) => {
    if (url.endsWith("/quick")) answer(200, {});
  });
  const kube = client(hanging.server);
  await kube.request({ ...read, path: "/quick" });
  const answers = [1, 2].map(() => failureOf(kube.request(read)));
  await Promise.all(answers.map(() => hanging.got));

  kube.close();

  for (const { message } of await Promise.all(answers)) {
    expect(message).toContain("the transport is closed");
  }
  await expect(kube.request(read)).rejects.toThrow("the transport is closed");
});

test("a connection that is made after close is closed, too", async () => {
  const { promise: accepted, resolve } = Promise.withResolvers<Socket>();
  const listener = createServer(resolve).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const kube = client({ server: `http://127.0.0.1:${port}` });
  const answer = failureOf(kube.request(read));
  // Until it connects, which takes a turn of the event loop.
  for (let step = 0; step < 20; step += 1) await Promise.resolve();

  kube.close();
  await answer;

  const socket = (await accepted).resume();
  await once(socket, "close");
  await new Promise((closed) => listener.close(closed));
});

test("a long-lived signal keeps no listener of the requests that it was given to", async () => {
  await using server = await loopback(({ answer }) => answer(200, {}));
  using kube = client(server);
  const { signal } = new AbortController();

  await Promise.all([1, 2, 3].map(() => kube.request({ ...read, signal })));

  expect(getEventListeners(signal, "abort")).toEqual([]);
});
