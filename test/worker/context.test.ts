import { expect, test } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap, Pod, Secret } from "../../shared/api/kinds.ts";
import type { KubernetesObject } from "../../shared/api/object.ts";
import type { RecordedEvent } from "../../shared/api/reconciler.ts";
import { watch } from "../../shared/api/source.ts";
import { use } from "../../shared/api/use.ts";
import { fingerprintsOf } from "../../shared/queue/fingerprint.ts";
import { identityOf } from "../../shared/queue/identity.ts";
import { decodeSeen } from "../../shared/queue/seen.ts";
import type { AnyClient } from "../../shared/worker/context-client.ts";
import { Site, site, WorkerHost } from "../support/worker-host.ts";

const controller = defineController({
  name: "site",
  for: Site,
  owns: [ConfigMap],
  watches: [watch(Pod, { keys: () => [] })],
  uses: [
    use(Secret, "get", "create"),
    use(Site, "patch"),
    use(ConfigMap, "list", "update", "delete"),
    use(Pod, "list"),
  ],
}) as unknown as Controller;

interface Context {
  readonly client: AnyClient;
  readonly recordEvent: (event: RecordedEvent) => Promise<void>;
  readonly cluster: string;
}

function hostOf(reconcile: (context: Context) => Promise<unknown>): WorkerHost {
  const host = new WorkerHost(
    { reconcile: async (_site: never, context: never) => void (await reconcile(context)) },
    { controller },
  );
  host.cluster.apply(site());
  return host;
}

const configMap = (name: string, namespace = "a") => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace, name },
});

function seenNow(host: WorkerHost, object: KubernetesObject | undefined): boolean {
  const { seen } = host.record();
  if (!object || !seen) return false;
  const fingerprint = fingerprintsOf(controller)(object)?.(object) ?? "";
  return decodeSeen(seen).has(identityOf(object, object.metadata), fingerprint);
}

function identitiesOf(host: WorkerHost): readonly string[] {
  const { seen } = host.record();
  return seen ? [...decodeSeen(seen).identities()] : [];
}

test("names are of the object's own namespace; keys are whole", async () => {
  const got: unknown[] = [];
  const host = hostOf(async ({ client }) => {
    got.push(await client.get(ConfigMap, "c"));
    got.push(await client.get(ConfigMap, { namespace: "b", name: "c" }));
    got.push(await client.get(ConfigMap, "missing"));
  });
  const mine = host.cluster.apply(configMap("c"));
  const other = host.cluster.apply(configMap("c", "b"));
  await host.run();
  expect(got).toEqual([mine, other, undefined]);
});

test("lists are of the object's own namespace unless another is named", async () => {
  const names: string[][] = [];
  const host = hostOf(async ({ client }) => {
    for (const options of [{}, { namespace: "b" }, { namespace: "" }]) {
      const list = (await client.list(ConfigMap, options)) as readonly KubernetesObject[];
      names.push(list.map(({ metadata }) => metadata.name));
    }
  });
  host.cluster.apply(configMap("mine"));
  host.cluster.apply(configMap("theirs", "b"));
  await host.run();
  expect(names).toEqual([["mine"], ["theirs"], ["mine", "theirs"]]);
});

test("what was got and listed is seen", async () => {
  const host = hostOf(async ({ client }) => {
    await client.get(ConfigMap, "c");
    await client.list(Pod);
  });
  const c = host.cluster.apply<KubernetesObject>(configMap("c"));
  const pod = host.cluster.apply<KubernetesObject>({ ...configMap("p"), kind: "Pod" });
  await host.run();
  expect([seenNow(host, c), seenNow(host, pod)]).toEqual([true, true]);
});

test("an object that changed between two reads is unknown", async () => {
  const host: WorkerHost = hostOf(async ({ client }) => {
    await client.get(ConfigMap, "c");
    host.cluster.apply({ ...configMap("c"), data: { now: "other" } });
    await client.get(ConfigMap, "c");
  });
  host.cluster.apply(configMap("c"));
  await host.run();
  expect(seenNow(host, host.cluster.get(ConfigMap, { namespace: "a", name: "c" }))).toBe(false);
});

test("what was created, updated or patched by hand is unknown, so that its echo leads to a run", async () => {
  const host = hostOf(async ({ client }) => {
    const made = await client.create(ConfigMap, { metadata: { name: "created" } });
    expect(made.metadata.namespace).toBe("a");
    const read = await client.get(ConfigMap, "updated");
    await client.update(ConfigMap, { ...(read as ConfigMap), data: { v: "2" } });
    await client.patch(ConfigMap, "patched", { type: "merge", patch: { data: { v: "2" } } });
  });
  host.cluster.apply(configMap("updated"));
  host.cluster.apply(configMap("patched"));
  expect(await host.run()).toEqual([]);
  for (const name of ["created", "updated", "patched"]) {
    const object = host.cluster.get(ConfigMap, { namespace: "a", name });
    expect(seenNow(host, object)).toBe(false);
    // And not left out: its deletion while nobody watches must be found.
    expect(identitiesOf(host)).toContain(object && identityOf(object, object.metadata));
  }
});

