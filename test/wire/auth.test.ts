// Credentials that end while they are in use, over real connections: a server that refuses the old ones.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { eksAccess } from "../../shared/kube/eks-access.ts";
import { fileAccess } from "../../shared/kube/file-access.ts";
import { inClusterAccess } from "../../shared/kube/in-cluster-access.ts";
import type { KubeAccess, Transport } from "../../shared/kube/wire.ts";
import type { Exchange, Fault } from "../support/fault-proxy.ts";
import { reflecting } from "../support/reflecting.ts";
import { startWireCluster, type WireCluster } from "../support/wire-cluster.ts";

const LIST = { method: "GET", path: "/api/v1/namespaces/default/configmaps" } as const;
const UNAUTHORIZED: Fault = {
  kind: "answer",
  status: 401,
  body: `{ "kind": "Status", "code": 401 }`,
};

let cluster: WireCluster;
let dir = "";

beforeEach(async () => {
  cluster = await startWireCluster();
  dir = await mkdtemp(join(tmpdir(), "tidegate-auth-"));
});

afterEach(async () => {
  await cluster.close();
  await rm(dir, { recursive: true, force: true });
});

/** The proxy takes those whose header passes and puts the server's own token in its place. */
function admit(passes: (authorization: string, exchange: Exchange) => boolean): void {
  const { requests, token } = cluster;
  requests.plan = (exchange) =>
    passes(exchange.authorization, exchange)
      ? { kind: "as", authorization: `Bearer ${token}` }
      : UNAUTHORIZED;
}

const isWatch = ({ query }: Exchange) => query.get("watch") === "true";

/** The token that a request carried, of those that were sent. */
const sent = () => cluster.requests.seen.map(({ authorization }) => authorization);

async function status(transport: Transport): Promise<number> {
  const asked = transport.request(LIST);
  const [answered] = await Promise.all([asked, cluster.clock.advance(0)]);
  return answered.status;
}

/** Tokens that end 60 s after they were made, as AWS's presigned URLs do after 15 minutes. */
function shortTokens() {
  const { clock } = cluster;
  const made: string[] = [];
  const goodFor = 60_000;
  let token = "";
  const authorization: KubeAccess["authorization"] = async ({ renew }) => {
    const atMs = Number(token.split("@")[1]);
    if (token === "" || renew || clock.nowMs() - atMs >= goodFor / 2) {
      await Promise.resolve();
      token = `Bearer made@${clock.nowMs()}`;
      made.push(token);
    }
    return token;
  };
  const good = (header: string) => clock.nowMs() - Number(header.split("@")[1]) < goodFor;
  return { authorization, good, made };
}

test("B31: calls before, after and long after the end of a token are all answered", async () => {
  const { authorization, good } = shortTokens();
  admit(good);
  const transport = cluster.transport("requests", { authorization });
  for (const waitMs of [0, 35_000, 35_000, 1_200_000]) {
    await cluster.clock.advance(waitMs);
    expect(await status(transport)).toBe(200);
  }
});

test("B31: ten calls that are refused together renew once, and each is sent once more", async () => {
  let renewals = 0;
  let token = "old";
  const authorization: KubeAccess["authorization"] = async ({ renew }) => {
    if (!renew) return `Bearer ${token}`;
    renewals += 1;
    await cluster.clock.sleep(1_000); // All are refused before it has come.
    token = "new";
    return "Bearer new";
  };
  admit((header) => header === "Bearer new");
  const transport = cluster.transport("requests", { authorization });
  const all = Promise.all(Array.from({ length: 10 }, () => transport.request(LIST)));
  await cluster.clock.advance(2_000);
  expect((await all).map((answer) => answer.status)).toEqual(Array(10).fill(200));
  expect(renewals).toBe(1);
  expect(sent().filter((header) => header === "Bearer old")).toHaveLength(10);
  expect(sent()).toHaveLength(20);
});

