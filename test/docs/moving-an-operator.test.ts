import { afterEach, beforeEach, expect, test } from "@jest/globals";
import {
  defineController,
  defineKind,
  generationChanged,
  type KubernetesObject,
  type Reconciler,
  StatefulSet,
} from "../../shared/index.ts";
import { type Environment, startEnvironment } from "../../shared/testing/index.ts";

// The recipe of docs/from-kubebuilder.md: what an operator built with kubebuilder left behind is
// taken up by a controller of the same finalizer.

interface Database extends KubernetesObject<"db.example.com/v1", "Database"> {
  readonly spec: { readonly size: number };
  readonly status?: { readonly ready?: boolean; readonly phase?: string };
}
const Database = defineKind<Database>({
  apiVersion: "db.example.com/v1",
  kind: "Database",
  plural: "databases",
  scope: "Namespaced",
});
const FINALIZER = "db.example.com/finalizer";
const controller = defineController({
  name: "database",
  for: Database,
  predicate: generationChanged,
  owns: [StatefulSet],
  finalizer: FINALIZER,
  onStart: "all",
});
const key = { namespace: "default", name: "main" };
const byOld = { fieldManager: "manager" };
const removed: string[] = [];
let env: Environment;

beforeEach(async () => {
  removed.length = 0;
  const reconciler: Reconciler<typeof controller> = {
    async reconcile({ metadata: { name }, spec }, { apply }) {
      const set = await apply(StatefulSet, setFor(name, spec.size), { takeOverFrom: ["manager"] });
      return { status: { ready: set.status?.readyReplicas === spec.size } };
    },
    async finalize({ metadata }) {
      removed.push(metadata.name);
    },
  };
  env = await startEnvironment({ controllers: [[controller, reconciler]] });
  await leaveBehind();
});
afterEach(() => env.stop());

/** Nothing of ours acts before the test lets time pass. */
async function leaveBehind(): Promise<void> {
  const metadata = { name: "main", finalizers: [FINALIZER] };
  const made = await env.client.create(Database, "default", { metadata, spec: { size: 2 } }, byOld);
  const { apiVersion, kind, metadata: own } = made;
  const owner = {
    apiVersion,
    kind,
    name: "main",
    uid: own.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const set = setFor("main", 1);
  const template = {
    ...set.spec.template,
    metadata: { ...set.spec.template.metadata, annotations: { old: "yes" } },
  };
  const child = {
    metadata: { name: "main", ownerReferences: [owner] },
    spec: { ...set.spec, template },
  };
  await env.client.create(StatefulSet, "default", child, byOld);
  const patch = { status: { phase: "Running" } };
  await env.client.patch(
    Database,
    key,
    { type: "merge", patch },
    { ...byOld, subresource: "status" },
  );
}

function setFor(name: string, replicas: number) {
  const labels = { "db.example.com/database": name };
  const containers = [{ name: "database", image: "postgres:18" }];
  return {
    metadata: { name },
    spec: {
      replicas,
      serviceName: name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

test("its child is taken over, with what is no longer applied", async () => {
  const before = await env.get(StatefulSet, "main");
  await env.settled();
  const { metadata, spec } = (await env.client.get(StatefulSet, key, { raw: true })) ?? {};
  expect(metadata?.uid).toBe(before?.metadata.uid);
  expect({ replicas: spec?.replicas, annotations: spec?.template?.metadata?.annotations }).toEqual({
    replicas: 2,
    annotations: undefined,
  });
  const managers = (metadata as { managedFields?: { manager: string }[] }).managedFields ?? [];
  expect(managers.map(({ manager }) => manager)).not.toContain("manager");
});

test("what only the old operator said in the status stays", async () => {
  await env.settled();
  expect((await env.get(Database, "main"))?.status).toMatchObject({
    phase: "Running",
    ready: true,
  });
});

test("an object that carries its finalizer is finalized by the new code", async () => {
  await env.delete(Database, "main");
  await env.settled();
  expect(removed).toEqual(["main"]);
  expect(await env.get(Database, "main")).toBeUndefined();
  expect(await env.get(StatefulSet, "main")).toBeUndefined();
});

test("the old operator's updates go through when it is started again", async () => {
  await env.settled();
  const set = await env.client.get(StatefulSet, key);
  if (!set?.spec) throw new Error("expected a StatefulSet, got none");
  const changed = { ...set, spec: { ...set.spec, replicas: 3 } };
  const { spec } = await env.client.update(StatefulSet, key, changed, byOld);
  expect(spec?.replicas).toBe(3);
});
