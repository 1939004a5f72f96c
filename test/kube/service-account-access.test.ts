import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { fileAccess } from "../../shared/kube/file-access.ts";
import { inClusterAccess } from "../../shared/kube/in-cluster-access.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { client, failureOf, type Got, loopback, pem } from "./loopback.ts";

const read = { method: "GET", path: "/api/v1/nodes" } as const;
const now = { renew: false };

async function folder() {
  const dir = await mkdtemp(join(tmpdir(), "tidegate-access-"));
  return {
    dir,
    write: (name: string, text: string) => writeFile(join(dir, name), text),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true }),
  };
}

async function serviceAccount() {
  const files = await folder();
  const clock = new VirtualClock();
  await files.write("token", "token-1\n");
  await files.write("ca.crt", pem("ca-a"));
  await files.write("namespace", "tidegate");
  const access = inClusterAccess({ host: "10.0.0.1", port: "443", clock, dir: files.dir });
  return { ...files, clock, access };
}

test("a pod's access is that of its service account", async () => {
  await using pod = await serviceAccount();

  expect(pod.access.server).toBe("https://10.0.0.1:443");
  expect(await pod.access.ca?.()).toBe(pem("ca-a").trim());
  expect(await pod.access.authorization?.(now)).toBe("Bearer token-1");
  expect(await pod.access.namespace()).toBe("tidegate");
});

test("an IPv6 address gets brackets", () => {
  const clock = new VirtualClock();

  expect(inClusterAccess({ host: "fd00::1", port: "443", clock }).server).toBe(
    "https://[fd00::1]:443",
  );
});

test("B32: a rotated token is used within a minute", async () => {
  await using pod = await serviceAccount();
  await pod.access.authorization?.(now);
  await pod.write("token", "token-2");

  await pod.clock.advance(59_999);
  expect(await pod.access.authorization?.(now)).toBe("Bearer token-1");
  await pod.clock.advance(1);
  expect(await pod.access.authorization?.(now)).toBe("Bearer token-2");
});

test("B32: a rotated token is used at once when the old one is refused", async () => {
  await using pod = await serviceAccount();
  let good = "token-1";
  const identity = { cert: pem("server-a"), key: pem("server-a-key") };
  await using server = await loopback(
    ({ headers, answer }: Got) =>
      answer(headers.authorization === `Bearer ${good}` ? 200 : 401, {}),
    { tls: identity },
  );
  using kube = client({ ...pod.access, server: server.server });
  expect((await kube.request(read)).status).toBe(200);

  good = "token-2";
  await pod.write("token", "token-2");

  expect((await kube.request(read)).status).toBe(200);
});

test("B32: a rotated CA is read for the next connection", async () => {
  await using pod = await serviceAccount();
  await pod.write("ca.crt", pem("ca-b"));

  expect(await pod.access.ca?.()).toBe(pem("ca-b").trim());
});

test("says what to do outside a pod", async () => {
  const clock = new VirtualClock();
  const access = inClusterAccess({ host: "10.0.0.1", port: "443", clock, dir: "/nowhere" });

  expect(() => inClusterAccess({ host: undefined, port: "443", clock })).toThrow(
    "cannot reach the cluster from inside: expected KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, got none and 443; run in a pod, or use a kubeconfig",
  );
  await expect(access.authorization?.(now)).rejects.toThrow(
    "cannot read /nowhere/token: ENOENT; run in a pod whose service account token is mounted",
  );
});

test("an access file gives all that it holds, and is followed when it changes", async () => {
  await using files = await folder();
  const clock = new VirtualClock();
  const path = join(files.dir, "access.json");
  const content = { server: "https://a:6443", ca: "CA", cert: "C", key: "K", tlsServerName: "b" };
  await files.write("access.json", JSON.stringify({ ...content, token: "token-1" }));
  const access = await fileAccess(path, { clock });

  expect(access).toMatchObject({ server: "https://a:6443", tlsServerName: "b" });
  expect(await access.ca?.()).toBe("CA");
  expect(await access.certificate?.()).toEqual({ cert: "C", key: "K" });
  expect(await access.authorization?.(now)).toBe("Bearer token-1");

  await files.write("access.json", JSON.stringify({ server: content.server, token: "Basic YTpi" }));
  expect(await access.ca?.()).toBeUndefined();
  expect(await access.certificate?.()).toBeUndefined();
  expect(await access.authorization?.(now)).toBe("Bearer token-1");
  expect(await access.authorization?.({ renew: true })).toBe("Basic YTpi");
  await files.write("access.json", JSON.stringify({ server: content.server }));
  await clock.advance(60_000);
  expect(await access.authorization?.(now)).toBeUndefined();
});

test("an access file that cannot be used is named, and not quoted", async () => {
  await using files = await folder();
  const path = join(files.dir, "access.json");
  const open = () => failureOf(fileAccess(path, { clock: new VirtualClock() }));

  expect((await open()).message).toBe(`cannot read access file ${path}: ENOENT`);
  await files.write("access.json", "hunter2");
  expect((await open()).message).toBe(`cannot read access file ${path}: expected JSON, got none`);
  await files.write("access.json", '{"server":"hunter2"}');
  expect((await open()).message).toBe(
    `cannot use access file ${path}: expected "server" to be a URL`,
  );
});
