import { expect, test } from "@jest/globals";
import { objectJson } from "../../local/kube/object-json.ts";
import type { StoreEvent } from "../../local/kube/store.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { CONFIG_MAPS, configMap, memoryStore, put, remove } from "./kube-store-fixtures.ts";

test("each write raises the version by one and stands in the object", () => {
  const store = memoryStore();
  expect(store.version).toBe(1);
  expect(put(store, configMap("a"))).toMatchObject({ type: "ADDED", version: 2 });
  const modified = put(store, configMap("a", { data: { x: "1" } }));
  expect(modified).toMatchObject({
    type: "MODIFIED",
    version: 3,
    object: { metadata: { resourceVersion: "3" } },
    before: { metadata: { resourceVersion: "2" } },
  });
  expect(store.get({ resource: CONFIG_MAPS, namespace: "default", name: "a" })).toBe(
    modified?.object,
  );
  expect(store.version).toBe(3);
});

test("a deletion has a version of its own, and the last state", () => {
  const store = memoryStore();
  put(store, configMap("a", { data: { x: "1" } }));
  expect(remove(store, "a")).toMatchObject({
    type: "DELETED",
    version: 3,
    object: { data: { x: "1" }, metadata: { resourceVersion: "3" } },
    before: { metadata: { resourceVersion: "2" } },
  });
  expect(store.list(CONFIG_MAPS, "")).toEqual([]);
});

test("a write that changes nothing, or throws, is none", () => {
  const store = memoryStore();
  put(store, configMap("a"));
  const key = { resource: CONFIG_MAPS, namespace: "default", name: "a" };
  expect(store.write(key, (now) => now)).toBeUndefined();
  expect(store.write({ ...key, name: "b" }, () => undefined)).toBeUndefined();
  const refuse = () => {
    throw new Error("refused");
  };
  expect(() => store.write(key, refuse)).toThrow("refused");
  expect(store.version).toBe(2);
});

test("lists are in the order of etcd's keys, of one namespace or of all", () => {
  const store = memoryStore();
  for (const [namespace, name] of [
    ["a", "z"],
    ["a-b", "c"],
    ["a", "b.c"],
    ["a", "b-c"],
    ["b", "a"],
    ["a", "b"],
  ] as const) {
    put(store, configMap(name, {}, { namespace }));
  }
  const names = (namespace: string) =>
    store.list(CONFIG_MAPS, namespace).map(({ metadata: m }) => `${m.namespace}/${m.name}`);
  expect(names("a")).toEqual(["a/b", "a/b-c", "a/b.c", "a/z"]);
  expect(names("")).toEqual(["a-b/c", "a/b", "a/b-c", "a/b.c", "a/z", "b/a"]); // "-" is before "/".
  remove(store, "b-c", "a");
  expect(names("a")).toEqual(["a/b", "a/b.c", "a/z"]);
});

test("a list at an earlier version is what it was then, and does not change", () => {
  const store = memoryStore();
  put(store, configMap("a"));
  put(store, configMap("b"));
  put(store, configMap("a", { data: { x: "1" } }));
  remove(store, "b");
  put(store, configMap("c"));
  const at = (version: number) =>
    store
      .listAt(CONFIG_MAPS, "", version)
      ?.map(({ metadata: { name, resourceVersion } }) => `${name}@${resourceVersion}`);
  expect([1, 2, 3, 4, 5, 6].map(at)).toEqual([
    [],
    ["a@2"],
    ["a@2", "b@3"],
    ["a@4", "b@3"],
    ["a@4"],
    ["a@4", "c@6"],
  ]);
  expect(at(3)).toEqual(["a@2", "b@3"]);
  expect(store.list(CONFIG_MAPS, "")).toHaveLength(2);
});

test("changes since a version are those of one kind, and none for the present one", () => {
  const store = memoryStore();
  put(store, configMap("a"));
  put(store, configMap("s"), "/secrets");
  put(store, configMap("b"));
  const names = (version: number) =>
    store.since(CONFIG_MAPS, version)?.map(({ object }) => object.metadata.name);
  expect(names(1)).toEqual(["a", "b"]);
  expect(names(2)).toEqual(["b"]);
  expect(names(4)).toEqual([]);
});

test("history is forgotten by compaction, by age and by number", async () => {
  const clock = new VirtualClock();
  const store = memoryStore(clock);
  put(store, configMap("a"));
  store.compact();
  expect(store.since(CONFIG_MAPS, 1)).toBeUndefined();
  expect(store.listAt(CONFIG_MAPS, "", 1)).toBeUndefined();
  expect(store.since(CONFIG_MAPS, 2)).toEqual([]);
  expect(store.since("/secrets", 1)).toBeUndefined();

  put(store, configMap("b"));
  await clock.advance(4 * 60_000);
  put(store, configMap("c"));
  expect(store.since(CONFIG_MAPS, 2)).toHaveLength(2);
  await clock.advance(61_000);
  expect(store.since(CONFIG_MAPS, 2)).toBeUndefined();
  expect(store.since(CONFIG_MAPS, 3)).toHaveLength(1);
  expect(store.oldest(CONFIG_MAPS)).toBe(3);

  for (let n = 0; n < 10_001; n += 1) put(store, configMap("c"));
  expect(store.since(CONFIG_MAPS, store.version - 10_001)).toBeUndefined();
  expect(store.since(CONFIG_MAPS, store.version - 10_000)).toHaveLength(10_000);
});

test("listeners are told in the order of writes, also of those that one of them makes", () => {
  const store = memoryStore();
  const told: string[] = [];
  const tell = (who: string) => (event: StoreEvent) => told.push(`${who} ${event.version}`);
  store.subscribe(CONFIG_MAPS, ({ object: { metadata } }) => {
    if (metadata.name === "a") put(store, configMap("made"));
  });
  const stop = store.subscribe(CONFIG_MAPS, tell("one"));
  store.subscribe(CONFIG_MAPS, tell("two"));
  store.subscribe("/secrets", tell("other kind"));
  put(store, configMap("a"));
  stop();
  put(store, configMap("b"));
  expect(told).toEqual(["one 2", "two 2", "one 3", "two 3", "two 4"]);
});

test("the JSON of an object is made once", () => {
  let reads = 0;
  const object = {
    get counted() {
      reads += 1;
      return reads;
    },
  };
  expect([objectJson(object), objectJson(object)]).toEqual(['{"counted":1}', '{"counted":1}']);
});
