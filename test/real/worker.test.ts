// What the worker takes for granted of an API server, on a real one: the fake cluster cannot tell.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { defineKind, type Kind, type KubernetesObject } from "../../shared/api/object.ts";
import { systemClock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import type { KubeRequest, Transport } from "../../shared/kube/wire.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import { type HostOptions, WorkerHost } from "../support/worker-host.ts";
import { defineServedKind } from "./define-kind.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";

const BUILD_LIMIT_MS = 60 * 60_000;
const FINALIZER = "web.example.com/dns";

interface Thing extends KubernetesObject {
  readonly status?: Readonly<Record<string, unknown>>;
}

const thing = (kind: string, plural: string): Kind<Thing> =>
  defineKind<Thing>({ apiVersion: "web.example.com/v1", kind, plural, scope: "Namespaced" });
/** With observedGeneration, without it, and without the status subresource. */
const Full = thing("Full", "fulls");
const Bare = thing("Bare", "bares");
const Flat = thing("Flat", "flats");

let kube: Kube;
let transport: Transport;
let client: KubeClient;
const requests: KubeRequest[] = [];

beforeAll(async () => {
  kube = await startKube({
    deployments: false,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  const wire = createTransport(
    {
      server: kube.url,
      ca: async () => kube.ca,
      authorization: async () => `Bearer ${kube.token}`,
    },
    { clock: systemClock },
  );
  transport = {
    ...wire,
    request: (request) => {
      requests.push(request);
      return wire.request(request);
    },
  };
  client = createKubeClient(transport);
  for (const [kind, generation, status] of [
    [Full, true, true],
    [Bare, false, true],
    [Flat, false, false],
  ] as const) {
    await defineServedKind(kube, kind, { generation, status });
  }
}, BUILD_LIMIT_MS);

afterAll(async () => {
  transport?.close();
  await kube?.stop();
});

let names = 0;

/** A worker for one new object of the kind, and what to look at it with. */
async function hostOf(
  kind: Kind<Thing>,
  reconciler: Partial<AnyReconciler>,
  more: { finalizer?: typeof FINALIZER; metadata?: object } = {},
) {
  names += 1;
  const name = `x${names}`;
  const key = { namespace: "default", name };
  const { finalizer, metadata } = more;
  const controller = defineController({
    name: "site",
    for: kind,
    owns: [ConfigMap],
    ...(finalizer === undefined ? {} : { finalizer }),
  }) as unknown as Controller;
  const options: HostOptions = { controller, transport };
  const host = new WorkerHost(reconciler, options);
  await client.create(kind, "default", {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { ...key, ...metadata },
    spec: { host: "x" },
  });
  return {
    key,
    host,
    live: () => client.get(kind, key),
    record: () => host.store.record(host.key(name, "default")),
    run: async () => {
      const from = requests.length;
      const { batchItemFailures } = await host.invoke([
        host.message(name, { namespace: "default" }),
      ]);
      const sent = requests.slice(from).filter(({ method }) => method !== "GET");
      return { failed: batchItemFailures.length, sent };
    },
  };
}

const ready = (status: string) => ({ type: "Ready", status, reason: "R" });

test("a status is applied with observedGeneration where the schema has it, and only once", async () => {
  const { run, live, record } = await hostOf(Full, {
    reconcile: async () => ({ status: { replicas: 2, conditions: [ready("True")] } }),
  });
  expect((await run()).sent).toHaveLength(1);
  expect((await live())?.status).toMatchObject({
    replicas: 2,
    observedGeneration: 1,
    conditions: [{ ...ready("True"), observedGeneration: 1 }],
  });
  expect((await run()).sent).toHaveLength(0);
  expect(record()).toMatchObject({ outcome: "success" });
});

test("where the schema lacks observedGeneration the status is applied without, after one or two refusals", async () => {
  let replicas = 1;
  const { run, live, record } = await hostOf(Bare, {
    reconcile: async () => ({ status: { replicas, conditions: [ready("True")] } }),
  });
  const first = await run();
  expect(record()?.error).toBeUndefined();
  expect(first.sent.length).toBeLessThanOrEqual(3);
  const status = (await live())?.status;
  expect(status).toMatchObject({ replicas: 1, conditions: [ready("True")] });
  expect(status).not.toHaveProperty("observedGeneration");
  replicas = 2;
  expect((await run()).sent).toHaveLength(1);
});

test("a misspelt status field is an error that names it", async () => {
  const { run, record } = await hostOf(Full, {
    reconcile: async () => ({ status: { replicaz: 2 } }),
  });
  expect((await run()).failed).toBe(1);
  expect(record()?.error).toContain("replicaz");
});

test("B44: a kind without the status subresource is told", async () => {
  const { run, record } = await hostOf(Flat, {
    reconcile: async () => ({ status: { replicas: 2 } }),
  });
  await run();
  expect(record()?.error).toContain("declare subresources.status");
});

test("an error sets Ready=False, keeps what we said, and leaves others' fields to them", async () => {
  let error: Error | undefined;
  const { key, run, live } = await hostOf(Full, {
    reconcile: async () => {
      if (error) throw error;
      return {
        status: { replicas: 2, conditions: [ready("True"), { ...ready("True"), type: "Synced" }] },
      };
    },
  });
  await run();
  await client.patch(
    Full,
    key,
    { type: "merge", patch: { status: { note: "foreign" } } },
    { subresource: "status", fieldManager: "other" },
  );
  error = new Error("no");
  await run();
  expect((await live())?.status).toMatchObject({
    replicas: 2,
    note: "foreign",
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: "Ready", status: "False", message: "no" }),
      expect.objectContaining({ type: "Synced", status: "True" }),
    ]),
  });
  error = undefined;
  await run();
  expect((await live())?.status?.note).toBe("foreign");
});

