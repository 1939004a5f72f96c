// The reflector over real connections to the embedded API server, through proxies that do to them what
// networks, load balancers and loaded servers do. The numbers are those of the design's list of reports.
import { expect, test } from "@jest/globals";
import { reflecting } from "../support/reflecting.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";
import {
  ALL_CHANGES,
  changeAll,
  faults,
  GONE_IN_STREAM,
  gaps,
  isWatch,
  lists,
  refused,
  synced,
  watches,
  wired,
} from "../support/wire-reflecting.ts";

test("B01: a connection that is half open is given up after 70 s, and all that happened is told", async () => {
  const all = await synced("bytes", "changed", "deleted");
  all.bytes.halfOpen();
  await changeAll(all);
  await all.clock.advance(69_000);
  expect(all.drain()).toEqual([]);
  await all.clock.advance(3_000);
  expect(all.drain()).toEqual(ALL_CHANGES);
});

test("B01: so is one on which TLS passed and then nothing", async () => {
  const all = await synced("bytes");
  all.bytes.mute = true;
  all.bytes.cut();
  await all.apply("created", "1");
  await all.clock.advance(60_000);
  expect(all.drain()).toEqual([]);
  all.bytes.mute = false;
  await all.clock.advance(70_000);
  expect(all.drain()).toEqual(["added created"]);
  expect(all.logged.filter(({ level }) => level === "warn").length).toBeGreaterThan(0);
});

test("B04: a clean end, a cut in the middle of a line, a 503: the watch after them delivers", async () => {
  const all = await wired("requests");
  faults(all, "watch", { kind: "answer", status: 200, body: "" }, { kind: "cut", afterBytes: 40 });
  void all.start();
  await all.clock.advance(2_000);
  expect(watches(all)).toHaveLength(2);
  faults(all, "watch", refused(503));
  await all.apply("created", "1");
  await all.clock.advance(10_000);
  expect(all.drain()).toEqual(["added created"]);
  expect(watches(all)).toHaveLength(4);
  expect(lists(all)).toHaveLength(1);
});

test.each([500, 502, 503] as const)(
  "B04: a watch that is refused with %s again and again is asked for ever more rarely",
  async (status) => {
    const all = await synced("requests", "changed", "deleted");
    faults(all, "watch", ...Array.from({ length: 6 }, () => refused(status)));
    all.requests.cut();
    await changeAll(all);
    await all.clock.advance(120_000);
    expect(all.drain()).toEqual(ALL_CHANGES);
    const waits = gaps(watches(all)).slice(1);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(all.requests.streams.most).toBe(1);
  },
);

test("B05: a server that refuses connections for a minute is found again", async () => {
  const all = await synced("bytes", "changed", "deleted");
  all.bytes.refusing = true;
  all.bytes.cut();
  await changeAll(all);
  await all.clock.advance(60_000);
  expect(all.bytes.accepted).toBeLessThan(10);
  all.bytes.refusing = false;
  await all.clock.advance(60_000);
  expect(all.drain()).toEqual(ALL_CHANGES);
});

test.each([
  ["an event in a stream that is 200", GONE_IN_STREAM],
  ["a status", refused(410)],
] as const)("B06, B07: after 410 as %s a list tells what is different", async (_, gone) => {
  const all = await synced("requests", "unchanged", "changed", "deleted");
  all.requests.silence();
  faults(all, "watch", gone);
  await changeAll(all);
  await all.clock.advance(90_000);
  expect(all.drain().sort()).toEqual([
    "added created",
    "deleted deleted unknown",
    "modified changed",
  ]);
  expect(lists(all)).toHaveLength(2);
  expect(all.names()).toEqual(["changed", "created", "unchanged"]);
});

test("B06: a server that forgets at once is listed once a step", async () => {
  const all = await wired("requests");
  faults(all, "watch", ...Array.from({ length: 100 }, () => GONE_IN_STREAM));
  void all.start();
  await all.clock.advance(60_000);
  expect(gaps(lists(all))).toEqual([800, 1600, 3200, 6400, 12_800, 25_600]);
});

