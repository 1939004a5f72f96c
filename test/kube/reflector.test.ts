import { expect, test } from "@jest/globals";
import { ConfigMap } from "../../shared/api/kinds.ts";
import type { Kind } from "../../shared/api/object.ts";
import { keptObject, reflecting } from "../support/reflecting.ts";
import { configMap, listOf, refusal } from "../support/scripted-transport.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

test("lists, tells what is there, and watches from exactly the version of the list (B08)", async () => {
  const { clock, transport, reflector, told, start } = reflecting();
  transport.lists = [listOf("100", [configMap("a", 7), configMap("b", 8)])];
  void start();
  expect(reflector.synced).toBe(false);
  await clock.advance(0);
  expect(reflector.synced).toBe(true);
  expect(told).toEqual(["added a@7", "added b@8"]);
  const [list, watch] = transport.calls;
  expect(list).toMatchObject({ path: "/api/v1/configmaps", query: { limit: "500" } });
  expect(watch?.query).toEqual({
    watch: "true",
    resourceVersion: "100",
    allowWatchBookmarks: "true",
    timeoutSeconds: "300",
  });
  transport.watch.send("ADDED", configMap("c", 101));
  transport.watch.send("MODIFIED", configMap("a", 102));
  transport.watch.send("DELETED", configMap("b", 103));
  await clock.advance(0);
  expect(told.slice(2)).toEqual(["added c@101", "modified a@7>102", "deleted b@103"]);
  expect(reflector.get({ namespace: "a", name: "a" })?.resourceVersion).toBe("102");
  expect(reflector.get({ namespace: "a", name: "b" })).toBeUndefined();
  expect(reflector.health()).toEqual({
    synced: true,
    silentMs: 0,
    objects: 2,
    resourceVersion: "103",
    lists: 1,
    watches: 1,
    changes: 5,
    repairs: 0,
  });
});

test("a long list comes in pages, and is told when it is whole", async () => {
  const { clock, transport, told, start } = reflecting();
  transport.lists = [
    listOf("100", [configMap("a", 1)], "more"),
    listOf("100", [configMap("b", 2)], "last"),
    "hang",
  ];
  void start();
  await clock.advance(1000);
  expect(transport.calls.map(({ query }) => query.continue)).toEqual([undefined, "more", "last"]);
  expect(told).toEqual([]);
});

test("a list whose snapshot is forgotten begins anew in one piece", async () => {
  const { clock, transport, told, start } = reflecting();
  transport.lists = [
    listOf("100", [configMap("a", 1), configMap("gone", 1)], "more"),
    refusal(410, "Expired"),
    listOf("200", [configMap("a", 1), configMap("b", 2)]),
  ];
  void start();
  await clock.advance(0);
  expect(transport.callsOf("list").map(({ query }) => query)).toEqual([
    { limit: "500" },
    { limit: "500", continue: "more" },
    {},
  ]);
  expect(told).toEqual(["added a@1", "added b@2"]);
  expect(transport.callsOf("watch")[0]?.query.resourceVersion).toBe("200");
});

test("a list that breaks off half way deletes nothing", async () => {
  const { clock, transport, told, start, names } = reflecting();
  transport.lists = [
    listOf("100", [configMap("a", 1), configMap("b", 2)]),
    listOf("200", [configMap("a", 1)], "more"),
    new Error("read ECONNRESET"),
    listOf("300", [configMap("a", 1), configMap("b", 2)]),
  ];
  transport.watchAnswers = [refusal(410, "Expired")];
  void start();
  await clock.advance(60_000);
  expect(transport.callsOf("list").length).toBe(4);
  expect(told).toEqual(["added a@1", "added b@2"]);
  expect(names()).toEqual(["a", "b"]);
});

test("an empty list is written as null", async () => {
  const { clock, transport, reflector, start } = reflecting();
  const answer = {
    status: 200,
    headers: {},
    body: { metadata: { resourceVersion: "5" }, items: null },
  };
  transport.lists = [answer];
  void start();
  await clock.advance(0);
  expect(reflector.health()).toMatchObject({ synced: true, objects: 0, resourceVersion: "5" });
});

test("list and watch carry the same selectors, and what leaves the selection goes once (B57)", async () => {
  const { clock, transport, told, start } = reflecting({
    namespace: "a",
    labels: { app: "demo" },
    fields: "metadata.name!=x",
  });
  transport.lists = [listOf("1", [configMap("a", 1)])];
  void start();
  await clock.advance(0);
  for (const { path, query } of transport.calls) {
    expect(path).toBe("/api/v1/namespaces/a/configmaps");
    expect(query).toMatchObject({ labelSelector: "app=demo", fieldSelector: "metadata.name!=x" });
  }
  transport.watch.send("DELETED", configMap("a", 9, { labels: { app: "other" } }));
  await clock.advance(0);
  expect(told).toEqual(["added a@1", "deleted a@9"]);
});