test("B31: credentials that are refused for good are sent twice a call, not more", async () => {
  admit(() => false);
  const transport = cluster.transport("requests", { authorization: async () => "Bearer wrong" });
  expect(await status(transport)).toBe(401);
  expect(sent()).toHaveLength(2);
});

test("B31: a watch that is opened anew after the end of its token, and the list after it, carry a new one", async () => {
  const { authorization, good, made } = shortTokens();
  admit(good);
  const { clock } = cluster;
  const transport = cluster.transport("requests", { authorization });
  const reflected = reflecting({ clock, transport, namespace: "default" });
  void reflected.start();
  await clock.advance(70_000);
  cluster.requests.cut();
  await cluster.apply("created", "1");
  await clock.advance(20_000);
  expect(reflected.told).toHaveLength(1);
  expect(cluster.requests.seen.filter(isWatch).length).toBeGreaterThan(1);
  expect(new Set(sent())).toEqual(new Set(made));
  expect(reflected.reflector.health().unavailable).toBeUndefined();
  reflected.stop.abort();
});

test("B31: an EKS token is signed anew before its 15 minutes are over, and at once when it is refused", async () => {
  const { clock, requests } = cluster;
  const eks = eksAccess({
    server: requests.url,
    certificateAuthorityData: Buffer.from(requests.ca ?? "").toString("base64"),
    clusterName: "main",
    region: "eu-central-1",
    credentials: async () => ({ accessKeyId: "key", secretAccessKey: "secret" }),
    clock,
  });
  const refusedOnes = new Set<string>();
  admit((header) => header.startsWith("Bearer k8s-aws-v1.") && !refusedOnes.has(header));
  const transport = cluster.transport("requests", eks);
  expect(await status(transport)).toBe(200);
  await clock.advance(15 * 60_000);
  expect(await status(transport)).toBe(200);
  expect(new Set(sent()).size).toBe(2);
  refusedOnes.add(sent().at(-1) ?? "");
  await clock.advance(1_000); // A signature of the same second is the same.
  expect(await status(transport)).toBe(200);
  expect(new Set(sent()).size).toBe(3);
});

test("B32: a service account's token that was replaced is read at the first refusal, and within a minute without one", async () => {
  const write = (token: string) => writeFile(join(dir, "token"), token);
  await writeFile(join(dir, "ca.crt"), cluster.requests.ca ?? "");
  await write("a");
  const { port } = new URL(cluster.requests.url);
  const { clock } = cluster;
  const access = inClusterAccess({ host: "127.0.0.1", port, clock, dir });
  const transport = cluster.transport("requests", access);
  admit((header) => header === "Bearer a");
  expect(await status(transport)).toBe(200);
  await write("b");
  admit((header) => header === "Bearer b");
  expect(await status(transport)).toBe(200);
  expect(sent()).toEqual(["Bearer a", "Bearer a", "Bearer b"]);
  await write("c");
  admit((header) => header === "Bearer b" || header === "Bearer c");
  await clock.advance(60_000);
  expect(await status(transport)).toBe(200);
  expect(sent().at(-1)).toBe("Bearer c");
});

test("B32: a new CA is used for the next connection, and those that are open stay", async () => {
  const { requests, token, clock } = cluster;
  const file = join(dir, "access.json");
  const write = (ca: string) =>
    writeFile(file, JSON.stringify({ server: requests.url, ca, token }));
  await write(requests.ca ?? "");
  const access = await fileAccess(file, { clock });
  const transport = cluster.transport("requests", access);
  expect(await status(transport)).toBe(200);
  const other = await startWireCluster();
  await write(other.requests.ca ?? "");
  await other.close();
  expect(await status(transport)).toBe(200); // On the connection that is open.
  await clock.advance(31_000); // Nobody uses one that was idle for longer.
  await expect(status(transport)).rejects.toThrow(/certificate/);
  await write(requests.ca ?? "");
  expect(await status(transport)).toBe(200);
});
