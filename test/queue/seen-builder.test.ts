import { expect, test } from "@jest/globals";
import type { ObjectMeta } from "../../shared/api/index.ts";
import type { FingerprintOf } from "../../shared/queue/fingerprint.ts";
import { identityOf } from "../../shared/queue/identity.ts";
import { decodeSeen } from "../../shared/queue/seen.ts";
import { SeenBuilder } from "../../shared/queue/seen-builder.ts";

const kind = { apiVersion: "apps/v1", kind: "Deployment" };
const unwatched = { apiVersion: "v1", kind: "Secret" };

/** The label `is` is all that this test's fingerprints compare. */
const fingerprintOf: FingerprintOf = ({ metadata }) =>
  Buffer.from((metadata.labels?.is ?? "").padEnd(6, ".")).toString("hex");

function deployment(resourceVersion: number, is: string, more: Partial<ObjectMeta> = {}) {
  const metadata: ObjectMeta = {
    name: "d",
    namespace: "n",
    uid: "u",
    creationTimestamp: "2026-01-01T00:00:00Z",
    resourceVersion: String(resourceVersion),
    labels: { is },
    ...more,
  };
  return { metadata };
}

function builder() {
  return new SeenBuilder((of) => (of.kind === "Deployment" ? fingerprintOf : undefined));
}

/** Which of the states a builder holds: "unknown", "overflow", or "" for none. */
function held(seen: SeenBuilder, object = deployment(0, "")): string {
  const decoded = decodeSeen(seen.encode());
  if (decoded.overflow) return "overflow";
  const identity = identityOf(kind, object.metadata);
  if (![...decoded.identities()].includes(identity)) return "";
  const states = ["A", "B", "C"].filter((is) =>
    decoded.has(identity, fingerprintOf(deployment(0, is))),
  );
  return states[0] ?? "unknown";
}

test("the version read first counts, and the same one read again is the same", () => {
  const seen = builder();
  seen.read(kind, deployment(1, "A"));
  seen.read(kind, deployment(2, "A")); // Another version, but nobody compares what differs.
  expect(held(seen)).toBe("A");
});

test("another version read later makes it unknown, for good", () => {
  const seen = builder();
  seen.read(kind, deployment(1, "A"));
  seen.read(kind, deployment(2, "B"));
  expect(held(seen)).toBe("unknown");
  seen.read(kind, deployment(1, "A"));
  expect(held(seen)).toBe("unknown");
});

test("moves by a declarative write that was conditional on the recorded version", () => {
  const seen = builder();
  seen.read(kind, deployment(1, "A"));
  seen.wrote({ kind, before: "1", after: deployment(2, "B") });
  expect(held(seen)).toBe("B");
  seen.wrote({ kind, before: "2", after: deployment(3, "C") });
  expect(held(seen)).toBe("C");
  seen.read(kind, deployment(3, "C"));
  expect(held(seen)).toBe("C");
});

test("P1 read, a user writes P2, our write conditional on P2: unknown, for P2 decided nothing", () => {
  const seen = builder();
  seen.read(kind, deployment(1, "A"));
  seen.read(kind, deployment(2, "B")); // Read again after the conflict of the status.
  seen.wrote({ kind, before: "2", after: deployment(3, "C") });
  expect(held(seen)).toBe("unknown");
});

test("a write conditional on a version that was never read makes it unknown", () => {
  const seen = builder();
  seen.read(kind, deployment(1, "A"));
  seen.wrote({ kind, before: "2", after: deployment(3, "C") });
  expect(held(seen)).toBe("unknown");
});

test("an unconditional write that changes what is compared makes it unknown", () => {
  const seen = builder();
  seen.read(kind, deployment(1, "A"));
  seen.wrote({ kind, after: deployment(2, "B") });
  expect(held(seen)).toBe("unknown");
});

test("a write that leaves what is compared alone leaves it", () => {
  const seen = builder();
  seen.read(kind, deployment(1, "A"));
  seen.wrote({ kind, after: deployment(2, "A") });
  expect(held(seen)).toBe("A");
  seen.wrote({ kind, before: "2", after: deployment(3, "B") });
  expect(held(seen)).toBe("B");
});

test("an object that a declarative write created is known, any other that was not read is not (S10)", () => {
  const created = builder();
  created.wrote({ kind, created: true, after: deployment(1, "A") });
  expect(held(created)).toBe("A");
  const patched = builder();
  patched.wrote({ kind, after: deployment(2, "A") });
  expect(held(patched)).toBe("unknown");
  const conditional = builder();
  conditional.wrote({ kind, before: "1", after: deployment(2, "A") });
  expect(held(conditional)).toBe("unknown");
});

test("an imperative write or a conflict makes it unknown, before a read and after one", () => {
  const after = builder();
  after.read(kind, deployment(1, "A"));
  after.touched(kind, deployment(2, "A").metadata);
  expect(held(after)).toBe("unknown");
  after.wrote({ kind, before: "1", after: deployment(3, "B") });
  expect(held(after)).toBe("unknown");

  const before = builder();
  before.touched(kind, deployment(1, "A").metadata);
  before.read(kind, deployment(1, "A"));
  expect(held(before)).toBe("unknown");
});

test("a write by name alone makes what was read of that name unknown, or else the whole an overflow", () => {
  const read = builder();
  read.read(kind, deployment(1, "A"));
  read.read(kind, deployment(1, "A", { uid: "v", name: "other" }));
  read.touched(kind, { namespace: "n", name: "d" });
  expect(held(read)).toBe("unknown");
  expect(held(read, deployment(1, "A", { uid: "v", name: "other" }))).toBe("A");

  const blind = builder();
  blind.touched(kind, { namespace: "n", name: "d" });
  expect(held(blind)).toBe("overflow");
});

test("a write to an object that was made anew leaves it unknown, and one of that name elsewhere alone", () => {
  const seen = builder();
  seen.read(kind, deployment(1, "A"));
  seen.read(kind, deployment(1, "A", { uid: "w", namespace: "m" }));
  seen.touched(kind, deployment(5, "B", { uid: "v" }).metadata);
  expect(held(seen, deployment(5, "B", { uid: "v" }))).toBe("unknown");
  expect(held(seen, deployment(1, "A", { uid: "w", namespace: "m" }))).toBe("A");
});

test("a re-created object of the same name is another one (B12)", () => {
  const seen = builder();
  seen.read(kind, deployment(1, "A"));
  seen.read(kind, deployment(5, "B", { uid: "v" }));
  expect(held(seen)).toBe("A");
  expect(held(seen, deployment(5, "B", { uid: "v" }))).toBe("B");
});

test("kinds that the controller does not watch leave nothing", () => {
  const seen = builder();
  seen.read(unwatched, deployment(1, "A"));
  seen.wrote({ kind: unwatched, after: deployment(1, "A") });
  seen.touched(unwatched, { name: "d" });
  expect(decodeSeen(seen.encode())).toMatchObject({ overflow: false, size: 0 });
});

test("a list of more than 64 objects is an overflow", () => {
  const seen = builder();
  for (let index = 0; index < 65; index += 1) {
    seen.read(kind, deployment(1, "A", { uid: `u-${index}` }));
  }
  expect(held(seen)).toBe("overflow");
});
