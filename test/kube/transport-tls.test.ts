import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { expect, test } from "@jest/globals";
import { client, failureOf, type Got, loopback, pem } from "./loopback.ts";

const read = { method: "GET", path: "/version" } as const;
const fine = ({ answer }: Got) => answer(200, {});
const identity = (name: string) => ({ cert: pem(name), key: pem(`${name}-key`) });
const caA = async () => pem("ca-a");

test("a server whose certificate the CA signed is trusted, and the connection kept", async () => {
  await using server = await loopback(fine, { tls: identity("server-a") });
  using kube = client({ server: server.server, ca: caA });

  for (let i = 0; i < 5; i += 1) expect((await kube.request(read)).status).toBe(200);

  expect(server.connections).toBe(1);
});

test("rejects another CA's server, and says what to check", async () => {
  await using server = await loopback(fine, { tls: identity("server-b") });
  using kube = client({ server: server.server, ca: caA });

  await expect(kube.request(read)).rejects.toThrow(
    /unable to verify the first certificate.*; check the CA, and the name/,
  );
  expect(server.got).toEqual([]);
});

test("rejects a server of another name, unless that is the name to expect", async () => {
  await using server = await loopback(fine, { tls: identity("named-a") });
  using kube = client({ server: server.server, ca: caA });
  using named = client({ server: server.server, ca: caA, tlsServerName: "api.example.test" });

  await expect(kube.request(read)).rejects.toThrow(/altnames.*; check the CA, and the name/);
  expect((await named.request(read)).status).toBe(200);
});

test("no certificate is looked at with insecureSkipTlsVerify", async () => {
  await using server = await loopback(fine, { tls: identity("server-b") });
  using kube = client({ server: server.server, ca: caA, insecureSkipTlsVerify: true });

  expect((await kube.request(read)).status).toBe(200);
});

test("B32: a new CA is followed from the next connection on", async () => {
  let ca = pem("ca-a");
  const first = await loopback(fine, { tls: identity("server-a") });
  using kube = client({ server: first.server, ca: async () => ca });
  expect((await kube.request(read)).status).toBe(200);

  await first[Symbol.asyncDispose]();
  await using _second = await loopback(fine, { port: first.port, tls: identity("server-b") });
  await expect(kube.request(read)).rejects.toThrow("unable to verify");
  ca = pem("ca-b");

  expect((await kube.request(read)).status).toBe(200);
});

test("a client certificate is shown, and read anew for each connection", async () => {
  await using server = await loopback(
    ({ socket, answer }) => answer(200, (socket as TLSSocket).getPeerCertificate().subject),
    { tls: { ...identity("server-a"), ca: pem("ca-a"), requestCert: true } },
  );
  let reads = 0;
  using kube = client({
    server: server.server,
    ca: caA,
    certificate: async () => {
      reads += 1;
      return identity("client-a");
    },
  });

  expect((await kube.request(read)).body).toMatchObject({ CN: "tidegate test fixture client" });
  kube.clock.step(60_000);
  await kube.request(read);

  expect(reads).toBe(2);
});

test("T2: a kept TLS connection that the server closed in good order is as good as a reset one", async () => {
  await using server = await loopback(
    ({ turn, socket, answer }) => {
      if (turn > 1) socket.end();
      else answer(200, {});
    },
    { tls: identity("server-a") },
  );
  using kube = client({ server: server.server, ca: caA });
  await kube.request(read);

  expect((await kube.request(read)).status).toBe(200);
  expect(server.connections).toBe(2);
});

test("a server that went away while nothing was asked is not noticed at the next request", async () => {
  await using server = await loopback(fine, { tls: identity("server-a") });
  using kube = client({ server: server.server, ca: caA });
  await kube.request(read);
  const [{ socket }] = server.got as [Got];

  socket.destroy();
  await once(socket, "close");

  expect((await kube.request(read)).status).toBe(200);
});

test("rejects with the reader's own words when the CA cannot be read", async () => {
  await using server = await loopback(fine, { tls: identity("server-a") });
  const ca = async () => {
    throw new Error("cannot read /ca.crt: ENOENT");
  };
  using kube = client({ server: server.server, ca });

  const error = await failureOf(kube.request(read));

  expect(error.message).toBe(`cannot GET ${server.server}/version: cannot read /ca.crt: ENOENT`);
});