test("a status whose object changed meanwhile is applied again", async () => {
  const { run, live, record } = await hostOf(Full, {
    reconcile: async ({ metadata }: { metadata: { name: string } }) => {
      const key = { namespace: "default", name: metadata.name };
      await client.patch(Full, key, { type: "merge", patch: { spec: { host: "changed" } } });
      return { status: { replicas: 2 } };
    },
  } as never);
  expect((await run()).sent.filter(({ path }) => path.endsWith("/status"))).toHaveLength(2);
  expect(await live()).toMatchObject({
    metadata: { generation: 2 },
    status: { observedGeneration: 1 },
  });
  expect(record()).toMatchObject({ outcome: "success" });
});

test("an object deleted during its run is gone", async () => {
  const { run, record } = await hostOf(Full, {
    reconcile: async ({ metadata }: { metadata: { name: string } }) => {
      await client.delete(Full, { namespace: "default", name: metadata.name });
      return { status: { replicas: 2 } };
    },
  } as never);
  await run();
  expect(record()).toMatchObject({ outcome: "gone", failures: 0 });
});

test("the finalizer is added, survives a failing finalize, and goes last", async () => {
  let fails = true;
  const { key, run, live, record } = await hostOf(
    Full,
    {
      finalize: async () => {
        if (fails) throw new Error("not yet");
      },
    },
    { finalizer: FINALIZER, metadata: { finalizers: ["b.example.com/b"] } },
  );
  await run();
  expect((await live())?.metadata.finalizers).toEqual(["b.example.com/b", FINALIZER]);
  await client.delete(Full, key);
  await run();
  expect((await live())?.metadata.finalizers).toEqual(["b.example.com/b", FINALIZER]);
  fails = false;
  await run();
  expect((await live())?.metadata.finalizers).toEqual(["b.example.com/b"]);
  expect(record()).toMatchObject({ outcome: "success" });
});

/** Applies a ConfigMap of the object's name. */
const applies = (data: () => object, options?: object): Partial<AnyReconciler> => ({
  reconcile: (async ({ metadata }: { metadata: { name: string } }, context: never) => {
    const { apply } = context as { apply: (...args: unknown[]) => Promise<unknown> };
    await apply(ConfigMap, { metadata: { name: metadata.name }, data: data() }, options);
  }) as never,
});

test("apply creates, skips what is the same, removes what is no longer applied, and heals", async () => {
  let data: object = { host: "x", port: "80" };
  const { key, run, record } = await hostOf(
    Full,
    applies(() => data),
  );
  expect((await run()).sent).toHaveLength(1);
  expect((await run()).sent).toHaveLength(0);
  data = { host: "y" };
  expect((await run()).sent).toHaveLength(1);
  expect((await client.get(ConfigMap, key))?.data).toEqual({ host: "y" });
  await client.patch(ConfigMap, key, { type: "merge", patch: { data: { host: "foreign" } } });
  expect((await run()).sent).toHaveLength(1);
  expect((await client.get(ConfigMap, key))?.data).toEqual({ host: "y" });
  expect(record()).toMatchObject({ outcome: "success" });
});

