// The reflector over real connections to the embedded API server, through proxies that do to them what
// networks, load balancers and loaded servers do. The numbers are those of the design's list of reports.
import { afterEach, expect, test } from "@jest/globals";
import type { ReflectorOptions } from "../../shared/kube/reflector-options.ts";
import type { Exchange, Fault } from "../support/fault-proxy.ts";
import { type KeptObject, reflecting } from "../support/reflecting.ts";
import { startWireCluster, type WireCluster } from "../support/wire-cluster.ts";

const cleanUp: (() => unknown)[] = [];

afterEach(async () => {
  for (let step = cleanUp.pop(); step; step = cleanUp.pop()) await step();
});

/** A reflector that has not begun, by one of the proxies. */
async function wired(
  by: "requests" | "bytes",
  options: Partial<ReflectorOptions<KeptObject>> = {},
) {
  const cluster = await startWireCluster();
  cleanUp.push(() => cluster.close());
  const { clock } = cluster;
  const transport = cluster.transport(by);
  const made = reflecting({ clock, transport, namespace: "default", ...options });
  cleanUp.push(() => made.stop.abort());
  /** What was told since the last call, without versions. */
  const drain = () => made.told.splice(0).map((text) => text.replace(/@[\d>]+/, ""));
  return { ...made, ...cluster, drain };
}

async function synced(by: "requests" | "bytes", ...names: readonly string[]) {
  const all = await wired(by);
  for (const name of names) await all.apply(name, "1");
  void all.start();
  await all.clock.advance(1_000);
  expect(all.drain()).toEqual([...names].sort().map((name) => `added ${name}`));
  return all;
}

/** One of each kind of change, behind the proxies. */
async function changeAll({ apply, remove }: WireCluster): Promise<void> {
  await apply("created", "1");
  await apply("changed", "2");
  await remove("deleted");
}

const ALL_CHANGES = ["added created", "modified changed", "deleted deleted"];

const watches = ({ requests }: WireCluster) => requests.seen.filter(isWatch);
const lists = ({ requests }: WireCluster) => requests.seen.filter((each) => !isWatch(each));
const isWatch = ({ query }: Exchange) => query.get("watch") === "true";
const gaps = (seen: readonly Exchange[]) =>
  seen.slice(1).map(({ atMs }, index) => atMs - (seen[index]?.atMs ?? 0));

/** Befalls the next requests that match, in order; afterwards nothing happens. */
function faults({ requests }: WireCluster, which: "list" | "watch", ...next: readonly Fault[]) {
  const left = [...next];
  requests.plan = (each) => (isWatch(each) === (which === "watch") ? left.shift() : undefined);
}

const refused = (status: number, headers = {}): Fault => ({
  kind: "answer",
  status,
  headers,
  body: JSON.stringify(statusOf(status)),
});

const statusOf = (code: number) => ({
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  reason: code === 410 ? "Expired" : "Unknown",
  code,
});

/** The watch that answers 200 and then one line: its version is too old. */
const GONE_IN_STREAM: Fault = {
  kind: "answer",
  status: 200,
  body: `${JSON.stringify({ type: "ERROR", object: statusOf(410) })}\n`,
};

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
