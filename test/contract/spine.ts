import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DevProcess, freePorts } from "../real/dev-process.ts";
import type { Kube } from "../real/kube-apiserver.ts";
import { kubectl, kubectlGet } from "../real/kubectl.ts";

const START_LIMIT_MS = 60 * 60_000; // The first start on a machine builds everything.
/** A run that was killed holds its object for the function's 30 s and 5 more; the rest is for busy machines. */
const DEFAULT_WAIT_SECONDS = 90;
const SAMPLE = "functions/website/sample.yaml";

/** The cluster that the scenario runs on. */
export interface SpineCluster {
  readonly kubectl: Pick<Kube, "kubectlPath" | "kubeconfigPath">;
  /** What `npm start` is told of it. */
  readonly args: readonly string[];
  /** A server of SQS and DynamoDB that outlives `npm start`; default: its own. */
  readonly awsEndpoint?: string;
  /** Where clusters can go away and come back. */
  readonly outage?: { readonly kill: () => Promise<void>; readonly restart: () => Promise<void> };
  readonly stop: () => Promise<void>;
}

export interface SpineOptions {
  /** Whether the cluster is part of `npm start`, and so cannot go away without it. Default false. */
  readonly embedded?: boolean;
  /** How long a step may wait for what it expects; default 90. */
  readonly waitSeconds?: number;
  /** False where `--fresh` is refused, as beside `--aws-endpoint`. Default true. */
  readonly fresh?: boolean;
}

/**
 * The whole way of a change, from kubectl to children and back, on one cluster.
 *
 * @param prepare Called before `npm start`, with the folder of its state.
 */
