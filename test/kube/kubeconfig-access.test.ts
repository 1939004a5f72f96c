import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "@jest/globals";
import { kubeconfigAccess } from "../../shared/kube/kubeconfig-access.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { client, failureOf, loopback, pem } from "./loopback.ts";

const now = { renew: false };
const base64 = (text: string) => Buffer.from(text).toString("base64");

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
  readonly name?: string;
}

/** A kubeconfig of one context, as JSON, which is YAML. */
const config = ({ cluster, user, context, name = "test" }: Parts) =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server: "https://127.0.0.1:6443", ...cluster } }],
    users: [{ name, user: { ...user } }],
    contexts: [{ name, context: { cluster: name, user: name, ...context } }],
  });

async function folder() {
  const dir = await mkdtemp(join(tmpdir(), "tidegate-kubeconfig-"));
  const write = async (name: string, text: string) => {
    await writeFile(join(dir, name), text);
    return join(dir, name);
  };
  return { dir, write, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
}

test("a token, a CA in the file and the namespace", async () => {
  await using files = await folder();
  const file = await files.write(
    "config",
    config({
      cluster: { "certificate-authority-data": base64("CA"), "tls-server-name": "api" },
      user: { token: "token-1" },
      context: { namespace: "team" },
    }),
  );

  const access = await kubeconfigAccess({ file });

  expect(access).toMatchObject({
    server: "https://127.0.0.1:6443",
    context: "test",
    namespace: "team",
    tlsServerName: "api",
  });
  expect(access.insecureSkipTlsVerify).toBeUndefined();
  expect(await access.ca?.()).toBe("CA");
  expect(await access.authorization?.(now)).toBe("Bearer token-1");
});

test("files beside the kubeconfig are found from anywhere, and work against a server", async () => {
  await using files = await folder();
  await files.write("ca.pem", pem("ca-a"));
  await files.write("client.pem", pem("client-a"));
  await files.write("client-key.pem", pem("client-a-key"));
  await using server = await loopback(({ answer }) => answer(200, {}), {
    tls: {
      cert: pem("server-a"),
      key: pem("server-a-key"),
      ca: pem("ca-a"),
      requestCert: true,
      rejectUnauthorized: true,
    },
  });
  const file = await files.write(
    "config",
    config({
      cluster: { server: server.server, "certificate-authority": "ca.pem" },
      user: { "client-certificate": "client.pem", "client-key": "client-key.pem" },
    }),
  );

  using kube = client(await kubeconfigAccess({ file }));

  expect((await kube.request({ method: "GET", path: "/version" })).status).toBe(200);
});

test("a token file is read again when its token is refused", async () => {
  await using files = await folder();
  await files.write("token", "token-1\n");
  const file = await files.write("config", config({ user: { tokenFile: "token" } }));
  const access = await kubeconfigAccess({ file });

  expect(await access.authorization?.(now)).toBe("Bearer token-1");
  await files.write("token", "token-2\n");
  expect(await access.authorization?.({ renew: true })).toBe("Bearer token-2");
});

test("a kubeconfig whose token changed is read again when the old token is refused", async () => {
  await using files = await folder();
  const file = await files.write("config", config({ user: { token: "token-1" } }));
  const access = await kubeconfigAccess({ file });

  await files.write("config", config({ user: { token: "token-2" } }));

  expect(await access.authorization?.(now)).toBe("Bearer token-1");
  expect(await access.authorization?.({ renew: true })).toBe("Bearer token-2");
});

test("basic authentication, plain HTTP and unverified TLS", async () => {
  await using files = await folder();
  const file = await files.write(
    "config",
    config({
      cluster: { server: "http://127.0.0.1:8001" },
      user: { username: "a", password: "b" },
    }),
  );
  const unverified = await files.write(
    "unverified",
    config({ cluster: { "insecure-skip-tls-verify": true }, user: {} }),
  );

  const access = await kubeconfigAccess({ file });
  expect(await access.authorization?.(now)).toBe(`Basic ${base64("a:b")}`);
  expect(access.insecureSkipTlsVerify).toBeUndefined();
  expect((await kubeconfigAccess({ file: unverified })).insecureSkipTlsVerify).toBe(true);
});

/** An exec plugin that counts its runs in a file, and shows what it was told. */
async function plugin(files: Awaited<ReturnType<typeof folder>>, expiresInMs?: number) {
  const script = `#!${process.execPath}
const fs = require("node:fs");
const count = __dirname + "/count";
const run = fs.existsSync(count) ? Number(fs.readFileSync(count)) + 1 : 1;
fs.writeFileSync(count, String(run));
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const end = ${expiresInMs === undefined ? "undefined" : `new Date(Date.now() + ${expiresInMs}).toISOString()`};
console.log(JSON.stringify({ kind: info.kind, apiVersion: info.apiVersion, status: { token: process.argv[2] + run, expirationTimestamp: end } }));
`;
  await chmod(await files.write("plugin.cjs", script), 0o700);
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "./plugin.cjs",
    args: ["run-"],
    interactiveMode: "Never",
  };
  return files.write("config", config({ user: { exec } }));
}

