import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { loadAll } from "js-yaml";
import { configDigestController } from "../../functions/config-digest/controller.ts";
import { websiteController } from "../../functions/website/controller.ts";
import { crd } from "../../functions/website/resource.ts";
import type { Controller } from "../../shared/api/controller.ts";
import { platformManifests } from "../../shared/platform/platform-manifests.ts";
import { definitionFile } from "./definition-file.ts";
import { type ScaffoldDir, scaffoldDir } from "./scaffold-dir.ts";

const controllers = [websiteController, configDigestController] as unknown as Controller[];
const options = { controllers, crds: [crd()], namespace: "ops", platform: "team" };

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly object[];
}

test("one file each for definitions, namespace, watcher, every function and the flow schema", () => {
  const files = platformManifests(options);
  const names = [...files].map(([file, objects]) => [
    file,
    ...(objects as readonly Manifest[]).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  ]);
  expect(names).toEqual([
    ["00-crds.yaml", "CustomResourceDefinition websites.web.example.com"],
    ["10-namespace.yaml", "Namespace ops"],
    [
      "20-watcher.yaml",
      "ServiceAccount watcher",
      "ClusterRole team:watcher",
      "ClusterRoleBinding team:watcher",
    ],
    [
      "30-function-config-digest.yaml",
      "ClusterRole team:function:config-digest",
      "ClusterRoleBinding team:function:config-digest",
    ],
    [
      "30-function-website.yaml",
      "ClusterRole team:function:website",
      "ClusterRoleBinding team:function:website",
    ],
    ["40-flow-schema.yaml", "FlowSchema team"],
  ]);
});

test("roles are bound to the watcher's service account and to a group a function", () => {
  const subjects = [...platformManifests(options).values()]
    .flat()
    .flatMap((each) => (each as Manifest).subjects ?? []);
  const group = (name: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name });
  expect(subjects).toEqual([
    { kind: "ServiceAccount", name: "watcher", namespace: "ops" },
    group("team:function:config-digest"),
    group("team:function:website"),
  ]);
});

test("the order of controllers does not matter", () => {
  const turned = { ...options, controllers: controllers.toReversed() };
  expect([...platformManifests(turned)]).toEqual([...platformManifests(options)]);
});

describe("the command", () => {
  let project: ScaffoldDir;
  beforeEach(async () => {
    project = await scaffoldDir();
    await project.write("functions/cat/resource.ts", definitionFile({ kind: "Cat" }));
    await project.write("functions/cat/controller.ts", CONTROLLER);
  });
  afterEach(() => project.remove());

  test("writes the files once, checks them, and names itself where they are stale", async () => {
    const first = await project.run(["manifests", "-n", "ops"]);
    expect(first).toMatchObject({ code: 0, err: "" });
    const files = ["00-crds", "10-namespace", "20-watcher", "30-function-cat", "40-flow-schema"];
    expect(first.out).toBe(files.map((file) => `created manifests/${file}.yaml\n`).join(""));
    const text = await readFile(join(project.dir, "manifests/20-watcher.yaml"), "utf8");
    expect((loadAll(text) as Manifest[]).map(({ kind }) => kind)).toEqual([
      "ServiceAccount",
      "ClusterRole",
      "ClusterRoleBinding",
    ]);
    expect((await project.run(["manifests", "-n", "ops", "--check"])).code).toBe(0);
    const other = await project.run(["manifests", "--platform", "x", "--check"]);
    expect(other.code).toBe(1);
    expect(other.out).toMatch(
      /^stale manifests\/10-namespace.yaml$[\s\S]*^Run "tidegate manifests --platform x" to mend that\.$/m,
    );
  });

  test("refuses names that a cluster would refuse", async () => {
    const { code, err } = await project.run(["manifests", "--namespace", "Ops"]);
    expect(code).toBe(2);
    expect(err).toMatch(/cannot read --namespace: expected lower case .*got "Ops"/);
  });
});

/** As `defineController` makes one, without an import. */
const CONTROLLER = `export const catController = ${JSON.stringify({
  name: "cat",
  for: { apiVersion: "example.com/v1", kind: "Cat", plural: "cats", scope: "Namespaced" },
  owns: [],
  applies: [],
  watches: [],
  uses: [],
  formerFinalizers: [],
  maxConcurrentReconciles: 10,
  resyncSeconds: 36_000,
})};\n`;
