import { expect, test } from "@jest/globals";
import { Deployment, Namespace } from "tidegate";
import { build, deleting, ownedBy, toBeOwnedBy } from "tidegate/testing";
import { serviceFor } from "../../functions/website/children.ts";
import { Website } from "../../functions/website/resource.ts";

const spec = { host: "web.example.com", image: "nginx:1.29", replicas: 1 };

test("an object is built with the metadata that a server would add, the same each time", () => {
  const website = build(Website, { metadata: { name: "web" }, spec });
  expect(website).toEqual({
    apiVersion: "web.example.com/v1",
    kind: "Website",
    metadata: {
      name: "web",
      namespace: "default",
      uid: "website-default-web",
      resourceVersion: "1",
      generation: 1,
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
    spec,
  });
  expect(build(Website, { metadata: { name: "web" }, spec })).toEqual(website);
});

test("what is given stands, and two objects have two uids", () => {
  const metadata = { name: "web", namespace: "shop", labels: { a: "b" }, generation: 3 };
  expect(build(Website, { metadata, spec }).metadata).toMatchObject(metadata);
  const uids = [
    build(Website, { metadata, spec }),
    build(Website, { metadata: { name: "web" }, spec }),
  ];
  expect(new Set(uids.map((each) => each.metadata.uid)).size).toBe(2);
});

test("a cluster-scoped object has no namespace", () => {
  const { metadata } = build(Namespace, { metadata: { name: "shop" } });
  expect(metadata).not.toHaveProperty("namespace");
  expect(metadata.uid).toBe("namespace-shop");
});

test("a function of a reconciler is tested with built objects alone", () => {
  const website = build(Website, { metadata: { name: "web" }, spec });
  expect(serviceFor(website).metadata.name).toBe("web");
});

test("an object in deletion has a finalizer, its own or a given one", () => {
  const website = build(Website, { metadata: { name: "web" }, spec });
  const ours = deleting(website, "web.example.com/dns");
  expect(ours.metadata).toMatchObject({
    finalizers: ["web.example.com/dns"],
    deletionTimestamp: "2026-01-01T00:01:00Z",
  });
  expect(deleting(ours, "web.example.com/dns").metadata.finalizers).toHaveLength(1);
  expect(() => deleting(website)).toThrow(
    "cannot build Website web in deletion: expected a finalizer, got none; name one",
  );
});

test("an object has one controlling owner", () => {
  const [first, second] = ["one", "two"].map((name) =>
    build(Website, { metadata: { name }, spec }),
  );
  const child = build(Deployment, { metadata: { name: "web" } });
  if (!first || !second) throw new Error("expected two owners");
  const owned = ownedBy(ownedBy(child, first), second);
  expect(owned.metadata.ownerReferences).toHaveLength(1);
  expect(toBeOwnedBy(owned, second).pass).toBe(true);
});