test("nobody gets managedFields and kubectl's copy of the object, and all get kind and apiVersion", async () => {
  const { clock, transport, reflector, start } = reflecting();
  const metadata = {
    managedFields: [{ manager: "m" }],
    annotations: { [LAST_APPLIED]: "{}", kept: "yes" },
  };
  transport.lists = [listOf("1", [{ ...configMap("a", 1, metadata), data: { k: "v" } }])];
  void start();
  await clock.advance(0);
  transport.watch.send("ADDED", configMap("b", 2, metadata));
  await clock.advance(0);
  const [a, b] = [...reflector.entries()].map(({ object }) => object);
  const { annotations, managedFields, ...rest } = { managedFields: undefined, ...a?.metadata };
  expect({ annotations, managedFields }).toEqual({ annotations: { kept: "yes" } });
  expect(a).toMatchObject({
    apiVersion: "v1",
    kind: "ConfigMap",
    data: { k: "v" },
    metadata: rest,
  });
  expect(b).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
  expect(b?.metadata.annotations).toEqual({ kept: "yes" });
});

test("metadata alone is asked for, and kept, under the kind's own name", async () => {
  const { clock, transport, reflector, start } = reflecting({ full: false });
  transport.lists = [listOf("1", [{ ...configMap("a", 1), data: { secret: "s" } }])];
  void start();
  await clock.advance(0);
  transport.watch.send("ADDED", { kind: "PartialObjectMetadata", ...configMap("b", 2) });
  await clock.advance(0);
  expect(transport.calls.map(({ accept }) => accept)).toEqual([
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
  ]);
  expect([...reflector.entries()].map(({ object }) => object)).toEqual([
    { apiVersion: "v1", kind: "ConfigMap", ...configMap("a", 1) },
    { apiVersion: "v1", kind: "ConfigMap", ...configMap("b", 2) },
  ]);
});

test("a clean end leads to a watch from the last version, without a list", async () => {
  const { clock, transport, start } = reflecting();
  transport.lists = [listOf("100")];
  void start();
  await clock.advance(5000);
  transport.watch.send("ADDED", configMap("a", 101));
  transport.watch.bookmark(150);
  transport.watch.end();
  await clock.advance(0);
  expect(transport.callsOf("list").length).toBe(1);
  expect(transport.callsOf("watch").map(({ query }) => query.resourceVersion)).toEqual([
    "100",
    "150",
  ]);
});

test("a line that is no change is dropped with its connection, and never passed over", async () => {
  const { clock, transport, told, logged, start } = reflecting();
  transport.lists = [listOf("100")];
  void start();
  await clock.advance(0);
  transport.watch.send("ADDED", configMap("a", 101));
  transport.watch.line('{"type":"ADDED","object":{"metadata":{"name":"s3cr');
  transport.watch.send("ADDED", configMap("late", 103));
  await clock.advance(2000);
  expect(told).toEqual(["added a@101"]);
  expect(transport.callsOf("watch").at(-1)?.query.resourceVersion).toBe("101");
  expect(logged.map(({ level }) => level)).toEqual(["warn"]);
  expect(JSON.stringify(logged.map(({ fields }) => String(fields.error)))).not.toContain("s3cr");
});

test("a version that leads to a broken line again and again is given up for a list", async () => {
  const { clock, transport, told, start } = reflecting();
  transport.lists = [
    listOf("100", [configMap("a", 1)]),
    listOf("300", [configMap("a", 1), configMap("b", 2)]),
  ];
  void start();
  for (let round = 0; round < 3; round += 1) {
    await clock.advance(10_000);
    transport.watch.line("no JSON");
  }
  await clock.advance(10_000);
  expect(transport.callsOf("list").length).toBe(2);
  expect(told).toEqual(["added a@1", "added b@2"]);
});

test("broken lines at versions that move are no reason for a list", async () => {
  const { clock, transport, start } = reflecting();
  transport.lists = [listOf("100")];
  void start();
  for (let round = 0; round < 6; round += 1) {
    await clock.advance(60_000);
    transport.watch.bookmark(101 + round);
    transport.watch.line("no JSON");
  }
  await clock.advance(60_000);
  expect(transport.callsOf("list").length).toBe(1);
});

test("the version moves when the change was handled (B09)", async () => {
  const seen: (string | undefined)[] = [];
  const { clock, transport, reflector, start } = reflecting({
    onChange: () => {
      seen.push(reflector.health().resourceVersion);
    },
  });
  transport.lists = [listOf("100")];
  void start();
  await clock.advance(0);
  transport.watch.send("ADDED", configMap("a", 101));
  transport.watch.send("ADDED", configMap("b", 102));
  await clock.advance(0);
  expect(seen).toEqual(["100", "101"]);
  expect(reflector.health().resourceVersion).toBe("102");
});

