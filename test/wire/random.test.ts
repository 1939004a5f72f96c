// Faults of all kinds at random on every connection, while objects are created, changed and deleted: once
// they end, everything is as desired. SEED=7 replays one, as far as real sockets allow.
import { afterEach, expect, jest, test } from "@jest/globals";
import type { Exchange, Fault } from "../support/fault-proxy.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";
import { copying, put, startCopies, UNAVAILABLE } from "../support/wire-copies.ts";
import type { WirePlatform } from "../support/wire-platform.ts";

jest.setTimeout(120_000);

const SEEDS = process.env.SEED === undefined ? [1] : [Number(process.env.SEED)];
const NAMES = ["a", "b", "c", "d"];
const STEPS = 30;
const FAULTY = 0.15;

let platform: WirePlatform | undefined;

afterEach(async () => {
  await platform?.close();
  platform = undefined;
});

test.each(SEEDS)(
  "seed %s: whatever the connections do, all is as desired in the end",
  async (seed) => {
    const random = seededNumbers(seed);
    platform = await startCopies(copying);
    const made = platform;
    const second = await made.watch();
    const first = made.watchers[0];
    const proxies = [made.cluster.requests, made.queue, made.workerQueue, made.workerTable];
    const all = [...proxies, second.table, ...(first ? [first.table] : [])];
    for (const proxy of all) proxy.plan = (exchange) => faultOf(exchange, made, random);
    const wanted = new Map<string, string>();
    for (let step = 0; step < STEPS; step += 1) {
      const name = NAMES[Math.floor(random() * NAMES.length)] ?? "a";
      if (wanted.has(name) && random() < 0.3) {
        wanted.delete(name);
        await made.cluster.remove(name);
      } else {
        wanted.set(name, String(step));
        await put(made, name, String(step));
      }
      if (random() < 0.1) made.cluster.requests.cut();
      await made.cluster.clock.advance(Math.round(random() * 2_000));
    }
    for (const proxy of all) proxy.plan = () => undefined;
    await made.until(async () => {
      const values = await Promise.all(NAMES.map((name) => made.cluster.get(`${name}.copy`)));
      return NAMES.every(
        (name, index) => !wanted.has(name) || values[index]?.data?.value === wanted.get(name),
      );
    }, 300_000);
    await made.settled();
    const gone = NAMES.filter((name) => !wanted.has(name));
    expect(await Promise.all(gone.map((name) => made.cluster.get(`${name}.copy`)))).toEqual(
      gone.map(() => undefined),
    );
    expect(made.overlaps).toEqual([]);
    expect(made.leading).toHaveLength(1);
  },
);

function faultOf(
  { query }: Exchange,
  { cluster }: WirePlatform,
  random: () => number,
): Fault | undefined {
  if (random() >= FAULTY) return undefined;
  const watching = query.get("watch") === "true";
  const faults: readonly Fault[] = [
    UNAVAILABLE,
    { kind: "answer", status: 500 },
    { kind: "answer", status: 429, headers: { "retry-after": "1" } },
    { kind: "reset" },
    { kind: "lose" },
    { kind: "cut", afterBytes: Math.floor(random() * 200) },
    { kind: "throttle", bytes: 50 },
    { kind: "delay", until: cluster.clock.sleep(random() * 2_000) },
    ...(watching ? [] : [{ kind: "twice" } as const]),
  ];
  // An answer to a watch that is carried out and lost would never end.
  const possible = watching ? faults.filter(({ kind }) => kind !== "lose") : faults;
  return possible[Math.floor(random() * possible.length)];
}
