import type { LeaseStore } from "../shared/lease/lease-store.ts";

/**
 * Gives back the lease of a watcher that was killed, so that the next one leads at once instead of
 * waiting until it expires. Only for a caller who knows that the holder does not live any more: the
 * one who started it, on a table that nobody else uses.
 */
export async function releaseDeadLease(store: LeaseStore, newId: () => string): Promise<void> {
  const left = await store.read();
  if (!left || left.holder === "") return;
  await store.write({ ...left, holder: "", version: newId() }, left.version);
}
