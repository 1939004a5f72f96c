// The faults of @kubernetes/client-node 2.0.1's informer, one by one: none of them may be ours.

import { expect, test } from "@jest/globals";
import { BACKOFF } from "../../shared/kube/reflector-backoff.ts";
import { reflecting } from "../support/reflecting.ts";
import { configMap, listOf, refusal } from "../support/scripted-transport.ts";

const reset = () => new Error("read ECONNRESET");

async function synced(options: Parameters<typeof reflecting>[0] = {}) {
  const all = reflecting(options);
  all.transport.lists = [listOf("100", [configMap("a", 1)])];
  const done = all.start();
  await all.clock.advance(0);
  return { ...all, done };
}

test.each([
  ["a reset", reset()],
  ["500", refusal(500, "InternalError")],
  ["429", refusal(429, "TooManyRequests")],
  ["401", refusal(401, "Unauthorized")],
  ["403", refusal(403, "Forbidden")],
  ["404", refusal(404, "NotFound")],
])("1: a watch goes on after %s", async (_, answer) => {
  const { clock, transport, told } = await synced();
  transport.watchAnswers = [answer, answer, answer];
  transport.watch.cut();
  await clock.advance(60_000);
  transport.watch.send("ADDED", configMap("b", 101));
  await clock.advance(0);
  expect(told).toEqual(["added a@1", "added b@101"]);
  expect(transport.open.length).toBe(1);
});

test("1: a watch goes on after a connection that broke off in the middle of a line", async () => {
  const { clock, transport, told } = await synced();
  transport.watch.send("ADDED", configMap("b", 101));
  transport.watch.cut();
  await clock.advance(2000);
  expect(transport.callsOf("watch")[1]?.query.resourceVersion).toBe("101");
  transport.watch.send("ADDED", configMap("c", 102));
  await clock.advance(0);
  expect(told).toEqual(["added a@1", "added b@101", "added c@102"]);
});

test("2: a failed list is tried again", async () => {
  const { clock, transport, told, start } = reflecting();
  transport.lists = [refusal(503, "ServiceUnavailable"), reset(), listOf("1", [configMap("a", 1)])];
  void start();
  await clock.advance(10_000);
  expect(told).toEqual(["added a@1"]);
});

test("3: Retry-After is honoured, for lists and for watches", async () => {
  const { clock, transport, start } = reflecting();
  const busy = refusal(429, "TooManyRequests", { "retry-after": "5" });
  transport.lists = [busy, listOf("1")];
  transport.watchAnswers = [busy];
  void start();
  await clock.advance(60_000);
  expect(transport.gaps()).toEqual([5000, 0, 5000]);
});

test("3: nobody is made to wait for hours", async () => {
  const { clock, transport, start } = reflecting();
  transport.lists = [refusal(503, "Busy", { "retry-after": "86400" }), listOf("1")];
  void start();
  await clock.advance(BACKOFF.longestRetryAfterMs);
  expect(transport.callsOf("list").length).toBe(2);
});

test("4: a failure before the request (a token that cannot be had) is tried again", async () => {
  const { clock, transport, told } = await synced();
  transport.watchAnswers = [new Error("the exec plugin failed")];
  transport.watch.cut();
  await clock.advance(10_000);
  transport.watch.send("ADDED", configMap("b", 101));
  await clock.advance(0);
  expect(told).toContain("added b@101");
});

test("5: an exception in onChange is logged with the object's key, and counted", async () => {
  const { clock, transport, logged, reflector } = await synced({
    onChange: () => {
      throw new Error("a bug of the user");
    },
  });
  transport.watch.send("MODIFIED", configMap("a", 101));
  await clock.advance(0);
  expect(reflector.health()).toMatchObject({ changes: 2, resourceVersion: "101", watches: 1 });
  expect(logged.map(({ level, fields }) => [level, fields.namespace, fields.name])).toEqual([
    ["error", "a", "a"],
    ["error", "a", "a"],
  ]);
});

