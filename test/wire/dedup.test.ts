// Which request stands for which change, and for which object, over real connections with faults on them.
// The numbers are those of the design's list of reports.
import { expect, jest, test } from "@jest/globals";
import { defineController } from "../../shared/api/controller.ts";
import { ConfigMap, Namespace } from "../../shared/api/kinds.ts";
import { copies, copiesPerTest, copyOf, copyTo, put, reconciling } from "../support/wire-copies.ts";
import type { WirePlatform } from "../support/wire-platform.ts";

jest.setTimeout(120_000);

/** Above the lingering of a change. */
const LINGER_MS = 100;

type Apply = (kind: unknown, object: object) => Promise<void>;

const started = copiesPerTest();

/** What was sent to the queue, as "namespace/name". */
const sentKeys = ({ queue }: WirePlatform) =>
  queue.of("SendMessageBatch").flatMap(({ body }) => {
    const { Entries } = JSON.parse(body) as { Entries: { MessageBody: string }[] };
    return Entries.map(({ MessageBody }) => {
      const { namespace, name } = JSON.parse(MessageBody) as { namespace: string; name: string };
      return `${namespace}/${name}`;
    });
  });

test("B02: changes 5, 299 and 301 s after requests of their objects run, though each send comes twice", async () => {
  const made = await started();
  const { clock } = made.cluster;
  made.queue.plan = ({ action }) => (action === "SendMessageBatch" ? { kind: "twice" } : undefined);
  const names = { x: 5, y: 299, z: 301 };
  for (const name of Object.keys(names)) await put(made, name, "1");
  await made.until(() => sentKeys(made).length === 3);
  const sentMs = made.queue.of("SendMessageBatch")[0]?.atMs ?? 0;
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x", "reconcile y", "reconcile z"]);
  for (const [name, seconds] of Object.entries(names)) {
    // A moment before, for a change is forwarded that much after it was made.
    await clock.advance(sentMs + seconds * 1_000 - LINGER_MS - clock.monotonicMs());
    await put(made, name, "2");
    await clock.advance(1_500);
    expect(made.drain()).toEqual([`reconcile ${name}`]);
    expect(await copyOf(made, name)).toBe("2");
  }
});

test("B02: of 20 changes within a second, each sent twice, the last one is made in three runs at most", async () => {
  const made = await started(
    reconciling(async (object, apply) => {
      await made.cluster.clock.sleep(600);
      await copyTo(apply, object, object.data);
    }),
  );
  made.queue.plan = ({ action }) => (action === "SendMessageBatch" ? { kind: "twice" } : undefined);
  for (let step = 1; step <= 20; step += 1) {
    await put(made, "x", String(step));
    await made.cluster.clock.advance(50);
  }
  await made.settled();
  expect(await copyOf(made, "x")).toBe("20");
  expect(made.drain().length).toBeLessThanOrEqual(3);
});

test("B12: an object that was deleted and made again while its request waited begins anew", async () => {
  let fails = true;
  const made = await started(
    reconciling(async () => {
      if (fails) throw new Error("no");
    }),
  );
  await put(made, "x", "1");
  await made.cluster.clock.advance(8_000);
  expect((await made.record("x")).failures).toBeGreaterThan(1);
  const { uid } = await made.record("x");
  made.pause();
  await made.cluster.remove("x");
  await put(made, "x", "2");
  fails = false;
  await made.cluster.clock.advance(1_000);
  made.resume();
  await made.cluster.clock.advance(10_000);
  await made.settled();
  expect(await made.record("x")).toMatchObject({ failures: 0, outcome: "success" });
  expect((await made.record("x")).uid).not.toBe(uid);
});

test("B29: a child of an object without a namespace wakes that object, and no other one's child does", async () => {
  const reconcile = async ({ metadata: { name } }: Namespace, { apply }: { apply: Apply }) => {
    await apply(ConfigMap, { metadata: { namespace: name, name: "child" }, data: { value: "1" } });
  };
  const farms = defineController({
    name: "copy",
    for: Namespace,
    labels: { app: "farm" },
    owns: [ConfigMap],
    timeoutSeconds: 10,
  });
  const made = await started({ reconcile: reconcile as never }, farms as never);
  const { direct, clock } = made.cluster;
  const labels = { app: "farm" };
  const farm = { apiVersion: "v1", kind: "Namespace", metadata: { name: "north", labels } };
  await direct.create(Namespace, "", farm);
  await made.settled();
  const key = { namespace: "north", name: "child" };
  const child = (await direct.get(ConfigMap, key)) as ConfigMap;
  const [owner] = child.metadata.ownerReferences ?? [];
  expect(owner).toMatchObject({ kind: "Namespace", name: "north" });
  made.cluster.requests.cut();
  await direct.patch(ConfigMap, key, { type: "merge", patch: { data: { value: "2" } } });
  await made.settled();
  expect((await direct.get(ConfigMap, key))?.data).toEqual({ value: "1" });
  expect(sentKeys(made)).toEqual(["/north", "/north"]);
  const foreign = { ...owner, apiVersion: "other.example.com/v1" };
  const metadata = { namespace: "north", name: "foreign", ownerReferences: [foreign] };
  await direct.create(ConfigMap, "north", { apiVersion: "v1", kind: "ConfigMap", metadata });
  await clock.advance(2_000);
  expect(sentKeys(made)).toHaveLength(2);
});

test("B37: the longest namespace and name have ids that the queue takes", async () => {
  const made = await started({}, copies({ owns: [] }));
  const { direct } = made.cluster;
  const namespace = "n".repeat(63);
  const name = `${"x".repeat(249)}.com`;
  await direct.create(Namespace, "", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
  const metadata = { namespace, name, labels: { app: "copy" } };
  await direct.create(ConfigMap, namespace, { apiVersion: "v1", kind: "ConfigMap", metadata });
  await made.settled();
  expect(sentKeys(made)).toEqual([`${namespace}/${name}`]);
  expect(made.drain()).toEqual([`reconcile ${name}`]);
});
