import { afterEach, expect } from "@jest/globals";
import type { ReflectorOptions } from "../../shared/kube/reflector-options.ts";
import type { Exchange, Fault } from "./fault-proxy.ts";
import { type KeptObject, reflecting } from "./reflecting.ts";
import { startWireCluster, type WireCluster } from "./wire-cluster.ts";

const cleanUp: (() => unknown)[] = [];

afterEach(async () => {
  for (let step = cleanUp.pop(); step; step = cleanUp.pop()) await step();
});

/** A reflector that has not begun, by one of the proxies. */
export async function wired(
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

/** One that holds objects of those names. */
export async function synced(by: "requests" | "bytes", ...names: readonly string[]) {
  const all = await wired(by);
  for (const name of names) await all.apply(name, "1");
  void all.start();
  await all.clock.advance(1_000);
  expect(all.drain()).toEqual([...names].sort().map((name) => `added ${name}`));
  return all;
}

/** One of each kind of change, behind the proxies. */
export async function changeAll({ apply, remove }: WireCluster): Promise<void> {
  await apply("created", "1");
  await apply("changed", "2");
  await remove("deleted");
}

export const ALL_CHANGES = ["added created", "modified changed", "deleted deleted"];

export const watches = ({ requests }: WireCluster) => requests.seen.filter(isWatch);
export const lists = ({ requests }: WireCluster) => requests.seen.filter((each) => !isWatch(each));
export const isWatch = ({ query }: Exchange) => query.get("watch") === "true";
export const gaps = (seen: readonly Exchange[]) =>
  seen.slice(1).map(({ atMs }, index) => atMs - (seen[index]?.atMs ?? 0));

/** Befalls the next requests that match, in order; afterwards nothing happens. */
export function faults(
  { requests }: WireCluster,
  which: "list" | "watch",
  ...next: readonly Fault[]
) {
  const left = [...next];
  requests.plan = (each) => (isWatch(each) === (which === "watch") ? left.shift() : undefined);
}

export const refused = (status: number, headers = {}): Fault => ({
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
export const GONE_IN_STREAM: Fault = {
  kind: "answer",
  status: 200,
  body: `${JSON.stringify({ type: "ERROR", object: statusOf(410) })}\n`,
};
