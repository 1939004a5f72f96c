import { expect, test } from "@jest/globals";
import { toBeOwnedBy, toHaveCondition, withMatchers } from "tidegate/testing";

const metadata = { name: "web", namespace: "shop", uid: "u1", resourceVersion: "1" };
const owner = { apiVersion: "v1", kind: "Owner", metadata: { ...metadata, creationTimestamp: "" } };
const ready = { type: "Ready", status: "False", reason: "NotReady", message: "waiting" };
const object = { kind: "Child", metadata, status: { conditions: [ready] } };

test("a condition is met by type, status and reason", () => {
  expect(toHaveCondition(object, "Ready").pass).toBe(true);
  expect(toHaveCondition(object, "Ready", "False", "NotReady").pass).toBe(true);
  expect(toHaveCondition(object, "Ready", "True").pass).toBe(false);
  expect(toHaveCondition(object, "Ready", "False", "Broken").pass).toBe(false);
  expect(toHaveCondition(undefined, "Ready").pass).toBe(false);
});

test("a condition that is not met is told beside those that there are", () => {
  expect(toHaveCondition(object, "Ready", "True", "Ready").message()).toBe(
    "expected Child shop/web to have condition Ready=True Ready, got Ready=False NotReady (waiting)",
  );
});

test("an owner is met by the uid of the controlling reference", () => {
  const reference = { apiVersion: "v1", kind: "Owner", name: "web", uid: "u1", controller: true };
  const owned = (references: object) => ({ ...object, metadata: { ...metadata, ...references } });
  expect(toBeOwnedBy(owned({ ownerReferences: [reference] }), owner).pass).toBe(true);
  const lesser = { ...reference, controller: false };
  expect(toBeOwnedBy(owned({ ownerReferences: [lesser] }), owner).pass).toBe(false);
  expect(toBeOwnedBy(owned({ ownerReferences: [{ ...reference, uid: "u2" }] }), owner).pass).toBe(
    false,
  );
  expect(toBeOwnedBy(owned({}), undefined).message()).toBe(
    "expected Child shop/web to be owned by undefined, got no owner",
  );
});

test("the matchers extend jest's expect, and its own ones stay", () => {
  const extended = withMatchers(expect);
  extended(object).toHaveCondition("Ready");
  extended(object).not.toHaveCondition("Ready", "True");
  extended(object).toEqual(object);
  extended(() => extended(object).toHaveCondition("Ready", "True")).toThrow("got Ready=False");
});
