import { expect, test } from "@jest/globals";
import { lookAtLease } from "../../cli/operate-lease.ts";
import type { LeaseRecord } from "../../shared/lease/lease-store.ts";

/** Reads that answer one after the other, the last one for ever; time passes only in sleeps. */
async function looked(...reads: readonly (Partial<LeaseRecord> | undefined)[]) {
  let nowMs = 0;
  let asked = 0;
  const clock = {
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
  const read = async () => {
    const at = Math.min(asked, reads.length - 1);
    asked += 1;
    const record = reads[at];
    return (
      record && { holder: "w", durationMs: 1, term: 1, clusterUid: "u", version: "", ...record }
    );
  };
  return { fact: await lookAtLease({ read }, clock), tookMs: nowMs };
}

test("a lease that is renewed while we look is held", async () => {
  const { fact } = await looked({ version: "1" }, { version: "1" }, { version: "2", holder: "x" });
  expect(fact).toEqual({ state: "held", holder: "x", clusterUid: "u" });
});

test("one that stands still is told as silent, after some renewals would have come", async () => {
  expect(await looked({ version: "1" })).toEqual({
    fact: { state: "silent", holder: "w", clusterUid: "u" },
    tookMs: 6_000,
  });
});

test("one that was given back, or never was, is told at once", async () => {
  const released = { state: "released", clusterUid: "u" };
  expect(await looked({ holder: "" })).toEqual({ fact: released, tookMs: 0 });
  expect(await looked(undefined)).toEqual({ fact: { state: "none" }, tookMs: 0 });
});
