import { request } from "node:https";
import { expect, test } from "@jest/globals";
import type { ApiAnswer, ApiRequest } from "../../local/kube/api-request.ts";
import { newKubeCredentials } from "../../local/kube/kube-credentials.ts";
import { startKubeServer } from "../../local/kube/kube-server.ts";

async function served(lines: AsyncIterable<string>) {
  const { ca, tls, token } = newKubeCredentials();
  const answer: ApiAnswer = { status: 200, headers: {}, body: lines };
  const server = await startKubeServer({ handle: async () => answer, token, tls });
  /** The pieces of the answer, as they come. */
  const pieces = async function* (): AsyncGenerator<string> {
    const { promise, resolve, reject } = Promise.withResolvers<
      AsyncIterable<Buffer> & { headers: object }
    >();
    const headers = { authorization: `Bearer ${token}` };
    request(server.url, { ca, headers, agent: false }, resolve).once("error", reject).end();
    for await (const piece of await promise) yield piece.toString();
  };
  return { pieces, close: server.close };
}

test("lines that wait are sent in one piece, and none waits for the next", async () => {
  const got = Promise.withResolvers<void>();
  async function* lines() {
    yield "one";
    yield "two";
    yield "three";
    await got.promise;
    yield "four";
  }
  const { pieces, close } = await served(lines());
  const all: string[] = [];
  for await (const piece of pieces()) {
    all.push(piece);
    got.resolve();
  }
  expect(all).toEqual(["one\ntwo\nthree\n", "four\n"]);
  await close();
});

test("more lines than a connection takes at once come whole and in order", async () => {
  const texts = Array.from({ length: 3_000 }, (_, index) => `${index} ${"x".repeat(1_000)}`);
  async function* lines() {
    yield* texts;
  }
  const { pieces, close } = await served(lines());
  let text = "";
  for await (const piece of pieces()) text += piece;
  expect(text.length).toBe(texts.join("\n").length + 1);
  expect(text === `${texts.join("\n")}\n`).toBe(true);
  await close();
});

test.each([
  "/api/v1/namespaces/a/configmaps/..",
  "/api/v1/namespaces/a/configmaps/%2e%2e",
  "/api/v1/namespaces/a/../b/configmaps?limit=1?&x=%zz",
  `/api/v1/configmaps?labelSelector=${"x".repeat(100_000)}`,
])("hands on the path and query as they were sent: %.60s", async (path) => {
  const { ca, tls, token } = newKubeCredentials();
  const handle = async ({ path: at, query }: ApiRequest): Promise<ApiAnswer> => {
    return { status: 200, headers: {}, body: JSON.stringify([at, [...query]]) };
  };
  const server = await startKubeServer({ handle, token, tls });
  const headers = { authorization: `Bearer ${token}` };
  const answered = Promise.withResolvers<AsyncIterable<Buffer>>();
  const { hostname, port } = new URL(server.url);
  request({ hostname, port, path, ca, headers, agent: false }, answered.resolve).end();
  let text = "";
  for await (const piece of await answered.promise) text += piece.toString();
  const [at, ...query] = path.split("?");
  expect(JSON.parse(text)).toEqual([at, [...new URLSearchParams(query.join("?"))]]);
  await server.close();
});
