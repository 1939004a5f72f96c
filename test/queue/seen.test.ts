import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { decodeApplied, encodeApplied } from "../../shared/queue/applied.ts";
import { UNKNOWN_FINGERPRINT } from "../../shared/queue/fingerprint.ts";
import { identityOf, unsyncedIdentities } from "../../shared/queue/identity.ts";
import { decodeSeen, encodeSeen } from "../../shared/queue/seen.ts";

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => Buffer.from(value).toString("hex"));
const known = hex(6).filter((fingerprint) => fingerprint !== UNKNOWN_FINGERPRINT);
const entries = fc.array(fc.tuple(hex(8), known), { maxLength: 64 }).map((pairs) => new Map(pairs));

test("tells exactly what was put in, in 14 bytes an object and one more", () => {
  fc.assert(
    fc.property(entries, known, (map, other) => {
      const bytes = encodeSeen(map);
      expect(bytes).toHaveLength(1 + 14 * map.size);
      const seen = decodeSeen(bytes);
      expect(seen).toMatchObject({ overflow: false, size: map.size });
      expect([...seen.identities()].sort()).toEqual([...map.keys()].sort());
      for (const [identity, fingerprint] of map) {
        expect(seen.has(identity, fingerprint)).toBe(true);
        expect(seen.has(identity, other)).toBe(other === fingerprint);
      }
    }),
  );
});

test("the order in which objects were seen does not change the bytes", () => {
  const pairs = [
    ["00".repeat(8), "11".repeat(6)],
    ["22".repeat(8), "33".repeat(6)],
  ] as const;
  expect(encodeSeen(new Map(pairs))).toEqual(encodeSeen(new Map([...pairs].reverse())));
});

test("an unknown fingerprint equals nothing, not even itself", () => {
  const identity = "00".repeat(8);
  const seen = decodeSeen(encodeSeen(new Map([[identity, UNKNOWN_FINGERPRINT]])));
  expect(seen.has(identity, UNKNOWN_FINGERPRINT)).toBe(false);
  expect([...seen.identities()]).toEqual([identity]);
});

test("65 objects overflow, 64 do not", () => {
  const many = (count: number) =>
    new Map(
      Array.from({ length: count }, (_, index) => [
        index.toString(16).padStart(16, "0"),
        "00".repeat(6),
      ]),
    );
  expect(decodeSeen(encodeSeen(many(64)))).toMatchObject({ overflow: false, size: 64 });
  expect(encodeSeen(many(65))).toHaveLength(1);
  expect(decodeSeen(encodeSeen(many(65)))).toMatchObject({ overflow: true, size: 0 });
});

test.each([
  ["no bytes", []],
  ["a version of later", [2, ...Array(14).fill(0)]],
  ["half an entry", [1, ...Array(13).fill(0)]],
])("says overflow of bytes that it cannot read: %s", (_, bytes) => {
  expect(decodeSeen(Uint8Array.from(bytes)).overflow).toBe(true);
});

test("an identity is one object's of one kind, and a re-created object has another (B12)", () => {
  const deployment = { apiVersion: "apps/v1", kind: "Deployment" };
  const metadata = { namespace: "a", name: "b", uid: "1" };
  const ids = [
    identityOf(deployment, metadata),
    identityOf(deployment, { ...metadata, uid: "2" }),
    identityOf(deployment, { ...metadata, namespace: "b" }),
    identityOf({ apiVersion: "other/v1", kind: "Deployment" }, metadata),
    identityOf({ apiVersion: "apps/v1", kind: "ReplicaSet" }, metadata),
  ];
  expect(new Set(ids).size).toBe(5);
  expect(identityOf({ apiVersion: "apps/v2", kind: "Deployment" }, metadata)).toBe(ids[0]);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
});

test("a kind that has not synced is told by its identities, but never when a synced one has the same digits", () => {
  const deployment = { apiVersion: "apps/v1", kind: "Deployment" };
  const secret = { apiVersion: "v1", kind: "Secret" };
  const metadata = { namespace: "a", name: "b", uid: "1" };
  const unsynced = unsyncedIdentities([secret], [deployment]);
  expect(unsynced(identityOf(secret, metadata))).toBe(true);
  expect(unsynced(identityOf(deployment, metadata))).toBe(false);
  expect(unsyncedIdentities([secret], [deployment, secret])(identityOf(secret, metadata))).toBe(
    false,
  );
});

test("exactly the manifests that were applied are known", () => {
  const kind = { apiVersion: "v1", kind: "ConfigMap" };
  const one = { kind, namespace: "a", name: "b", manifest: { data: { x: "1", y: "2" } } };
  const two = { ...one, name: "c" };
  const applied = decodeApplied(encodeApplied([one, two]));
  expect(applied({ ...one, manifest: { data: { y: "2", x: "1" } } })).toBe(true);
  expect(applied(two)).toBe(true);
  expect(applied({ ...one, manifest: { data: { x: "1" } } })).toBe(false);
  expect(applied({ ...one, name: "d" })).toBe(false);
});

test("no manifest is known of none, of too many and of unreadable bytes", () => {
  const kind = { apiVersion: "v1", kind: "ConfigMap" };
  const many = Array.from({ length: 17 }, (_, index) => ({
    kind,
    namespace: "",
    name: `${index}`,
    manifest: {},
  }));
  expect(encodeApplied([])).toBeUndefined();
  expect(encodeApplied(many)).toBeUndefined();
  expect(encodeApplied(many.slice(1))).toHaveLength(256);
  const [first] = many;
  if (!first) throw new Error("expected a manifest");
  expect(decodeApplied(undefined)(first)).toBe(false);
  expect(decodeApplied(encodeApplied(many.slice(0, 1))?.slice(0, 15))(first)).toBe(false);
});
