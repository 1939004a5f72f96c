import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { configDigestController } from "../../functions/config-digest/controller.ts";
import { websiteController } from "../../functions/website/controller.ts";
import { crd } from "../../functions/website/resource.ts";
import type { Controller } from "../../shared/api/controller.ts";
import { platformManifests } from "../../shared/platform/platform-manifests.ts";
import type { WatcherOptions } from "../../shared/platform/watcher-options.ts";
import { readEnvironment } from "../../watcher/environment.ts";

const controllers = [websiteController, configDigestController] as unknown as Controller[];
const CONFIG = {
  TIDEGATE_TABLE: "records",
  TIDEGATE_CLUSTER: "prod",
  TIDEGATE_QUEUE_URLS: '{"website":"https://sqs.eu-west-1.amazonaws.com/1/website.fifo"}',
  AWS_REGION: "eu-west-1",
};
const IMAGE = `example.com/node:24@sha256:${"a".repeat(64)}`;

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: object };
}
interface Container {
  readonly command?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
}
interface Pods {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly [Container]; readonly volumes?: object };
    };
  };
}

function manifests(watcher: Partial<WatcherOptions> = {}): readonly Manifest[] {
  const files = platformManifests({
    controllers,
    crds: [crd()],
    namespace: "ops",
    platform: "team",
    watcher: { image: IMAGE, config: CONFIG, ...watcher },
  });
  return [...files.values()].flat() as Manifest[];
}

const pods = (all: readonly Manifest[]) =>
  (all.find(({ kind }) => kind === "Deployment") as unknown as Pods).spec.template;

test("the watcher follows what it needs, and all but the definitions have the platform's label", () => {
  const all = manifests();
  expect(all.slice(-4).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    "FlowSchema team",
    "ConfigMap tidegate-config",
    "PodDisruptionBudget watcher",
    "Deployment watcher",
  ]);
  const unlabelled = all.filter(
    ({ metadata }) =>
      (metadata.labels as Record<string, string>)?.["tidegate.dev/platform"] !== "team",
  );
  expect(unlabelled.map(({ kind }) => kind)).toEqual(["CustomResourceDefinition"]);
});

test("the environment of the pods is all that the watcher asks for, and its port that of the probes", () => {
  const [container] = pods(manifests()).spec.containers;
  const own = Object.fromEntries(
    container.env.map(({ name, value = "watcher-0" }) => [name, value]),
  );
  expect(readEnvironment({ ...CONFIG, ...own })).toMatchObject({
    table: "records",
    cluster: "prod",
    podName: "watcher-0",
    port: container.ports[0]?.containerPort,
  });
});

test("other values make other pods, in whatever order they are given", () => {
  const annotations = (config: Readonly<Record<string, string>>) =>
    pods(manifests({ config })).metadata.annotations;
  const turned = Object.fromEntries(Object.entries(CONFIG).reverse());
  expect(annotations(turned)).toEqual(annotations(CONFIG));
  expect(annotations({ ...CONFIG, TIDEGATE_TABLE: "other" })).not.toEqual(annotations(CONFIG));
});

test("without a bundle the image is the watcher, with one any image of Node unpacks it", () => {
  const plain = pods(manifests()).spec;
  expect(plain.containers[0].command).toBeUndefined();
  expect(plain.volumes).toBeUndefined();
  const bundle = gzipSync("console.log(1)");
  const all = manifests({ bundle });
  const maps = all.filter(({ kind }) => kind === "ConfigMap");
  const name = maps.at(-1)?.metadata.name;
  expect(name).toMatch(/^watcher-bundle-[0-9a-f]{10}$/);
  const binaryData = { "watcher.mjs.gz": bundle.toString("base64") };
  expect(maps.at(-1)).toMatchObject({ immutable: true, binaryData });
  expect(pods(all).spec.volumes).toContainEqual({ name: "bundle", configMap: { name } });
  expect(pods(all).spec.containers[0].command?.slice(0, 3)).toEqual([
    "node",
    "--input-type=module",
    "--eval",
  ]);
});

test("what the pods run unpacks the bundle and becomes it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "tidegate-pod-"));
  try {
    const program = 'import "node:os"; console.log(new URL("x", import.meta.url).pathname);';
    await writeFile(join(dir, "watcher.mjs.gz"), gzipSync(program));
    const [container] = pods(manifests({ bundle: gzipSync(program) })).spec.containers;
    const [, ...args] = container.command ?? [];
    const here = args.map((arg) => arg.replaceAll(/\/(opt|run)\/tidegate/g, dir));
    const { stdout } = await promisify(execFile)(process.execPath, here);
    expect(stdout).toBe(`${join(dir, "x")}\n`);
  } finally {
    await rm(dir, { recursive: true });
  }
});

test("fails when the bundle does not fit into a ConfigMap", () => {
  expect(() => manifests({ bundle: new Uint8Array(1024 * 1024 + 1) })).toThrow(
    /expected at most 1048576 bytes in gzip, got 1048577; build an image/,
  );
});

test("the role of the pods is told to EKS by the service account, or not at all", () => {
  const account = (watcher: Partial<WatcherOptions>) =>
    manifests(watcher).find(({ kind }) => kind === "ServiceAccount");
  const roleArn = "arn:aws:iam::1:role/watcher";
  expect(account({ roleArn })?.metadata).toMatchObject({
    annotations: { "eks.amazonaws.com/role-arn": roleArn },
  });
  expect(account({})?.metadata).not.toHaveProperty("annotations");
});
