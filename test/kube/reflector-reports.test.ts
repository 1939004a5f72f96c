// What users of other watchers reported, reduced to the smallest case; the numbers are those of the design's list.

import { expect, test } from "@jest/globals";
import { ConfigMap } from "../../shared/api/kinds.ts";
import type { Kind } from "../../shared/api/object.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { FakeCluster } from "../support/fake-cluster.ts";
import { reflecting } from "../support/reflecting.ts";
import { configMap, listOf, refusal, ScriptedTransport } from "../support/scripted-transport.ts";

const reset = () => new Error("read ECONNRESET");
const expired = refusal(410, "Expired").body as object;
const Website: Kind = {
  apiVersion: "example.com/v1",
  kind: "Website",
  plural: "websites",
  scope: "Namespaced",
};

async function synced(...items: readonly object[]) {
  const all = reflecting();
  all.transport.lists = [listOf("100", items)];
  void all.start();
  await all.clock.advance(0);
  return all;
}

function clustered(kind: Kind = ConfigMap as Kind) {
  const clock = new VirtualClock();
  const cluster = new FakeCluster({ clock });
  const all = reflecting({ clock, transport: cluster, kind });
  const create = (name: string, data: object = {}) =>
    cluster.apply({ ...objectOf(kind, name), data });
  return { ...all, clock, cluster, create };
}

function objectOf({ apiVersion, kind }: Kind, name: string) {
  return { apiVersion, kind, metadata: { namespace: "a", name } };
}

test("B01: a watch that goes silent is opened anew after 70 s, and what happened meanwhile is told", async () => {
  const { clock, cluster, create, start, told } = clustered();
  create("changed");
  create("deleted");
  void start();
  await clock.advance(1000);
  cluster.silenceWatches();
  create("created");
  create("changed", { k: "v" });
  cluster.delete(ConfigMap, { namespace: "a", name: "deleted" });
  await clock.advance(69_000);
  expect(told.length).toBe(2);
  await clock.advance(2000);
  expect(told.slice(2).map((text) => text.split("@")[0])).toEqual([
    "added created",
    "modified changed",
    "deleted deleted",
  ]);
  expect(cluster.watches.length).toBe(1);
});

test("B01: silence is no warning, for a quiet kind has no bookmarks; a watch that then cannot be opened is", async () => {
  const { clock, transport, logged } = await synced();
  const levels = () => logged.map(({ level }) => level);
  await clock.advance(150_000);
  expect(levels()).toEqual(["debug", "debug"]);
  expect(transport.watches.length).toBe(3);
  transport.watchAnswers = [reset()];
  await clock.advance(75_000);
  expect(levels()).toEqual(["debug", "debug", "debug", "warn"]);
  expect(transport.open.length).toBe(1);
});

test("B01: silence counts from the last line, whatever it was", async () => {
  const { clock, transport } = await synced();
  await clock.advance(60_000);
  transport.watch.bookmark(101);
  await clock.advance(69_000);
  expect(transport.callsOf("watch").length).toBe(1);
  await clock.advance(2000);
  expect(transport.callsOf("watch").at(-1)?.query.resourceVersion).toBe("101");
});

test.each(["list", "connect"])(
  "B01: a %s without any answer is given up and tried again",
  async (phase) => {
    const { clock, transport, reflector, start } = reflecting();
    transport.lists = phase === "list" ? ["hang", listOf("100")] : [listOf("100")];
    if (phase === "connect") transport.watchAnswers = ["hang"];
    void start();
    await clock.advance(72_000);
    expect(transport.gaps(phase === "list" ? "list" : "watch")).toEqual([70_800]);
    expect(reflector.synced).toBe(true);
    expect(transport.open.length).toBe(1);
  },
);

test("B01: a machine that slept does not trust its old connection", async () => {
  const { clock, transport } = await synced();
  await clock.advance(5000);
  clock.step(3_600_000); // The monotonic clock stood still.
  await clock.advance(12_000);
  expect(transport.callsOf("watch").length).toBe(2);
  clock.step(-3_600_000);
  await clock.advance(30_000);
  expect(transport.callsOf("watch").length).toBe(2);
});

test("B01: a wall clock that is set back does not make silence shorter", async () => {
  const { clock, transport } = await synced();
  await clock.advance(5000);
  clock.step(-3_600_000);
  await clock.advance(68_000);
  expect(transport.callsOf("watch").length).toBe(2);
});