test("6: an ERROR of another code is told and met by a wait, and by a list when it goes on", async () => {
  const { clock, transport, logged } = await synced();
  for (let round = 0; round < 3; round += 1) {
    transport.watch.send("ERROR", refusal(500, "InternalError").body as object);
    await clock.advance(30_000);
  }
  expect(transport.gaps("watch")).toEqual([800, 30_000 + 1600 - 800, 30_000 + 3200 - 1600]);
  expect(transport.callsOf("list").length).toBe(2);
  expect(logged.map(({ fields }) => String(fields.error))).toEqual(
    Array(3).fill(expect.stringContaining("InternalError by the script")),
  );
});

test("7: an ERROR with 410 leads to a list without waiting for the server to close", async () => {
  const { clock, transport } = await synced();
  const { watch } = transport;
  watch.send("ERROR", refusal(410, "Expired").body as object);
  await clock.advance(BACKOFF.firstMs);
  expect(watch.closed).toBe(true);
  expect(transport.callsOf("list").length).toBe(2);
});

test("8: bookmarks are asked for and move the version; each watch has an end of its own", async () => {
  const { clock, transport } = await synced({ random: () => 0.5 });
  transport.watch.bookmark(500);
  transport.watch.end();
  await clock.advance(5000);
  expect(transport.callsOf("watch").map(({ query }) => query)).toEqual([
    expect.objectContaining({ allowWatchBookmarks: "true", timeoutSeconds: "450" }),
    expect.objectContaining({ resourceVersion: "500", timeoutSeconds: "450" }),
  ]);
});

test("9: a quiet kind keeps one watch as long as bookmarks come", async () => {
  const { clock, transport } = await synced();
  for (let minute = 1; minute <= 30; minute += 1) {
    await clock.advance(60_000);
    transport.watch.bookmark(100 + minute);
  }
  await clock.advance(69_999);
  expect(transport.callsOf("watch").length).toBe(1);
});

test.each(["list", "wait", "connect", "watch"])(
  "10: a stop during the %s is the end",
  async (phase) => {
    const { clock, transport, told, start, stop } = reflecting();
    transport.lists = [listOf("100", [configMap("a", 1)])];
    if (phase === "list") transport.lists = ["hang"];
    if (phase === "wait") transport.lists = [reset(), listOf("1", [configMap("a", 1)])];
    if (phase === "connect") transport.watchAnswers = ["hang"];
    transport.ignoresAbort = true;
    let ended = false;
    const done = start().then(() => {
      ended = true;
    });
    await clock.advance(0);
    const calls = transport.calls.length;
    const before = [...told];
    stop.abort();
    if (phase === "watch") transport.watch.send("ADDED", configMap("late", 200));
    await clock.advance(120_000);
    await done;
    expect(ended).toBe(true);
    expect(told).toEqual(before);
    expect(transport.calls.length).toBe(calls);
    expect(transport.open).toEqual([]);
    expect(clock.nextMs()).toBeUndefined();
  },
);

test("10: a stop in onChange is the last that is told", async () => {
  const stop = new AbortController();
  const told: string[] = [];
  const { clock, transport, reflector } = reflecting({
    onChange: ({ now }) => {
      told.push(now.key.name);
      stop.abort();
    },
  });
  transport.lists = [listOf("1", [configMap("a", 1), configMap("b", 1)])];
  void reflector.run(stop.signal);
  await clock.advance(1000);
  expect(told).toEqual(["a"]);
  expect(reflector.synced).toBe(false);
});

test("11: a stop is no failure", async () => {
  const { clock, stop, logged, done } = await synced();
  stop.abort();
  await clock.advance(0);
  await done;
  expect(logged).toEqual([]);
});

test("12: a second start does nothing, and a start after a stop lists again", async () => {
  const { clock, transport, reflector, stop, told, done } = await synced();
  expect(reflector.run(new AbortController().signal)).toBe(done);
  await clock.advance(10_000);
  expect(transport.calls.length).toBe(2);
  stop.abort();
  await clock.advance(0);
  transport.lists = [listOf("200", [configMap("b", 150)])];
  void reflector.run(new AbortController().signal);
  await clock.advance(0);
  expect(told).toEqual(["added a@1", "deleted a@1 unknown", "added b@150"]);
  expect(transport.mostOpen).toBe(1);
});

