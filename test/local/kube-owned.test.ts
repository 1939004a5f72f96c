import { expect, test } from "@jest/globals";
import { OwnedObjects } from "../../local/kube/workload-owned.ts";
import type { KubernetesObject } from "../../shared/api/object.ts";

function object(name: string, { owner = "", namespace = "a", version = "1" } = {}) {
  const reference = { apiVersion: "v1", kind: "Owner", name: owner, uid: owner, controller: true };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      uid: `${namespace}-${name}`,
      resourceVersion: version,
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...(owner !== "" && { ownerReferences: [reference] }),
    },
  } satisfies KubernetesObject;
}

const owner = object("one");
const owned = (name: string, more = {}) => object(name, { owner: "a-one", ...more });

test("objects are found by their owner in its namespace, in the order in which they came", () => {
  const objects = new OwnedObjects();
  const [first, second] = [owned("x"), owned("y")];
  for (const each of [first, owned("z", { namespace: "b" }), second, object("free")]) {
    objects.follow(undefined, each);
  }
  expect(objects.of(owner)).toEqual([first, second]);
  const changed = owned("x", { version: "2" });
  objects.follow(first, changed);
  expect(objects.of(owner)).toEqual([changed, second]);
});

test("an object that is gone, or that another one owns now, is its owner's no more", () => {
  const objects = new OwnedObjects();
  const [first, second] = [owned("x"), owned("y")];
  for (const each of [first, second]) objects.follow(undefined, each);
  objects.follow(first, undefined);
  const moved = object("y", { owner: "a-two" });
  objects.follow(second, moved);
  expect(objects.of(owner)).toEqual([]);
  expect(objects.of(object("two"))).toEqual([moved]);
});
