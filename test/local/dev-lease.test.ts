import { expect, test } from "@jest/globals";
import { releaseDeadLease } from "../../local/dev-lease.ts";
import type { LeaseRecord, LeaseStore } from "../../shared/lease/lease-store.ts";

const held = { holder: "killed", version: "v1", durationMs: 15_000, term: 3, clusterUid: "uid" };

function storeOf(record?: LeaseRecord) {
  const writes: unknown[] = [];
  const store: LeaseStore = {
    read: async () => record,
    write: async (...write) => writes.push(write) > 0,
  };
  return { store, writes };
}

test("frees the lease of a watcher that was killed, and keeps its term and cluster", async () => {
  const { store, writes } = storeOf(held);
  await releaseDeadLease(store, () => "v2");
  expect(writes).toEqual([[{ ...held, holder: "", version: "v2" }, "v1"]]);
});

test.each([[undefined], [{ ...held, holder: "" }]])(
  "writes nothing where nobody holds it",
  async (record) => {
    const { store, writes } = storeOf(record);
    await releaseDeadLease(store, () => "v2");
    expect(writes).toEqual([]);
  },
);