test("an object that cannot be kept is logged by its key, and stands in nobody's way", async () => {
  const { clock, transport, told, logged, names, start } = reflecting({
    keep: (object) => {
      if (object.metadata.labels?.bad) throw new Error("bad label");
      return keptObject(object);
    },
  });
  const bad = { labels: { bad: "yes" } };
  transport.lists = [listOf("100", [configMap("a", 1), configMap("x", 2, bad)])];
  void start();
  await clock.advance(0);
  transport.watch.send("MODIFIED", configMap("a", 101, bad));
  transport.watch.send("ADDED", configMap("b", 102));
  transport.watch.send("DELETED", configMap("a", 103, bad));
  await clock.advance(0);
  expect(told).toEqual(["added a@1", "added b@102", "deleted a@1"]);
  expect(names()).toEqual(["b"]);
  expect(logged.map(({ level, fields }) => [level, fields.namespace, fields.name])).toEqual([
    ["error", "a", "x"],
    ["error", "a", "a"],
    ["error", "a", "a"],
  ]);
});

test("a known object that a new list brings in a form that cannot be kept is not deleted", async () => {
  const { clock, transport, told, names, start } = reflecting({
    keep: (object) => {
      if (object.metadata.labels?.bad) throw new Error("bad label");
      return keptObject(object);
    },
  });
  transport.lists = [
    listOf("100", [configMap("a", 1)]),
    listOf("200", [configMap("a", 150, { labels: { bad: "yes" } })]),
  ];
  transport.watchAnswers = [refusal(410, "Expired")];
  void start();
  await clock.advance(10_000);
  expect(told).toEqual(["added a@1"]);
  expect(names()).toEqual(["a"]);
});

test("reflectors that start together do not list at one instant", async () => {
  const { clock, transport, start } = reflecting({ random: () => 0.75, startDelayMs: undefined });
  void start();
  await clock.advance(149);
  expect(transport.calls).toEqual([]);
  await clock.advance(1);
  expect(transport.callsOf("list").length).toBe(1);
});

test("whoever waits for the first list learns of it, or that there will be none", async () => {
  const { clock, transport, reflector, start, stop } = reflecting({ kind: ConfigMap as Kind });
  transport.lists = [refusal(403, "Forbidden"), listOf("1")];
  const events: string[] = [];
  void reflector.whenSettled(stop.signal).then(() => events.push("settled"));
  void reflector.whenSynced(stop.signal).then((synced) => events.push(`synced ${synced}`));
  void reflector.whenSynced(AbortSignal.abort()).then((synced) => events.push(`stopped ${synced}`));
  void start();
  await clock.advance(0);
  expect(events).toEqual(["stopped false", "settled"]);
  await clock.advance(10_000);
  expect(events).toEqual(["stopped false", "settled", "synced true"]);
});

test("what is known already is neither kept anew nor told", async () => {
  let keeps = 0;
  const { clock, transport, told, start } = reflecting({
    keep: (object) => {
      keeps += 1;
      return keptObject(object);
    },
  });
  transport.lists = [listOf("100", [configMap("a", 1)])];
  transport.watchAnswers = [refusal(410, "Expired")];
  void start();
  await clock.advance(10_000);
  transport.watch.send("ADDED", configMap("a", 1));
  await clock.advance(0);
  expect(transport.callsOf("list").length).toBe(2);
  expect(told).toEqual(["added a@1"]);
  expect(keeps).toBe(1);
});

test("a list of thousands lets the process do other things while it is told, and can be stopped", async () => {
  const stop = new AbortController();
  let told = 0;
  const { clock, transport, reflector } = reflecting({
    onChange: () => {
      told += 1;
      if (told === 1000) setImmediate(() => stop.abort());
    },
  });
  const items = Array.from({ length: 2500 }, (_, index) => configMap(`m${index}`, 1));
  transport.lists = [listOf("1", items)];
  void reflector.run(stop.signal);
  await clock.advance(0);
  expect(told).toBe(1000);
  void reflector.run(new AbortController().signal);
  await clock.advance(0);
  expect(told).toBe(2500);
  expect(reflector.synced).toBe(true);
});

test("even a log that fails does not end it", async () => {
  const fails = () => {
    throw new Error("the disk is full");
  };
  const log = { debug: fails, info: fails, warn: fails, error: fails };
  const { clock, transport, told, start } = reflecting({ log });
  transport.lists = [new Error("read ECONNRESET"), listOf("1", [configMap("a", 1)])];
  void start();
  await clock.advance(10_000);
  expect(told).toEqual(["added a@1"]);
});
