import { expect, test } from "@jest/globals";
import { strategicMerge } from "../../local/kube/strategic-merge.ts";
import { builtIn, objectOf, refusal } from "./kube-apply-cases.ts";

const deployments = builtIn("Deployment");
const services = builtIn("Service");

const containers = [
  { name: "a", image: "i:1", env: [{ name: "X", value: "1" }], args: ["p"] },
  { name: "b", image: "i:2" },
];
const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } };
const live = {
  ...objectOf(
    deployments,
    { spec: { strategy, template: { spec: { containers } } } },
    { finalizers: ["x", "y"] },
  ),
};

const patched = (patch: object) => strategicMerge(live, patch, deployments.schema) as typeof live;
const podPatch = (spec: object) => ({ spec: { template: { spec } } });
const podSpec = (object: object) =>
  (object as { spec: { template: { spec: { containers: object[] } } } }).spec.template.spec;
const containersAfter = (spec: object) => podSpec(patched(podPatch(spec))).containers;

test("items of a list merge by the key of the schema; other lists are replaced", () => {
  const changed = { name: "a", image: "i:9", env: [{ name: "Y", value: "2" }], args: ["q"] };
  expect(containersAfter({ containers: [changed, { name: "c", image: "i:3" }] })).toEqual([
    {
      ...changed,
      env: [
        { name: "Y", value: "2" },
        { name: "X", value: "1" },
      ],
    },
    { name: "c", image: "i:3" },
    { name: "b", image: "i:2" },
  ]);
});

test("$patch deletes an item, or replaces the whole list", () => {
  expect(containersAfter({ containers: [{ name: "a", $patch: "delete" }] })).toEqual([
    containers[1],
  ]);
  const replaced = { containers: [{ name: "c", image: "i" }, { $patch: "replace" }] };
  expect(containersAfter(replaced)).toEqual([{ name: "c", image: "i" }]);
});

test("$setElementOrder orders the list, and what it does not name stays where it stood", () => {
  const order = { "$setElementOrder/containers": [{ name: "b" }, { name: "a" }] };
  expect(containersAfter(order)).toEqual([containers[1], containers[0]]);
  const added = {
    "$setElementOrder/containers": [{ name: "c" }, { name: "b" }],
    containers: [{ name: "c", image: "i" }],
  };
  expect(containersAfter(added)).toEqual([{ name: "c", image: "i" }, containers[0], containers[1]]);
});

test("$retainKeys drops what it does not name; $patch replaces or empties a map", () => {
  const retained = patched({ spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } });
  expect(retained.spec).toMatchObject({ strategy: { type: "Recreate" } });
  expect(Object.keys((retained.spec as { strategy: object }).strategy)).toEqual(["type"]);
  const replaced = patched({ spec: { strategy: { $patch: "replace", type: "Recreate" } } });
  expect(replaced.spec).toMatchObject({ strategy: { type: "Recreate" } });
  expect(patched({ spec: { strategy: { $patch: "delete" } } }).spec).toMatchObject({
    strategy: {},
  });
});

test("primitive lists with a strategy merge, and $deleteFromPrimitiveList takes items out", () => {
  const finalizers = (metadata: object) => patched({ metadata }).metadata.finalizers;
  expect(finalizers({ finalizers: ["z", "x"] })).toEqual(["z", "x", "y"]);
  expect(finalizers({ "$deleteFromPrimitiveList/finalizers": ["x"] })).toEqual(["y"]);
  expect(finalizers({ finalizers: null })).toBeUndefined();
});

test("null removes a field and is dropped from what is new", () => {
  const next = patched({
    metadata: { labels: { a: "1", b: null } },
    spec: { strategy: { rollingUpdate: null } },
  });
  expect(next.metadata.labels).toEqual({ a: "1" });
  expect(next.spec).toMatchObject({ strategy: { type: "RollingUpdate" } });
  expect((next.spec as { strategy: object }).strategy).not.toHaveProperty("rollingUpdate");
});

test("ports of a service merge by their number alone", () => {
  const service = {
    ...objectOf(services, {
      spec: {
        ports: [
          { port: 80, name: "a" },
          { port: 81, name: "b" },
        ],
      },
    }),
  };
  const patch = {
    spec: {
      ports: [
        { port: 81, $patch: "delete" },
        { port: 80, name: "z" },
      ],
    },
  };
  expect(strategicMerge(service, patch, services.schema).spec).toEqual({
    ports: [{ port: 80, name: "z" }],
  });
});

test.each([
  [
    { metadata: { "$setElementOrder/finalizers": "x" } },
    500,
    "expected a []interface {}, but received a string",
  ],
  [
    { metadata: { $deleteFromPrimitiveList: ["x"] } },
    400,
    "invalid patch format of primitive list",
  ],
  [{ spec: { strategy: { $retainKeys: "x" } } }, 400, "invalid patch format of retainKeys"],
  [
    { spec: { strategy: { $retainKeys: ["type"], rollingUpdate: {} } } },
    400,
    "invalid patch format of retainKeys",
  ],
  [
    { spec: { strategy: { $patch: "bogus" } } },
    500,
    "unknown patch type: bogus in map: map[$patch:bogus]",
  ],
  [
    podPatch({ containers: [{ image: "x" }] }),
    500,
    "map: map[image:x] does not contain declared merge key: name",
  ],
  [
    podPatch({ containers: [{ name: "a", $patch: "merge" }] }),
    500,
    "merging lists cannot yet be specified in the patch",
  ],
  [
    podPatch({ "$setElementOrder/containers": [{ name: "a" }], containers: [{ name: "c" }] }),
    500,
    "The order in patch list:\n[map[name:c]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
  ],
  [
    { metadata: { finalizers: [["x"]] } },
    500,
    "list element types are not identical: [[x y] [[x]]]",
  ],
])("refuses %j", (patch, code, message) => {
  expect(refusal(() => patched(patch))).toMatchObject({ code, message });
});
