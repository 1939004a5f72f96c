import { expect, test } from "@jest/globals";
import { ApiError } from "../../local/kube/api-error.ts";
import type { Format } from "../../local/kube/list-format.ts";
import type { ListScope } from "../../local/kube/list-objects.ts";
import { listOptionsOf, type Query } from "../../local/kube/list-options.ts";
import type { MemoryObjectStore } from "../../local/kube/object-store.ts";
import { openWatch, type WatchRequest } from "../../local/kube/watch-stream.ts";
import { idle, VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { configMap, memoryStore, put, remove, resourceOf } from "./kube-store-fixtures.ts";

const resource = resourceOf();
const clockOf = new WeakMap<MemoryObjectStore, VirtualClock>();

function storeWith(...names: string[]): MemoryObjectStore {
  const clock = new VirtualClock();
  const store = memoryStore(clock);
  clockOf.set(store, clock);
  for (const name of names) put(store, configMap(name));
  return store;
}

class Watched {
  readonly lines: string[] = [];
  ended = false;
  readonly iterator: AsyncIterableIterator<string>;

  constructor(iterator: AsyncIterableIterator<string>, { reads = true } = {}) {
    this.iterator = iterator;
    if (reads) void this.read();
  }

  async read(): Promise<void> {
    for await (const line of this.iterator) this.lines.push(line);
    this.ended = true;
  }

  /** "ADDED a@2", one for each event since the last call. */
  async events(): Promise<string[]> {
    await idle();
    return this.lines.splice(0).map((line) => {
      const { type, object } = JSON.parse(line);
      const { name = "", resourceVersion = "", annotations } = object.metadata;
      const end = annotations?.["k8s.io/initial-events-end"] === "true" ? " (end)" : "";
      return `${type} ${name}${object.message ?? ""}@${resourceVersion}${end}`;
    });
  }
}

interface Options extends Partial<Omit<WatchRequest, "scope">> {
  readonly scope?: Partial<ListScope>;
  readonly reads?: boolean;
}

function watch(store: MemoryObjectStore, query: Query, options: Options = {}): Watched {
  const { scope = {}, reads = true, ...rest } = options;
  const iterator = openWatch({
    store,
    options: listOptionsOf({ watch: "true", ...query }, resource),
    format: { as: "Object" },
    clock: clockOf.get(store) ?? new VirtualClock(),
    random: () => 0.5,
    ...rest,
    scope: { resource, namespace: "default", ...scope },
  });
  return new Watched(iterator, { reads });
}

test("a watch without a version begins with what is there and goes on with changes", async () => {
  const store = storeWith("b", "a");
  const watched = watch(store, {});
  expect(await watched.events()).toEqual(["ADDED a@3", "ADDED b@2"]);
  put(store, configMap("a", { data: {} }));
  put(store, configMap("c", {}, { namespace: "other" }));
  remove(store, "b");
  expect(await watched.events()).toEqual(["MODIFIED a@4", "DELETED b@6"]);
});

test.each(["", "0"])(
  "with bookmarks, from version %j, the end of what is there is told",
  async (resourceVersion) => {
    const store = storeWith("a");
    put(store, configMap("x"), "/secrets");
    const watched = watch(store, { resourceVersion, allowWatchBookmarks: "true" });
    expect(await watched.events()).toEqual(["ADDED a@2", "BOOKMARK @3 (end)"]);
  },
);

test("sendInitialEvents at a version begins with what is there now", async () => {
  const store = storeWith("a", "b");
  const query = {
    resourceVersion: "2",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    allowWatchBookmarks: "1",
  };
  const watched = watch(store, query);
  expect(await watched.events()).toEqual(["ADDED a@2", "ADDED b@3", "BOOKMARK @3 (end)"]);
  const without = watch(store, { ...query, sendInitialEvents: "false", resourceVersion: "" });
  put(store, configMap("c"));
  expect(await without.events()).toEqual(["ADDED c@4"]);
});

test("a watch from a version tells the changes after it, each once", async () => {
  const store = storeWith("a", "b");
  put(store, configMap("a", { data: {} }));
  remove(store, "b");
  const watched = watch(store, { resourceVersion: "3" });
  put(store, configMap("c"));
  expect(await watched.events()).toEqual(["MODIFIED a@4", "DELETED b@5", "ADDED c@6"]);
});

test("a watch from a version that is not reached yet waits for it", async () => {
  const store = storeWith("a");
  const watched = watch(store, { resourceVersion: "4" });
  put(store, configMap("b"));
  put(store, configMap("c"));
  put(store, configMap("d"));
  expect(await watched.events()).toEqual(["ADDED d@5"]);
});

test("leaving a selection is DELETED with the last selected state, entering it is ADDED", async () => {
  const store = storeWith();
  const watched = watch(store, { labelSelector: "app=x" });
  const labelled = (app: string, n: string) =>
    put(store, configMap("a", { data: { n } }, { labels: { app } }));
  labelled("y", "1");
  labelled("x", "2");
  labelled("x", "3");
  labelled("y", "4");
  remove(store, "a");
  await idle();
  expect(watched.lines.map((line) => JSON.parse(line))).toMatchObject([
    { type: "ADDED", object: { data: { n: "2" }, metadata: { resourceVersion: "3" } } },
    { type: "MODIFIED", object: { data: { n: "3" }, metadata: { resourceVersion: "4" } } },
    {
      type: "DELETED",
      object: { data: { n: "3" }, metadata: { resourceVersion: "5", labels: { app: "x" } } },
    },
  ]);
});

test("one object is watched by its name, and all namespaces together", async () => {
  const store = storeWith("a", "b");
  const one = watch(store, { fieldSelector: "metadata.name=b" });
  const all = watch(store, { resourceVersion: "3" }, { scope: { namespace: "" } });
  put(store, configMap("b", {}, { namespace: "other" }));
  remove(store, "b");
  expect(await one.events()).toEqual(["ADDED b@3", "DELETED b@5"]);
  expect(await all.events()).toEqual(["ADDED b@4", "DELETED b@5"]);
});

test("a forgotten version is an error in the stream, which then ends", async () => {
  const store = storeWith("a", "b");
  store.compact();
  const watched = watch(store, { resourceVersion: "2" });
  await idle();
  expect(watched.ended).toBe(true);
  expect(watched.lines.map((line) => JSON.parse(line))).toEqual([
    {
      type: "ERROR",
      object: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "too old resource version: 2 (3)",
        reason: "Expired",
        code: 410,
      },
    },
  ]);
});

