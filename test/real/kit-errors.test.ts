import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { KitPlace, outputOf } from "./kit-run.ts";

// What the testing kit says of an API server that it cannot have. Needs none.

const TEST_LIMIT_MS = 30_000;

let place: KitPlace;

beforeEach(async () => {
  place = await KitPlace.make({});
});
afterEach(() => place.remove());

const file = (name: string) => join(place.folder, name);

async function errorWith(env: NodeJS.ProcessEnv): Promise<string> {
  const { error } = await outputOf(place.program(PROGRAM, env));
  return error.replaceAll(place.folder, "DIR");
}

const PROGRAM = `
  import { ConfigMap, defineController } from "tidegate";
  import { startEnvironment } from "tidegate/testing";
  const controller = defineController({ name: "idle", for: ConfigMap });
  await startEnvironment({ controllers: [[controller, { reconcile: async () => {} }]] })
    .catch((error) => { process.stderr.write(error.message); });
`;

/** Programs that do as this script does. */
async function programs(script: string): Promise<string> {
  for (const name of ["etcd", "kube-apiserver"]) {
    await writeFile(file(name), script);
    await chmod(file(name), 0o755);
  }
  return place.folder;
}

test(
  "a folder or a program that is missing is one line",
  async () => {
    expect(await errorWith({ KUBEBUILDER_ASSETS: file("none") })).toBe(
      "no program DIR/none/etcd: KUBEBUILDER_ASSETS is expected to name a folder that holds etcd and kube-apiserver, got no such folder; name another one, or unset it",
    );
    await mkdir(file("empty"));
    expect(await errorWith({ KUBEBUILDER_ASSETS: file("empty") })).toContain("got none; name");
  },
  TEST_LIMIT_MS,
);

test(
  "a program that does not run, or ends, is told with what it said",
  async () => {
    const KUBEBUILDER_ASSETS = await programs("no program of this machine\n");
    expect(await errorWith({ KUBEBUILDER_ASSETS })).toMatch(
      /^cannot start DIR\/etcd: expected a program to run, got |^cannot start etcd: expected it to run on, and it ended; /,
    );
    await programs("#!/bin/sh\necho out of luck\nexit 1\n");
    const error = await errorWith({ KUBEBUILDER_ASSETS });
    expect(error).toMatch(
      /^cannot start etcd: expected it to run on, and it ended; its last lines/,
    );
    expect(error).toMatch(/out of luck$/);
    expect((await place.left()).filter((name) => name.startsWith("tidegate"))).toEqual([]);
  },
  TEST_LIMIT_MS,
);

test(
  "without a shell nothing is started, for nothing would end it",
  async () => {
    const KUBEBUILDER_ASSETS = await programs("#!/bin/sh\nexec sleep 20\n");
    const error = await errorWith({ KUBEBUILDER_ASSETS, PATH: file("none") });
    expect(error).toBe(
      "cannot start the shell that guards it: expected a program to run, got ENOENT",
    );
    expect(await place.left()).toEqual([]);
  },
  TEST_LIMIT_MS,
);

test(
  "a kubeconfig that cannot be read, and a server that is away, are one line",
  async () => {
    const TIDEGATE_KUBECONFIG = file("kubeconfig");
    expect(await errorWith({ TIDEGATE_KUBECONFIG })).toMatch(
      /^cannot test against the cluster of TIDEGATE_KUBECONFIG=DIR\/kubeconfig: cannot read kubeconfig .*ENOENT.*; or unset it, and the cluster is in memory$/,
    );
    await writeFile(TIDEGATE_KUBECONFIG, AWAY);
    expect(await errorWith({ TIDEGATE_KUBECONFIG })).toMatch(
      /^cannot test against the cluster of TIDEGATE_KUBECONFIG=DIR\/kubeconfig: .*ECONNREFUSED.*; or unset it, and the cluster is in memory$/,
    );
  },
  TEST_LIMIT_MS,
);

test(
  "TIDEGATE_KUBECONFIG goes before KUBEBUILDER_ASSETS",
  async () => {
    const env = { TIDEGATE_KUBECONFIG: file("kubeconfig"), KUBEBUILDER_ASSETS: file("none") };
    expect(await errorWith(env)).toContain("TIDEGATE_KUBECONFIG=DIR/kubeconfig");
  },
  TEST_LIMIT_MS,
);

/** Nobody listens on port 9, "discard". */
const AWAY = `
apiVersion: v1
kind: Config
clusters: [{ name: away, cluster: { server: "https://127.0.0.1:9" } }]
users: [{ name: away, user: { token: none } }]
contexts: [{ name: away, context: { cluster: away, user: away } }]
current-context: away
`;