test.each([
  ["the same", "x.example.com", undefined],
  ["something else", "y.example.com", 1],
])("B39: an object written by hand by its own run, with %s", async (_, to, selfWakes) => {
  const patch = { spec: { host: to } };
  const host = hostOf(({ client }) => client.patch(Site, "x", { type: "merge", patch }));
  expect(await host.run()).toEqual([]);
  expect(host.record().selfWakes).toBe(selfWakes);
});

test("delete resolves to whether there was such an object", async () => {
  const answers: boolean[] = [];
  const host = hostOf(async ({ client }) => {
    answers.push(await client.delete(ConfigMap, "c"), await client.delete(ConfigMap, "c"));
  });
  host.cluster.apply(configMap("c"));
  await host.run();
  expect(answers).toEqual([true, false]);
});

test.each([
  ["get", Secret, undefined],
  ["create", Secret, undefined],
  ["delete", Secret, 'add uses: [use(Secret, "delete")]'],
  ["list", Secret, 'add uses: [use(Secret, "list")]'],
  ["list", Pod, undefined],
  ["patch", Pod, 'add uses: [use(Pod, "patch")]'],
  ["get", Site, undefined],
  ["list", Site, 'add uses: [use(Site, "list")]'],
  ["update", Site, 'add uses: [use(Site, "update")]'],
] as const)("%s of $kind is allowed as far as it is declared", async (verb, kind, refusal) => {
  const errors: string[] = [];
  const host = hostOf(async ({ client }) => {
    const call = client[verb] as (...args: unknown[]) => Promise<unknown>;
    const object = verb === "create" || verb === "update";
    const argument = verb === "list" ? {} : object ? configMap("s") : "x";
    await call(kind, argument, {}).catch((error: Error) => errors.push(error.message));
  });
  host.cluster.apply(configMap("x"));
  await host.run();
  expect(errors).toEqual(refusal === undefined ? [] : [expect.stringContaining(refusal)]);
});

const event = { type: "Normal", reason: "Created", message: "made it" } as const;

test("an Event is of events.k8s.io, regards the object, and has times of six digits (B53)", async () => {
  const host = hostOf(({ recordEvent }) => recordEvent(event));
  await host.run();
  const [request] = host.cluster.requests.filter(({ method }) => method === "POST");
  expect(request?.path).toBe("/apis/events.k8s.io/v1/namespaces/a/events");
  expect(request?.body).toMatchObject({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { namespace: "a", name: expect.stringMatching(/^x\.[0-9a-f]{16}$/) },
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "tidegate.dev/site",
    reportingInstance: "site",
    action: "Reconcile",
    reason: "Created",
    note: "made it",
    type: "Normal",
    regarding: { apiVersion: "web.example.com/v1", kind: "Site", namespace: "a", name: "x" },
  });
});

test("the same Event within an hour is counted in its series, in a later run too; after it, it is a new one", async () => {
  const host = hostOf(({ recordEvent }) => recordEvent(event));
  host.cluster.serve(Events);
  const series = () => host.cluster.list(Events).map((each) => each.series?.count);
  await host.run();
  await host.run();
  await host.clock.advance(1_000);
  await host.run();
  expect(series()).toEqual([3]);
  expect(host.cluster.list(Events)[0]?.series?.lastObservedTime).toBe(
    "2026-01-01T00:00:01.000000Z",
  );
  await host.clock.advance(3_600_000);
  await host.run();
  expect(series()).toHaveLength(2);
});

test("long texts are cut to what the API takes, and the name of a long object stays a name", async () => {
  const name = `${"n".repeat(229)}.${"m".repeat(23)}`;
  const host = hostOf(({ recordEvent }) =>
    recordEvent({ ...event, reason: "R".repeat(200), message: "m".repeat(3_000) }),
  );
  host.cluster.apply(site(name));
  await host.run(name);
  const [request] = host.cluster.requests.filter(({ method }) => method === "POST");
  const body = request?.body as { metadata: { name: string }; reason: string; note: string };
  expect(body.metadata.name).toMatch(/^n{229}\.[0-9a-f]{16}$/);
  expect([body.reason.length, body.note.length]).toEqual([128, 1_024]);
});

test("an Event that cannot be recorded does not fail the run", async () => {
  const host = hostOf(({ recordEvent }) => recordEvent(event));
  host.cluster.fault(({ path }) => (path.includes("/events") ? new Error("cut") : undefined));
  expect(await host.run()).toEqual([]);
  expect(host.record().outcome).toBe("success");
});

test("no more than 25 Events are recorded in a run", async () => {
  const host = hostOf(async ({ recordEvent }) => {
    for (let count = 0; count < 40; count += 1)
      await recordEvent({ ...event, message: String(count) });
  });
  await host.run();
  expect(host.cluster.requests.filter(({ method }) => method === "POST")).toHaveLength(25);
});

interface KubernetesEvent extends KubernetesObject<"events.k8s.io/v1", "Event"> {
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

const Events = {
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  plural: "events",
  scope: "Namespaced",
} as { object?: KubernetesEvent } & {
  apiVersion: "events.k8s.io/v1";
  kind: "Event";
  plural: string;
  scope: "Namespaced";
};