test("B31: an exec plugin runs once for many, and again when its token is refused", async () => {
  await using files = await folder();
  const access = await kubeconfigAccess({ file: await plugin(files) });

  const first = await Promise.all([1, 2, 3].map(async () => access.authorization?.(now)));
  const second = await Promise.all(
    [1, 2, 3].map(async () => access.authorization?.({ renew: true })),
  );

  expect(new Set(first)).toEqual(new Set(["Bearer run-1"]));
  expect(new Set(second)).toEqual(new Set(["Bearer run-2"]));
});

test("B31: a plugin's token is replaced before it ends", async () => {
  await using files = await folder();
  const clock = new VirtualClock(Date.now());
  const access = await kubeconfigAccess({ file: await plugin(files, 15 * 60_000), clock });
  expect(await access.authorization?.(now)).toBe("Bearer run-1");

  await clock.advance(13 * 60_000);
  expect(await access.authorization?.(now)).toBe("Bearer run-1");
  await clock.advance(90_000);
  expect(await access.authorization?.(now)).toBe("Bearer run-2");
});

test("of several files the first that names something counts, and missing ones do not matter", async () => {
  await using files = await folder();
  const first = await files.write("first", config({ name: "a", user: { token: "one" } }));
  const second = await files.write("second", config({ name: "b", user: { token: "two" } }));
  const again = await files.write("again", config({ name: "a", user: { token: "three" } }));
  const file = [join(files.dir, "missing"), first, second, again].join(delimiter);

  const current = await kubeconfigAccess({ file });
  const named = await kubeconfigAccess({ file, context: "b" });

  expect([current.context, await current.authorization?.(now)]).toEqual(["a", "Bearer one"]);
  expect([named.context, await named.authorization?.(now)]).toEqual(["b", "Bearer two"]);
});

test("a kubeconfig that cannot be used is named in one line that says what to do", async () => {
  await using files = await folder();
  const file = join(files.dir, "config");
  const told = async (text: string, context?: string) => {
    await writeFile(file, text);
    return (await failureOf(kubeconfigAccess({ file, context }))).message;
  };
  const use = `cannot use kubeconfig ${file}`;

  expect((await failureOf(kubeconfigAccess({ file }))).message).toBe(
    `cannot read kubeconfig ${file}: ENOENT; name another with --kubeconfig or KUBECONFIG`,
  );
  expect(await told("a: b: hunter2\n  - token: hunter2")).toBe(
    `cannot read kubeconfig ${file}: line 1: bad indentation of a mapping entry; repair it, or name another with --kubeconfig or KUBECONFIG`,
  );
  expect(await told("")).toContain("expected a document, but the input is empty; repair it");
  expect(await told("hunter2")).toBe(
    `${use}: expected a current-context, got none; choose one with --context: none`,
  );
  expect(await told(config({ name: "a" }), "b")).toBe(
    `${use}: expected a context named "b", got a; name one of these, or repair the file`,
  );
  expect(await told(config({ context: { cluster: "x" } }))).toContain(
    'a cluster named "x", got test',
  );
  expect(await told(config({ context: { user: "x" } }))).toContain('a user named "x", got test');
  expect(await told(config({ cluster: { server: "127.0.0.1:6443" } }))).toBe(
    `${use}: expected server of cluster "test" to be an http or https URL, got "127.0.0.1:6443"; repair the file`,
  );
  expect(await told(config({ cluster: { "proxy-url": "http://p" } }))).toBe(
    `${use}: proxy-url of cluster "test" is not supported; choose a context without it`,
  );
  expect(await told(config({ user: { as: "root" } }))).toContain("as (impersonation)");
});

test("a plugin that fails is named, and what it printed is not shown", async () => {
  await using files = await folder();
  const told = async (command: string, args: readonly string[] = []) => {
    const file = await files.write("config", config({ user: { exec: { command, args } } }));
    return (await failureOf(kubeconfigAccess({ file }))).message.replace(file, "FILE");
  };
  const where = (command: string) =>
    `cannot get credentials from plugin ${command} of user "test" of kubeconfig FILE: `;
  const node = process.execPath;

  expect(await told("no-such-plugin")).toBe(
    `${where("no-such-plugin")}there is no such program; install it, or choose another context`,
  );
  expect(await told(node, ["-e", "console.log('hunter2')"])).toBe(
    `${where(node)}expected an ExecCredential as JSON, got something else; run it by hand to see`,
  );
  expect(await told(node, ["-e", "console.error('please log in'); process.exit(1)"])).toBe(
    `${where(node)}please log in`,
  );
});