test("B07: a list that breaks off deletes nothing", async () => {
  const all = await synced("requests", "changed", "deleted");
  all.requests.plan = (each) =>
    isWatch(each)
      ? lists(all).length === 1
        ? refused(410)
        : undefined
      : { kind: "cut", afterBytes: 500 };
  all.requests.silence();
  await all.clock.advance(75_000);
  expect(lists(all).length).toBeGreaterThan(1);
  expect(all.drain()).toEqual([]);
  expect(all.names()).toEqual(["changed", "deleted"]);
  await changeAll(all);
  all.requests.plan = () => undefined;
  await all.clock.advance(60_000);
  expect(all.drain().sort()).toEqual([
    "added created",
    "deleted deleted unknown",
    "modified changed",
  ]);
});

test("B08: a watch begins at exactly the version of the list, also when the list took long", async () => {
  const all = await wired("requests");
  await all.apply("deleted", "1");
  const answered = Promise.withResolvers<void>();
  let version = "";
  all.requests.plan = (each) =>
    isWatch(each)
      ? undefined
      : {
          kind: "alter",
          body: (text) => {
            version = (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata
              .resourceVersion;
            return text;
          },
        };
  void all.start();
  const { plan } = all.requests;
  all.requests.plan = (each) =>
    isWatch(each) ? { kind: "delay", until: answered.promise } : plan(each);
  await all.clock.advance(1_000);
  await all.remove("deleted");
  answered.resolve();
  await all.clock.advance(1_000);
  expect(watches(all)[0]?.query.get("resourceVersion")).toBe(version);
  expect(all.drain()).toEqual(["added deleted", "deleted deleted"]);
});

test("B08: the pages of a list that changes meanwhile are one version, and the watch begins at it", async () => {
  const all = await wired("requests");
  for (let index = 0; index < 501; index += 1) await all.apply(`kept-${index}`, "1");
  const later = all.clock.sleep(5_000);
  all.requests.plan = ({ query }) =>
    query.has("continue") ? { kind: "delay", until: later } : undefined;
  void all.start();
  await all.clock.advance(1_000);
  expect(lists(all)).toHaveLength(2);
  await all.remove("kept-0"); // On the page that has come.
  await all.apply("created", "1");
  await all.clock.advance(5_000);
  expect(all.drain().filter((text) => !text.startsWith("added kept"))).toEqual([
    "deleted kept-0",
    "added created",
  ]);
  expect(all.names()).toHaveLength(501);
});

test("B12: an object that was made anew while nobody watched is told as gone and as new", async () => {
  const all = await synced("requests", "changed");
  all.requests.silence();
  faults(all, "watch", refused(410));
  await all.remove("changed");
  await all.apply("changed", "1");
  await all.clock.advance(90_000);
  expect(all.drain()).toEqual(["deleted changed unknown", "added changed"]);
});

test.each([
  [404, "404 not served"],
  [403, "403 forbidden"],
  [401, "401 unauthorized"],
] as const)(
  "B33: a list that is refused with %s is named, and found when it comes",
  async (status, text) => {
    const all = await wired("requests");
    await all.apply("created", "1");
    all.requests.plan = () => refused(status);
    void all.start();
    await all.clock.advance(300_000);
    expect(all.reflector.health().unavailable).toContain(text);
    expect(all.requests.seen.length).toBeLessThan(50);
    all.requests.plan = () => undefined;
    await all.clock.advance(60_000);
    expect(all.drain()).toEqual(["added created"]);
    expect(all.reflector.health().unavailable).toBeUndefined();
  },
);

test("B34: Retry-After is kept to at the start, and a minute of 429 is no storm", async () => {
  const all = await wired("requests");
  const later = refused(429, { "retry-after": "5" });
  faults(all, "list", later);
  void all.start();
  await all.clock.advance(4_900);
  expect(all.requests.seen).toHaveLength(1);
  await all.clock.advance(3_000);
  expect(all.reflector.synced).toBe(true);
  all.requests.plan = () => later;
  all.requests.cut();
  await all.apply("created", "1");
  const from = watches(all).length;
  await all.clock.advance(60_000);
  const asked = watches(all).slice(from);
  expect(asked.length).toBeGreaterThan(1);
  expect(gaps(asked).filter((gap) => gap < 5_000)).toEqual([]);
  all.requests.plan = () => undefined;
  await all.clock.advance(60_000);
  expect(all.drain()).toEqual(["added created"]);
});

test("B34: eight kinds that are throttled for a minute ask ever more rarely, and not all at once", async () => {
  const first = await wired("requests");
  const { clock, requests } = first;
  const random = seededNumbers(1);
  const transport = first.transport("requests");
  const others = Array.from({ length: 7 }, () =>
    reflecting({ clock, transport, namespace: "default", random }),
  );
  const throttled = refused(429);
  requests.plan = () => throttled;
  for (const { start } of [first, ...others]) void start();
  await clock.advance(60_000);
  const times = requests.seen.map(({ atMs }) => atMs);
  const late = times.filter((atMs) => atMs > 0);
  expect(times.length).toBeLessThan(8 * 8);
  expect(new Set(late).size).toBe(late.length);
  requests.plan = () => undefined;
  await clock.advance(60_000);
  expect([first, ...others].map(({ reflector }) => reflector.synced)).toEqual(Array(8).fill(true));
  for (const { stop } of others) stop.abort();
});

test("B35: headers and then a cut, again and again: one watch at a time, and no flood", async () => {
  const all = await synced("requests");
  all.requests.plan = (each) => (isWatch(each) ? { kind: "cut", afterBytes: 0 } : undefined);
  all.requests.cut();
  for (let second = 0; second < 60; second += 1) {
    await all.clock.advance(1_000);
    all.requests.cut();
    void all.start(); // As an error handler that restarts it.
  }
  expect(all.requests.streams.most).toBe(1);
  expect(watches(all).length).toBeLessThan(30);
  all.requests.plan = () => undefined;
  await all.apply("created", "1");
  await all.clock.advance(60_000);
  expect(all.drain()).toEqual(["added created"]);
});

test("B36: a watch with a change each 10 s stays one connection for five minutes", async () => {
  const all = await synced("requests", "changed");
  for (let step = 2; step <= 29; step += 1) {
    await all.clock.advance(10_000);
    await all.apply("changed", String(step));
  }
  await all.clock.advance(0);
  expect(all.drain()).toHaveLength(28);
  expect(watches(all)).toHaveLength(1);
});

test("B57: list and watch carry the same selectors, and what is relabelled leaves once", async () => {
  const all = await wired("requests", { labels: { app: "demo" } });
  await all.apply("in", "1", { app: "demo" });
  void all.start();
  await all.clock.advance(1_000);
  await all.apply("unlabelled", "1");
  await all.apply("in", "1", { app: "other" });
  await all.clock.advance(1_000);
  expect(all.drain()).toEqual(["added in", "deleted in"]);
  const selectors = all.requests.seen.map(({ query }) => query.get("labelSelector"));
  expect(new Set(selectors)).toEqual(new Set(["app=demo"]));
});

test("a list and a watch that come byte for byte are read whole", async () => {
  const all = await wired("requests");
  all.requests.plan = () => ({ kind: "throttle", bytes: 7 });
  await all.apply("grüße-☂".replace(/[^a-z]/g, "x"), "☂ über 😀");
  void all.start();
  await all.clock.advance(1_000);
  await all.apply("created", "☂ über 😀");
  await all.clock.advance(1_000);
  expect(all.drain()).toHaveLength(2);
  const kept = [...all.reflector.entries()].map(({ object }) => (object as { data?: object }).data);
  expect(kept).toEqual([{ value: "☂ über 😀" }, { value: "☂ über 😀" }]);
});

test("a list that is held up for 20 s arrives, one that is held up for longer is asked for again", async () => {
  const all = await wired("requests");
  await all.apply("created", "1");
  const first = all.clock.sleep(20_000);
  faults(all, "list", { kind: "delay", until: first });
  void all.start();
  await all.clock.advance(19_000);
  expect(all.reflector.synced).toBe(false);
  await all.clock.advance(2_000);
  expect(all.drain()).toEqual(["added created"]);
  expect(lists(all)).toHaveLength(1);
  all.requests.silence();
  faults(all, "watch", { kind: "silence" }, { kind: "lose" });
  await all.apply("created", "2");
  await all.clock.advance(180_000);
  expect(all.drain()).toEqual(["modified created"]);
});

test("a change that comes twice is told once", async () => {
  const all = await wired("requests");
  all.requests.plan = (each) => (isWatch(each) ? { kind: "repeat-lines" } : undefined);
  void all.start();
  await all.clock.advance(1_000);
  await changeAll(all);
  await all.clock.advance(1_000);
  await all.remove("created");
  await all.clock.advance(1_000);
  expect(all.drain()).toEqual(["added created", "added changed", "deleted created"]);
});
