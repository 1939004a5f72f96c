import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { type Kind, type KubernetesObject, keyOf } from "../../shared/api/object.ts";
import type { ReflectedChange } from "../../shared/kube/reflected.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { FakeCluster } from "../support/fake-cluster.ts";
import { type KeptObject, reflecting } from "../support/reflecting.ts";

const name = fc.constantFrom("a", "b", "c", "d");
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write"), name, value: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("delete", "recreate"), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("relabel"), name, value: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("cut", "silence", "compact", "compact by status", "bookmark"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("500", "refuse", "lose", "heal") }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait"), ms: fc.nat(90_000) }) },
);

interface Step {
  readonly do: string;
  readonly name?: string;
  readonly value?: number;
  readonly ms?: number;
}

const FAULTS = {
  "500": () => ({ status: 500, headers: {}, body: {} }),
  refuse: () => new Error("connect ECONNREFUSED"),
  lose: () => "cut" as const,
  heal: () => undefined,
};

async function act(cluster: FakeCluster, clock: VirtualClock, at: Step): Promise<void> {
  const key = { namespace: "x", name: at.name ?? "" };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key } };
  const there = cluster.get(ConfigMap, key) !== undefined;
  const labels = { app: at.value === 0 ? "demo" : "other" };
  if (at.do === "write") {
    const metadata = there ? key : { ...key, labels: { app: "demo" } };
    cluster.apply({ ...object, metadata, data: { value: String(at.value) } });
  }
  if (at.do === "relabel") cluster.apply({ ...object, metadata: { ...key, labels } });
  if (at.do === "delete" || at.do === "recreate") {
    if (there) cluster.delete(ConfigMap, key);
    if (at.do === "recreate") {
      cluster.apply({ ...object, metadata: { ...key, labels: { app: "demo" } } });
    }
  }
  if (at.do === "cut") cluster.dropWatches();
  if (at.do === "silence") cluster.silenceWatches();
  if (at.do === "bookmark") cluster.bookmark();
  if (at.do.startsWith("compact"))
    cluster.compact({ as: at.do === "compact" ? "event" : "status" });
  if (at.do in FAULTS) cluster.fault(FAULTS[at.do as keyof typeof FAULTS]);
  await clock.advance(at.ms ?? 0);
}

/** Follows the changes as a subscriber does; fails where they do not fit together. */
function replay(states: Map<string, KeptObject>, change: ReflectedChange<KeptObject>): void {
  const { type, now } = change;
  const before = states.get(now.key.name);
  if (type === "added") expect(before).toBeUndefined();
  else expect(change.before).toBe(before);
  if (type === "modified") {
    expect(now.uid).toBe(before?.uid);
    expect(Number(now.resourceVersion)).toBeGreaterThan(Number(before?.resourceVersion));
  }
  if (type === "deleted") states.delete(now.key.name);
  else states.set(now.key.name, now);
}

function pictureOf(objects: readonly KubernetesObject[]): readonly string[] {
  return objects
    .map(
      (object) => `${keyOf(object).name} ${object.metadata.uid} ${object.metadata.resourceVersion}`,
    )
    .sort();
}

test("whatever breaks and changes, in the end the cache is the cluster, and so are the changes told", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom({}, { labels: { app: "demo" } }),
      fc.noShrink(fc.integer()),
      async (steps, selectors, seed) => {
        const clock = new VirtualClock();
        const cluster = new FakeCluster({ clock });
        const states = new Map<string, KeptObject>();
        const errors: unknown[] = [];
        let state = Math.abs(seed) + 1;
        const { start, stop, reflector } = reflecting({
          clock,
          transport: cluster,
          kind: ConfigMap as Kind,
          ...selectors,
          random: () => {
            state = (state * 16807) % 2147483647;
            return state / 2147483647;
          },
          onChange: (change) => {
            try {
              replay(states, change);
            } catch (error) {
              errors.push(error);
            }
          },
        });
        const done = start();
        for (const at of steps) {
          await act(cluster, clock, at);
          expect(cluster.watches.length).toBeLessThanOrEqual(1);
        }
        cluster.fault(() => undefined);
        await clock.advance(240_000);
        expect(errors).toEqual([]);
        const expected = cluster
          .list(ConfigMap)
          .filter(({ metadata }) => !("labels" in selectors) || metadata.labels?.app === "demo");
        expect(pictureOf([...reflector.entries()].map(({ object }) => object))).toEqual(
          pictureOf(expected),
        );
        expect(pictureOf([...states.values()].map(({ object }) => object))).toEqual(
          pictureOf(expected),
        );
        stop.abort();
        await clock.advance(0);
        await done;
        expect(clock.nextMs()).toBeUndefined();
      },
    ),
    { numRuns: 150 },
  );
}, 60_000);