test("an apply whose object was deleted since it was read makes it anew", async () => {
  let data: object = { host: "x" };
  let deleted = false;
  const racing: Transport = {
    ...transportOf(),
    request: async (request) => {
      const apply = request.contentType === "application/apply-patch+yaml";
      if (apply && !deleted && JSON.stringify(request.body).includes('"host":"y"')) {
        deleted = true;
        await client.delete(ConfigMap, key);
      }
      return transport.request(request);
    },
  };
  const { key, run, record, host } = await hostOf(
    Full,
    applies(() => data),
  );
  await run();
  data = { host: "y" };
  const worker = new WorkerHost(
    applies(() => data),
    {
      controller: defineController({
        name: "site",
        for: Full,
        owns: [ConfigMap],
      }) as unknown as Controller,
      transport: racing,
    },
  );
  const { batchItemFailures } = await worker.invoke([
    worker.message(key.name, { namespace: "default" }),
  ]);
  expect({ batchItemFailures, deleted }).toEqual({ batchItemFailures: [], deleted: true });
  expect((await client.get(ConfigMap, key))?.data).toEqual({ host: "y" });
  expect(record()).toBeDefined();
  expect(host.exits).toEqual([]);
});

test("takeOverFrom: what an older operator wrote by update can be removed afterwards", async () => {
  const options = { adopt: true, takeOverFrom: ["manager"] };
  const { key, run, record } = await hostOf(
    Full,
    applies(() => ({ host: "x" }), options),
  );
  await client.create(
    ConfigMap,
    "default",
    { metadata: key, data: { host: "x", old: "1" } },
    { fieldManager: "manager" },
  );
  await client.patch(
    ConfigMap,
    key,
    { type: "merge", patch: { data: { theirs: "1" } } },
    { fieldManager: "kubectl-edit" },
  );
  await run();
  expect(record()).toMatchObject({ outcome: "success" });
  expect((await client.get(ConfigMap, key))?.data).toEqual({ host: "x", theirs: "1" });
});

test("an Event is taken by the server, and counted in its series", async () => {
  const { key, run, host } = await hostOf(Full, {
    reconcile: (async (_object: never, context: never) => {
      const { recordEvent } = context as { recordEvent: (event: object) => Promise<void> };
      await recordEvent({ type: "Normal", reason: "Made", message: "made it" });
    }) as never,
  });
  await run();
  await run();
  await run();
  expect(host.logs.filter(({ level }) => level === "warn")).toEqual([]);
  const path = "/apis/events.k8s.io/v1/namespaces/default/events";
  const { body } = await kubeRequest(kube, { path });
  const { items } = body as {
    items: { regarding: { name: string }; series?: { count: number } }[];
  };
  const mine = items.filter(({ regarding }) => regarding.name === key.name);
  expect(mine).toMatchObject([{ note: "made it", series: { count: 3 } }]);
});

test("a namespace that terminates: like success", async () => {
  await client.create(
    { apiVersion: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" },
    "",
    {
      metadata: { name: "ending", finalizers: [] },
      spec: { finalizers: ["kubernetes"] },
    },
  );
  const { host } = await hostOf(
    Full,
    applies(() => ({})),
  );
  await client.create(Full, "ending", { metadata: { name: "y", finalizers: ["b.example.com/b"] } });
  const path = "/api/v1/namespaces/ending";
  await kubeRequest(kube, { method: "DELETE", path });
  await client.patch(
    Full,
    { namespace: "ending", name: "y" },
    { type: "merge", patch: { spec: { host: "y" } } },
  );
  await host.invoke([host.message("y", { namespace: "ending" })]);
  const record = host.store.record(host.key("y", "ending"));
  expect(["success"]).toContain(record?.outcome);
  await client.patch(
    Full,
    { namespace: "ending", name: "y" },
    { type: "merge", patch: { metadata: { finalizers: [] } } },
  );
});

function transportOf(): Transport {
  return transport;
}
