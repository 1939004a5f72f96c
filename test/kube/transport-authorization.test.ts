import { inspect } from "node:util";
import { expect, test } from "@jest/globals";
import { Authorizer } from "../../shared/kube/authorizer.ts";
import type { KubeAccess } from "../../shared/kube/wire.ts";
import { client, failureOf, type Got, loopback } from "./loopback.ts";

const read = { method: "GET", path: "/api/v1/nodes" } as const;

/** A server that takes one token, and an access that gets the next token when one is refused. */
async function guarded({ renewalTurns = 1 } = {}) {
  const state = { good: "token-1", asked: 0, renewed: 0 };
  const server = await loopback(({ headers, answer }) => {
    const good = headers.authorization === `Bearer ${state.good}`;
    answer(good ? 200 : 401, { fine: good });
  });
  let token = "token-1";
  const access: KubeAccess = {
    server: server.server,
    authorization: async ({ renew }) => {
      state.asked += 1;
      if (renew) {
        state.renewed += 1;
        for (let turn = 0; turn < renewalTurns; turn += 1) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        token = state.good;
      }
      return `Bearer ${token}`;
    },
  };
  return { state, server, access, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("T3: a refused token is renewed and the request sent once more", async () => {
  await using cluster = await guarded();
  using kube = client(cluster.access);
  await kube.request(read);

  cluster.state.good = "token-2";

  expect((await kube.request(read)).status).toBe(200);
  expect(cluster.state.renewed).toBe(1);
  expect(cluster.server.connections).toBe(1);
});

test.each([
  ["at once", 0],
  ["before the last is refused", 1],
  ["long after", 100],
])(
  "T3: ten requests refused together renew once, where that is through %s",
  async (_, renewalTurns) => {
    await using cluster = await guarded({ renewalTurns });
    using kube = client(cluster.access);
    cluster.state.good = "token-2";

    const answers = await Promise.all(Array.from({ length: 10 }, () => kube.request(read)));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(cluster.state.renewed).toBe(1);
  },
);

test("T3: who looked before a renewal, and saw after it, does not renew again", async () => {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  let [token, looks, renewals] = ["old", 0, 0];
  const authorizer = new Authorizer(async ({ renew }) => {
    if (renew) {
      renewals += 1;
      token = "new";
      return token;
    }
    looks += 1;
    return looks === 1 ? late : token;
  });

  const first = authorizer.renewed("old");
  expect(await authorizer.renewed("old")).toBe("new");
  resolve("old");

  expect([await first, renewals]).toEqual(["new", 1]);
});

test("T3: a stream whose token is refused opens with a new one", async () => {
  await using cluster = await guarded();
  using kube = client(cluster.access);
  cluster.state.good = "token-2";

  const { status, lines } = await kube.stream(read);

  expect(status).toBe(200);
  for await (const line of lines) expect(line).toBe('{"fine":true}');
});

test("T3: a second refusal is the answer", async () => {
  await using server = await loopback(({ answer }) => answer(401, { reason: "Unauthorized" }));
  using kube = client({ server: server.server, authorization: async () => "Bearer a" });

  expect((await kube.request(read)).status).toBe(401);
  expect(server.got).toHaveLength(2);
});

test("a refusal without authorization is the answer", async () => {
  await using server = await loopback(({ answer }) => answer(401, {}));
  using kube = client(server);

  expect((await kube.request(read)).status).toBe(401);
  expect(server.got).toHaveLength(1);
});

test("a renewal that fails is told, and tried again by the next request", async () => {
  await using server = await loopback(({ answer }) => answer(401, {}));
  let renewals = 0;
  using kube = client({
    server: server.server,
    authorization: async ({ renew }) => {
      if (!renew) return "Bearer old";
      renewals += 1;
      throw new Error("cannot read the token");
    },
  });

  for (let i = 0; i < 2; i += 1) {
    await expect(kube.request(read)).rejects.toThrow("cannot read the token");
  }
  expect(renewals).toBe(2);
});

const hang = new AbortController();
test.each<[string, (got: Got) => void]>([
  ["resets", ({ socket }) => void socket.resetAndDestroy()],
  [
    "breaks its answer off",
    ({ response, socket }) => void response.write("{", () => socket.destroy()),
  ],
  ["sends no HTTP", ({ socket }) => void socket.end("SSH-2.0-OpenSSH_9.9\r\n")],
  [
    "sends broken JSON",
    ({ response }) => void response.setHeader("content-type", "application/json").end("{"),
  ],
  ["hangs until the request is aborted", () => hang.abort(new Error("stopping"))],
])("T4: a server that %s gets no secret into the error", async (_, act) => {
  await using server = await loopback(act);
  using kube = client({
    server: server.server.replace("http://", "http://user:hunter2@"),
    authorization: async () => "Bearer hunter2",
  });

  const error = await failureOf(
    kube.request({
      method: "POST",
      path: "/api/v1/namespaces/a/secrets",
      query: { fieldManager: "hunter2" },
      body: { stringData: { password: "hunter2" } },
      signal: hang.signal,
    }),
  );

  const shown = [error.message, error.stack, JSON.stringify(error), inspect(error, { depth: 9 })];
  expect(shown.join("\n")).not.toContain("hunter2");
});
