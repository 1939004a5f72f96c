import { expect, test } from "@jest/globals";
import type { LeaseRecord, LeaseStore } from "../../shared/lease/lease-store.ts";

const record = (change: Partial<LeaseRecord> = {}): LeaseRecord => ({
  holder: "a",
  version: "v1",
  durationMs: 15_000,
  term: 1,
  clusterUid: "uid-1",
  ...change,
});

/** What each lease store must do. @param connect An empty store, twice connected. */
export function leaseStoreContract(
  name: string,
  connect: () => Promise<readonly [LeaseStore, LeaseStore]>,
): void {
  test(`${name}: reads undefined where there is no item`, async () => {
    const [store] = await connect();
    expect(await store.read()).toBeUndefined();
  });

  test(`${name}: reads what another wrote, at once`, async () => {
    const [one, other] = await connect();
    expect(await one.write(record({ holder: "" }), undefined)).toBe(true);
    expect(await other.read()).toEqual(record({ holder: "" }));
  });

  test(`${name}: creates only where there is no item`, async () => {
    const [one, other] = await connect();
    await one.write(record(), undefined);
    expect(await other.write(record({ holder: "b", version: "v2" }), undefined)).toBe(false);
    expect(await other.read()).toEqual(record());
  });

  test(`${name}: replaces only the version that was seen`, async () => {
    const [one, other] = await connect();
    await one.write(record(), undefined);
    expect(await other.write(record({ holder: "b", version: "v2", term: 2 }), "v1")).toBe(true);
    expect(await one.write(record({ version: "v3" }), "v1")).toBe(false);
    expect(await one.read()).toEqual(record({ holder: "b", version: "v2", term: 2 }));
  });

  test(`${name}: does not replace an item that vanished`, async () => {
    const [store] = await connect();
    expect(await store.write(record({ version: "v2" }), "v1")).toBe(false);
    expect(await store.read()).toBeUndefined();
  });

  test(`${name}: of 50 that create at once, one wins, and its item is there`, async () => {
    for (let round = 0; round < 3; round += 1) {
      const stores = await connect();
      const names = Array.from({ length: 50 }, (_, index) => `h${index}`);
      const won = await Promise.all(
        names.map((holder, index) =>
          (stores[index % 2] as LeaseStore).write(record({ holder, version: holder }), undefined),
        ),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await stores[0].read())?.holder).toBe(names[won.indexOf(true)]);
    }
  });

  test(`${name}: of 50 that replace one version at once, one wins`, async () => {
    const [one, other] = await connect();
    await one.write(record(), undefined);
    const won = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? one : other).write(record({ version: `w${index}` }), "v1"),
      ),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
  });
}