export function spine(
  prepare: (dataDir: string) => Promise<SpineCluster>,
  { waitSeconds = DEFAULT_WAIT_SECONDS, fresh = true, embedded = false }: SpineOptions = {},
): void {
  const testLimitMs = (waitSeconds + 10) * 1_000;
  let cluster: SpineCluster;
  let dev: DevProcess;
  let dataDir = "";
  let port = 0;

  const k = (...args: string[]) => kubectl(cluster.kubectl, ...args);
  const waitFor = (what: string, condition: string, ...more: string[]) =>
    k("wait", what, `--for=${condition}`, `--timeout=${waitSeconds}s`, ...more);

  async function start(...more: string[]): Promise<DevProcess> {
    const args = [...cluster.args, "--data", dataDir, ...more];
    dev = new DevProcess({ args, port, awsEndpoint: cluster.awsEndpoint });
    await dev.line(/backfill looked through all keys controller=website/);
    return dev;
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "tidegate-spine-"));
    port = await freePorts();
    cluster = await prepare(dataDir);
    await start();
  }, START_LIMIT_MS);

  afterAll(async () => {
    await dev?.stop("SIGKILL");
    await cluster?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test(
    "an applied Website gets a Deployment and a Service, and its status follows the Deployment",
    async () => {
      await k("apply", "-f", SAMPLE);
      await waitFor("website/hello", "jsonpath={.status.availableReplicas}=2");
      const service = await kubectlGet(cluster.kubectl, "service", "hello");
      expect(service).toMatchObject({ spec: { selector: { "web.example.com/website": "hello" } } });
      const website = await kubectlGet(cluster.kubectl, "website", "hello");
      expect(website).toMatchObject({
        metadata: { finalizers: ["web.example.com/dns"] },
        status: { conditions: [{ type: "Ready", status: "False", observedGeneration: 1 }] },
      });
    },
    testLimitMs,
  );

  test(
    "an edit of replicas changes the Deployment",
    async () => {
      await k("patch", "website", "hello", "--type=merge", '-p={"spec":{"replicas":3}}');
      await waitFor("deployment/hello", "jsonpath={.spec.replicas}=3");
      await waitFor("website/hello", "jsonpath={.status.availableReplicas}=3");
    },
    testLimitMs,
  );

  test.each(["deployment", "service"])(
    "a %s that is deleted by hand comes back",
    async (kind) => {
      const before = await uidOf(kind);
      await k("delete", kind, "hello");
      await waitFor(`${kind}/hello`, "create");
      expect(await uidOf(kind)).not.toBe(before);
    },
    testLimitMs,
  );

  test("an invalid spec is refused with the path of its field", async () => {
    const edit = k("patch", "website", "hello", "--type=merge", '-p={"spec":{"replicas":51}}');
    await expect(edit).rejects.toThrow("spec.replicas");
  });

  test(
    "with an address the Website becomes ready, and its host points there",
    async () => {
      const ingress = '-p={"status":{"loadBalancer":{"ingress":[{"hostname":"lb.example.net"}]}}}';
      await k("patch", "service", "hello", "--subresource=status", "--type=merge", ingress);
      // The status of its Service does not wake the Website; its own timer does.
      await waitFor("website/hello", "condition=Ready");
      expect(await zone()).toMatchObject({ "hello.example.com": "lb.example.net" });
    },
    testLimitMs,
  );

  test(
    "a ConfigMap wakes the Websites of its namespace that name it, and no others",
    async () => {
      await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
      for (const namespace of ["default", "other"]) {
        await website(namespace, "named", "shared-content");
        await website(namespace, "unnamed", "another-content");
      }
      const keys = [
        { namespace: "default", name: "unnamed" },
        { namespace: "other", name: "named" },
        { namespace: "other", name: "unnamed" },
      ];
      const named = { namespace: "default", name: "named" };
      await Promise.all([...keys, named].map(ready));
      const before = await Promise.all(keys.map((key) => dev.record("website", key)));
      const { epoch } = await dev.record("website", named);

      const metadata = { name: "shared-content", namespace: "default" };
      await apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } });
      await dev.recordWhen("website", named, (record) => record.epoch > epoch && !record.runId);

      const content = "spec.template.metadata.annotations.web\\.example\\.com/content";
      const deployment = await k("get", "deployment", "named", `-o=jsonpath={.${content}}`);
      expect(deployment).toMatch(/^[0-9a-f]{16}$/);
      const after = await Promise.all(keys.map((key) => dev.record("website", key)));
      expect(after.map((record) => record.epoch)).toEqual(before.map((record) => record.epoch));
    },
    testLimitMs,
  );

  test(
    "each labelled ConfigMap has a digest that follows its data",
    async () => {
      await k("apply", "-f", "functions/config-digest/sample.yaml");
      await waitFor("configmap/settings.digest", "create");
      const digest = () => k("get", "configmap", "settings.digest", "-o=jsonpath={.data.sha256}");
      const before = await digest();
      await k("patch", "configmap", "settings", '-p={"data":{"colour":"red"}}');
      expect(await settledDigest(digest, before)).not.toBe(before);
    },
    testLimitMs,
  );

  test(
    "Ctrl-C stops everything within 2 s, and the next start runs only what changed meanwhile",
    async () => {
      const unchanged = { namespace: "default", name: "unnamed" };
      const before = await dev.record("website", unchanged);
      const { code, tookMs } = await dev.stop("SIGINT");
      expect(code).toBe(0);
      expect(tookMs).toBeLessThan(2_000);

      const meanwhile = async () => {
        await k("delete", "deployment", "named");
        await k("patch", "website", "hello", "--type=merge", '-p={"spec":{"replicas":1}}');
      };
      if (cluster.outage) await meanwhile();
      await start();
      if (!cluster.outage) await meanwhile(); // The embedded cluster was away as well.
      await waitFor("deployment/named", "create");
      await waitFor("deployment/hello", "jsonpath={.spec.replicas}=1");
      expect((await dev.record("website", unchanged)).epoch).toBe(before.epoch);
    },
    testLimitMs,
  );

  test(
    "after kill -9 the next start makes everything as desired",
    async () => {
      await dev.stop("SIGKILL");
      const edit = () =>
        k("patch", "website", "hello", "--type=merge", '-p={"spec":{"replicas":4}}');
      if (cluster.outage) await edit();
      await start();
      if (!cluster.outage) await edit();
      await waitFor("deployment/hello", "jsonpath={.spec.replicas}=4");
    },
    testLimitMs,
  );

  const outageTest = async () => {
    if (!cluster.outage) throw new Error("expected a cluster that can go away");
    await cluster.outage.kill();
    await dev.line(/cannot|lost|unavailable|failed/i);
    await cluster.outage.restart();
    await k("patch", "website", "hello", "--type=merge", '-p={"spec":{"replicas":2}}');
    await waitFor("deployment/hello", "jsonpath={.spec.replicas}=2");
  };
  if (!embedded) test("a server that is down for a while is found again", outageTest, testLimitMs);

  test.each(["foreground", "background"])(
    "a Website ends by %s deletion, and its finalizer takes the host out of the zone",
    async (cascade) => {
      await k("delete", "website", "hello", `--cascade=${cascade}`, `--timeout=${waitSeconds}s`);
      expect(await zone()).not.toHaveProperty("hello.example.com");
      await waitFor("deployment/hello", "delete");
      await k("apply", "-f", SAMPLE);
      await waitFor("website/hello", "jsonpath={.status.availableReplicas}=2");
    },
    testLimitMs,
  );

  if (fresh)
    test(
      "a fresh start begins anew",
      async () => {
        await dev.stop("SIGINT");
        await start("--fresh");
        if (!cluster.outage) {
          expect(await k("get", "websites", "-A", "-o=name")).toBe("");
          return;
        }
        const record = await dev.recordWhen(
          "website",
          { namespace: "default", name: "unnamed" },
          ({ epoch, runId }) => epoch > 0 && !runId,
        );
        expect(record.epoch).toBe(1);
      },
      testLimitMs,
    );

  async function apply(manifest: object): Promise<void> {
    const file = join(dataDir, "manifest.json");
    await writeFile(file, JSON.stringify(manifest));
    await k("apply", "-f", file);
  }

  async function uidOf(kind: string): Promise<string> {
    const object = await kubectlGet<{ metadata: { uid: string } }>(cluster.kubectl, kind, "hello");
    return object.metadata.uid;
  }

  async function zone(): Promise<Record<string, string>> {
    return JSON.parse(
      await readFile(join(dataDir, "zone.json"), "utf8").catch(() => "{}"),
    ) as Record<string, string>;
  }

  async function website(namespace: string, name: string, contentFrom: string): Promise<void> {
    const spec = { host: `${name}.${namespace}.example.com`, image: "nginx", contentFrom };
    await apply({
      apiVersion: "web.example.com/v1",
      kind: "Website",
      metadata: { name, namespace },
      spec,
    });
  }

  /** Gives a Website's Service an address, so that no timer of its own wakes it any more. */
  async function ready({ namespace, name }: { namespace: string; name: string }): Promise<void> {
    const ingress = '-p={"status":{"loadBalancer":{"ingress":[{"hostname":"lb.example.net"}]}}}';
    await waitFor(`service/${name}`, "create", "-n", namespace);
    await k(
      "patch",
      "service",
      name,
      "-n",
      namespace,
      "--subresource=status",
      "--type=merge",
      ingress,
    );
    await waitFor(`website/${name}`, "condition=Ready", "-n", namespace);
  }

  async function settledDigest(digest: () => Promise<string>, before: string): Promise<string> {
    for (;;) {
      const now = await digest();
      if (now !== before) return now;
    }
  }
}