test("13: objects of lists and of watches have the same form", async () => {
  const { clock, transport, reflector } = await synced();
  const same = { ...configMap("b", 1, { creationTimestamp: "2026-01-01T00:00:00Z" }), data: {} };
  transport.watch.send("ERROR", refusal(410, "Expired").body as object);
  transport.lists = [listOf("200", [same])];
  await clock.advance(10_000);
  const object = { apiVersion: "v1", kind: "ConfigMap" };
  transport.watch.send("ADDED", { ...same, ...object, metadata: { ...same.metadata, name: "c" } });
  await clock.advance(0);
  const [b, c] = [...reflector.entries()];
  expect(c?.object).toEqual({ ...b?.object, metadata: { ...b?.object.metadata, name: "c" } });
});

test("14: a list is consistent, and comes in pages", async () => {
  const { clock, transport, reflector, start } = reflecting();
  transport.lists = [
    listOf("100", [configMap("a", 1)], "more"),
    listOf("100", [configMap("b", 2)], "more"),
    listOf("100", [configMap("c", 3)]),
  ];
  void start();
  await clock.advance(0);
  expect(reflector.size).toBe(3);
  expect(transport.callsOf("list").every(({ query }) => query.limit === "500")).toBe(true);
  expect(transport.callsOf("list").some(({ query }) => "resourceVersion" in query)).toBe(false);
});

test("15: a re-creation found by a new list is a deletion and an addition (B12)", async () => {
  const { clock, transport, told } = await synced();
  transport.lists = [listOf("200", [configMap("a", 150, {}, "uid-2")])];
  transport.watch.send("ERROR", refusal(410, "Expired").body as object);
  await clock.advance(10_000);
  expect(told).toEqual(["added a@1", "deleted a@1 unknown", "added a@150"]);
});

test("15: a late deletion of an earlier object of the name deletes nothing", async () => {
  const { clock, transport, told, names } = await synced();
  transport.watch.send("DELETED", configMap("a", 101, {}, "uid-0"));
  await clock.advance(0);
  expect(told).toEqual(["added a@1"]);
  expect(names()).toEqual(["a"]);
});

test("16: the form that is asked for is ours to choose", async () => {
  const { transport } = await synced({ full: false });
  for (const { accept } of transport.calls) expect(accept).toContain("as=PartialObjectMetadata");
});

test("17: it says whether it is synced, and when it last heard of the server", async () => {
  const { clock, transport, reflector } = await synced();
  await clock.advance(30_000);
  expect(reflector.health()).toMatchObject({ synced: true, silentMs: 30_000, watches: 1 });
  transport.watch.bookmark(120);
  await clock.advance(1);
  expect(reflector.health()).toMatchObject({ silentMs: 1, resourceVersion: "120" });
});

test("18: waits have jitter, end at a cap, and begin anew after two minutes of health", async () => {
  const { clock, transport, start } = reflecting({ random: () => 0.5 });
  transport.lists = [...Array.from({ length: 8 }, reset), listOf("100")];
  void start();
  await clock.advance(300_000);
  expect(transport.gaps("list")).toEqual([1200, 2400, 4800, 9600, 19_200, 38_400, 45_000, 45_000]);
  transport.watch.bookmark(101);
  await clock.advance(60_000);
  transport.watchAnswers = Array.from({ length: 2 }, reset);
  transport.watch.cut();
  await clock.advance(10_000);
  expect(transport.gaps("watch").slice(-2)).toEqual([1200, 2400]);
});

test("18: a server that soon ends quiet watches costs about a second each time, without growing", async () => {
  const { clock, transport } = await synced();
  for (let round = 0; round < 10; round += 1) {
    transport.watch.end();
    await clock.advance(2000);
  }
  expect(transport.gaps("watch")).toEqual([1800, ...Array(9).fill(2000)]);
  expect(transport.callsOf("list").length).toBe(1);
});

test("18: a load balancer that cuts watches each minute costs no more with time", async () => {
  const { clock, transport } = await synced();
  for (let round = 0; round < 10; round += 1) {
    await clock.advance(60_000);
    transport.watch.cut();
    await clock.advance(1000);
  }
  expect(transport.gaps("watch").at(-1)).toBe(61_000);
  expect(transport.callsOf("watch").length).toBe(11);
});
