import { expect, test } from "@jest/globals";
import { newReplicas, rolloutLimits, shrunk } from "../../local/kube/workload-rollout.ts";
import type { Deployment, ReplicaSet } from "../../shared/api/kinds.ts";

test("shares are rounded up for the surge, and down for what may be missing", () => {
  expect(rolloutLimits(deployment(3, { maxSurge: "25%", maxUnavailable: "25%" }))).toEqual({
    surge: 1,
    unavailable: 0,
  });
  expect(rolloutLimits(deployment(10, {}))).toEqual({ surge: 3, unavailable: 2 });
});

test("a rollout that could go neither up nor down may miss one pod", () => {
  const stuck = deployment(1, { maxSurge: 0, maxUnavailable: "10%" });
  expect(rolloutLimits(stuck)).toEqual({ surge: 0, unavailable: 1 });
});

test("a rollout keeps within its limits at every step and ends with the new pods alone", () => {
  const wanted = deployment(4, { maxSurge: 1, maxUnavailable: 1 });
  let [fresh, old] = [0, 4];
  let ready = 0;
  for (let step = 0; step < 20 && !(ready === 4 && old === 0); step += 1) {
    const made = fresh;
    const next = newReplicas(wanted, set(fresh, ready), [set(old, old)]);
    const [change] = shrunk(wanted, set(fresh, ready), [set(old, old)]);
    fresh = next;
    old = change?.[1] ?? old;
    expect(fresh + old).toBeLessThanOrEqual(5);
    expect(ready + old).toBeGreaterThanOrEqual(3);
    // They serve one step after they were made.
    ready = made;
  }
  expect({ fresh, old, ready }).toEqual({ fresh: 4, old: 0, ready: 4 });
});

test("pods that do not serve go first, and those that do stay until others serve", () => {
  const wanted = deployment(2, { maxSurge: 1, maxUnavailable: 0 });
  const broken = set(1, 0);
  const serving = set(2, 2);
  expect(shrunk(wanted, set(0, 0), [broken, serving])).toEqual([[broken, 0]]);
});

test("Recreate waits until the old pods are gone", () => {
  const wanted = deployment(2, {}, "Recreate");
  expect(newReplicas(wanted, set(0, 0), [set(2, 2)])).toBe(0);
  expect(newReplicas(wanted, undefined, [{ ...set(0, 0), status: { replicas: 1 } }])).toBe(0);
  expect(newReplicas(wanted, set(0, 0), [set(0, 0)])).toBe(2);
});

test("a Deployment that shrinks takes its ReplicaSet along at once", () => {
  expect(newReplicas(deployment(1, {}), set(3, 3), [])).toBe(1);
});

function deployment(replicas: number, rollingUpdate: object, type = "RollingUpdate"): Deployment {
  return { spec: { replicas, strategy: { type, rollingUpdate } } } as unknown as Deployment;
}

function set(replicas: number, available: number): ReplicaSet {
  const status = { replicas, availableReplicas: available };
  return { spec: { replicas }, status } as unknown as ReplicaSet;
}