test("B04: a clean end, a reset, a 503: the watch after them delivers", async () => {
  const { clock, transport, told } = await synced();
  await clock.advance(5000);
  transport.watch.end();
  await clock.advance(0);
  transport.watchAnswers = [refusal(503, "ServiceUnavailable")];
  transport.watch.cut();
  await clock.advance(800);
  expect(transport.callsOf("watch").length).toBe(3);
  await clock.advance(1600);
  transport.watch.send("ADDED", configMap("b", 101));
  await clock.advance(0);
  expect(told).toEqual(["added b@101"]);
  expect(transport.gaps("watch")).toEqual([5000, 800, 1600]);
});

test("B05: a server that is away for a minute leads to a whole comparison afterwards", async () => {
  const { clock, transport, told, names } = await synced(configMap("a", 1), configMap("b", 2));
  transport.lists = [
    ...Array.from({ length: 5 }, reset),
    listOf("300", [configMap("a", 1), configMap("c", 250)]),
  ];
  transport.watch.send("ERROR", expired);
  await clock.advance(120_000);
  expect(told.slice(2)).toEqual(["deleted b@2 unknown", "added c@250"]);
  expect(names()).toEqual(["a", "c"]);
});

test.each(["event", "status"] as const)(
  "B06: 410 as %s drops the version and lists anew",
  async (as) => {
    const { clock, cluster, create, start, names } = clustered();
    create("a");
    void start();
    await clock.advance(20_000);
    cluster.silenceWatches();
    create("b");
    cluster.compact({ as });
    await clock.advance(90_000);
    expect(names()).toEqual(["a", "b"]);
    const lists = cluster.requests.filter(({ query }) => query?.limit);
    expect(lists.length).toBe(2);
  },
);

test("B06: a server that forgets at once is listed once a step, not in a loop", async () => {
  const { clock, transport, start } = reflecting();
  transport.lists = [listOf("100")];
  transport.watchAnswers = Array.from({ length: 100 }, () => refusal(410, "Expired"));
  void start();
  await clock.advance(60_000);
  expect(transport.gaps("list")).toEqual([800, 1600, 3200, 6400, 12_800, 25_600]);
});

test("B07: after a gap a deletion is told with the last known state, a change once, and the unchanged not", async () => {
  const { clock, transport, told, names, reflector } = await synced(
    configMap("a", 1),
    configMap("b", 2),
    configMap("c", 3),
  );
  transport.lists = [listOf("200", [configMap("a", 1), configMap("c", 150)])];
  transport.watchAnswers = [refusal(410, "Expired")];
  transport.watch.cut();
  await clock.advance(10_000);
  expect(told.slice(3)).toEqual(["deleted b@2 unknown", "modified c@3>150"]);
  expect(names()).toEqual(["a", "c"]);
  expect(reflector.health().repairs).toBe(2);
});

test("B30: a deletion found by a list is told as such, with what is known of the object", async () => {
  const changes: object[] = [];
  const { clock, transport, start } = reflecting({ onChange: (change) => changes.push(change) });
  transport.lists = [
    listOf("100", [configMap("a", 1, { labels: { app: "demo" } })]),
    listOf("200"),
  ];
  transport.watchAnswers = [refusal(410, "Expired")];
  void start();
  await clock.advance(10_000);
  const known = expect.objectContaining({
    object: expect.objectContaining({
      metadata: expect.objectContaining({ labels: { app: "demo" } }),
    }),
  });
  expect(changes[1]).toEqual({
    type: "deleted",
    now: known,
    before: known,
    finalStateUnknown: true,
  });
});

test("B33: a kind that is not there is named, asked for ever more slowly, and found when it comes", async () => {
  const { clock, cluster, create, reflector, start, told } = clustered(Website);
  void start();
  await clock.advance(180_000);
  expect(reflector.health()).toMatchObject({ synced: false, lists: 11 });
  expect(reflector.health().unavailable).toMatch(/^404 not served: .* websites\.example\.com/);
  cluster.serve(Website);
  create("x");
  await clock.advance(60_000);
  expect(told.map((text) => text.split("@")[0])).toEqual(["added x"]);
  expect(reflector.health()).toMatchObject({ synced: true, objects: 1 });
  expect(reflector.health().unavailable).toBeUndefined();
});

test.each([
  [403, "Forbidden", "403 forbidden: cannot list configmaps in namespace a"],
  [401, "Unauthorized", "401 unauthorized: cannot list configmaps in namespace a"],
])(
  "B33: a list that is refused with %s is named with verb and resource",
  async (status, reason, text) => {
    const { clock, transport, reflector, start } = reflecting({ namespace: "a" });
    transport.lists = [refusal(status, reason)];
    void start();
    await clock.advance(600_000);
    expect(reflector.health().unavailable).toContain(text);
    expect(transport.callsOf("list").length).toBeLessThan(30);
    transport.lists = [listOf("1")];
    await clock.advance(30_000);
    expect(reflector.health().unavailable).toBeUndefined();
  },
);