test("sendInitialEvents at a version that is not reached is an error in the stream", async () => {
  const watched = watch(storeWith("a"), {
    resourceVersion: "99",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
  });
  await idle();
  expect(JSON.parse(watched.lines[0] ?? "")).toMatchObject({
    type: "ERROR",
    object: {
      code: 504,
      reason: "Timeout",
      message: "Timeout: Too large resource version: 99, current: 2",
      details: { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 1 },
    },
  });
});

test.each<[Query, object]>([
  [
    { resourceVersion: "x" },
    {
      code: 500,
      message:
        'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    },
  ],
  [
    { sendInitialEvents: "true" },
    {
      code: 422,
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    },
  ],
  [
    { resourceVersionMatch: "Exact" },
    {
      code: 422,
      message:
        'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    },
  ],
  [
    { continue: "abc" },
    {
      code: 422,
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    },
  ],
])("a watch with %j is refused with the API server's words", (query, expected) => {
  let error: unknown;
  try {
    watch(storeWith(), query);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject(expected);
});

test("bookmarks come each minute and 2 s before the end, with the newest version", async () => {
  const store = storeWith("a");
  const clock = clockOf.get(store) as VirtualClock;
  const query = { resourceVersion: "2", allowWatchBookmarks: "true", timeoutSeconds: "100" };
  const watched = watch(store, query);
  const silent = watch(store, { resourceVersion: "2", timeoutSeconds: "100" });
  put(store, configMap("x"), "/secrets");
  await clock.advance(59_999);
  expect(await watched.events()).toEqual([]);
  await clock.advance(1);
  expect(await watched.events()).toEqual(["BOOKMARK @3"]);
  put(store, configMap("b"));
  await clock.advance(38_000);
  expect(await watched.events()).toEqual(["ADDED b@4", "BOOKMARK @4"]);
  expect([watched.ended, silent.ended]).toEqual([false, false]);
  await clock.advance(2_000);
  expect([watched.ended, silent.ended]).toEqual([true, true]);
  expect(await silent.events()).toEqual(["ADDED b@4"]);
});

test("a watch that sets no time ends after 30 minutes to an hour", async () => {
  const store = storeWith();
  const clock = clockOf.get(store) as VirtualClock;
  const watched = watch(store, {});
  await clock.advance(45 * 60_000 - 1);
  expect(watched.ended).toBe(false);
  await clock.advance(1);
  expect(watched.ended).toBe(true);
  expect(clock.nextMs()).toBeUndefined();
});

test.each(["signal", "closing"] as const)(
  "%s ends a watch cleanly, now and before it began",
  async (name) => {
    const store = storeWith("a");
    const clock = clockOf.get(store) as VirtualClock;
    const stop = new AbortController();
    const watched = watch(store, { allowWatchBookmarks: "1" }, { [name]: stop.signal });
    await idle();
    stop.abort();
    put(store, configMap("b"));
    expect(await watched.events()).toEqual(["ADDED a@2", "BOOKMARK @2 (end)"]);
    expect(watched.ended).toBe(true);
    expect(clock.nextMs()).toBeUndefined();
    const late = watch(store, {}, { [name]: stop.signal });
    expect(await late.events()).toEqual([]);
    expect(late.ended).toBe(true);
  },
);

test("ending the iteration closes the watch", async () => {
  const store = storeWith("a");
  for await (const _line of watch(store, {}, { reads: false }).iterator) break;
  expect(clockOf.get(store)?.nextMs()).toBeUndefined();
});

test("a reader that falls behind is sent what waits, and then its watch ends", async () => {
  const store = storeWith();
  const slow = watch(store, {}, { reads: false, buffer: 3 });
  const other = watch(store, {}, { buffer: 3 });
  for (const name of ["a", "b", "c", "d", "e"]) {
    put(store, configMap(name));
    await idle();
  }
  expect(await other.events()).toHaveLength(5);
  await slow.read();
  expect(await slow.events()).toEqual(["ADDED a@2", "ADDED b@3", "ADDED c@4"]);
  expect([slow.ended, other.ended]).toEqual([true, false]);
});

test("what a watch begins with does not count as falling behind", async () => {
  const store = storeWith("a", "b", "c", "d");
  const slow = watch(store, { resourceVersion: "1" }, { reads: false, buffer: 1 });
  put(store, configMap("e"));
  void slow.read();
  expect(await slow.events()).toHaveLength(5);
  expect(slow.ended).toBe(false);
});

test("a table's columns are told in the first event alone", async () => {
  const store = storeWith("a", "b");
  const format: Format = { as: "Table", version: "v1", includeObject: "None" };
  const watched = watch(store, { allowWatchBookmarks: "1" }, { format });
  await idle();
  const events = watched.lines.map((line) => JSON.parse(line));
  expect(events.map(({ type, object }) => [type, object.columnDefinitions?.length])).toEqual([
    ["ADDED", 3],
    ["ADDED", undefined],
    ["BOOKMARK", undefined],
  ]);
  expect(events[1].object).toEqual({
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion: "3" },
    columnDefinitions: null,
    rows: [{ cells: ["b", 0, "0s"], object: null }],
  });
  expect(events[2].object.rows).toEqual([
    {
      cells: ["", 0, "<unknown>"],
      object: {
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata: { resourceVersion: "3", annotations: { "k8s.io/initial-events-end": "true" } },
      },
    },
  ]);
});

test("metadata alone, and another version of a kind, are watched", async () => {
  const store = storeWith("a");
  const format: Format = { as: "PartialObjectMetadata", version: "v1" };
  const partial = watch(store, {}, { format });
  const view = (object: object) =>
    ({ ...object, apiVersion: "v2" }) as ReturnType<typeof configMap>;
  const viewed = watch(store, {}, { scope: { view } });
  await idle();
  expect(JSON.parse(partial.lines[0] ?? "").object).toMatchObject({
    kind: "PartialObjectMetadata",
    metadata: { name: "a" },
  });
  expect(JSON.parse(viewed.lines[0] ?? "").object).toMatchObject({ apiVersion: "v2" });
});