test("B33: a watch that is forbidden is named, though the list was allowed", async () => {
  const { clock, transport, reflector, start } = reflecting();
  transport.lists = [listOf("1")];
  transport.watchAnswers = Array.from({ length: 9 }, () => refusal(403, "Forbidden"));
  void start();
  await clock.advance(1000);
  expect(reflector.health().unavailable).toContain("403 forbidden: cannot watch configmaps");
});

test("a kind that is removed tells the deletion of its objects by the watch", async () => {
  const { clock, cluster, create, reflector, start, told } = clustered(Website);
  cluster.serve(Website);
  create("x");
  void start();
  await clock.advance(10_000);
  cluster.unserve(Website);
  await clock.advance(10_000);
  expect(told.map((text) => text.split("@")[0])).toEqual(["added x", "deleted x"]);
  expect(reflector.health()).toMatchObject({ synced: true, objects: 0 });
  expect(reflector.health().unavailable).toContain("404 not served");
});

test("a 404 alone deletes nothing; when the kind is back, a list tells what is gone", async () => {
  const { clock, cluster, create, names, start, told } = clustered(Website);
  cluster.serve(Website);
  create("x");
  void start();
  await clock.advance(10_000);
  cluster.silenceWatches();
  cluster.unserve(Website);
  await clock.advance(300_000);
  expect(names()).toEqual(["x"]);
  cluster.serve(Website);
  create("y");
  await clock.advance(60_000);
  expect(told.map((text) => text.replace(/@\d+/, ""))).toEqual([
    "added x",
    "deleted x unknown",
    "added y",
  ]);
});

test("B34: a 429 at the start is met after what it asks for, and later ones are no storm", async () => {
  const { clock, transport, reflector, start } = reflecting({ random: () => 0.5 });
  transport.lists = [refusal(429, "TooManyRequests", { "retry-after": "5" }), listOf("1")];
  transport.watchAnswers = Array.from({ length: 100 }, () =>
    refusal(429, "TooManyRequests", { "retry-after": "1" }),
  );
  void start();
  await clock.advance(4999);
  expect(transport.calls.length).toBe(1);
  await clock.advance(60_000);
  expect(reflector.synced).toBe(true);
  const gaps = transport.gaps("watch");
  expect(gaps.length).toBeLessThan(6);
  expect([...gaps].sort((a, b) => a - b)).toEqual(gaps);
});

test("B35: headers and then a cut, again and again: one watch at a time, less than one request a second", async () => {
  const { clock, transport, told, start } = reflecting();
  transport.lists = [listOf("100")];
  void start();
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(1000);
    for (const watch of transport.open) {
      watch.send("ADDED", configMap("a", 101));
      watch.cut();
    }
  }
  expect(transport.mostOpen).toBe(1);
  expect(transport.calls.length).toBeLessThan(10);
  expect(told).toEqual(["added a@101"]);
});

test("B36: a watch with an event each 10 s stays open", async () => {
  const { clock, transport, told } = await synced();
  for (let version = 101; version <= 130; version += 1) {
    await clock.advance(10_000);
    transport.watch.send("MODIFIED", configMap("a", version));
  }
  await clock.advance(0);
  expect(told.length).toBe(30);
  expect(transport.callsOf("watch").length).toBe(1);
});

test("a version that the server has not reached yet is tried again, and then given up", async () => {
  const { clock, transport, logged } = await synced();
  const ahead = refusal(504, "Timeout", { "retry-after": "1" });
  transport.watchAnswers = [ahead, ahead, ahead];
  transport.watch.cut();
  await clock.advance(60_000);
  expect(transport.callsOf("watch").map(({ query }) => query.resourceVersion)).toEqual(
    Array(5).fill("100"),
  );
  expect(transport.callsOf("list").length).toBe(2);
  expect(logged.length).toBe(4);
});

test("each reflector has its own rhythm: the waits of two differ", async () => {
  const clock = new VirtualClock();
  const transports = [0.1, 0.9].map((number) => {
    const transport = new ScriptedTransport(clock);
    transport.lists = [reset()];
    void reflecting({ clock, transport, random: () => number }).start();
    return transport;
  });
  await clock.advance(30_000);
  const [one, two] = transports.map((transport) =>
    transport.callsOf("list").map(({ atMs }) => atMs),
  );
  expect(one?.slice(1).filter((atMs) => two?.includes(atMs))).toEqual([]);
});
