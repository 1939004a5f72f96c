import { expect, test } from "@jest/globals";
import { sameExceptTimes } from "../../local/kube/apply-update.ts";
import { builtIn, objectOf, owners, START, update, widgets } from "./kube-apply-cases.ts";

const configMaps = builtIn("ConfigMap");
const deployments = builtIn("Deployment");

const made = (data: object) =>
  update({ resource: configMaps, after: objectOf(configMaps, { data }, { uid: "" }) });
const live = (data: object) => {
  const object = made(data);
  return { ...object, metadata: { ...object.metadata, uid: "u" } };
};

test("the creator of a built-in object owns its fields, but not the structs that are always there", () => {
  const template = {
    metadata: { labels: { app: "x" } },
    spec: { containers: [{ name: "c", image: "i" }] },
  };
  const spec = {
    selector: { matchLabels: { app: "x" } },
    strategy: { type: "Recreate" },
    template,
  };
  const object = objectOf(deployments, { spec }, { uid: "" });
  expect(owners(update({ resource: deployments, after: object }))).toEqual({
    "u Update": {
      "f:spec": {
        "f:selector": {},
        "f:strategy": { "f:type": {} },
        "f:template": {
          "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
          "f:spec": {
            "f:containers": {
              'k:{"name":"c"}': { ".": {}, "f:image": {}, "f:name": {}, "f:resources": {} },
            },
          },
        },
      },
    },
  });
});

test("the creator of a custom object owns its containers, too", () => {
  const after = objectOf(widgets, { spec: { tags: ["x"] } }, { uid: "" });
  expect(owners(update({ resource: widgets, after }))).toEqual({
    "u Update": { "f:spec": { ".": {}, "f:tags": { ".": {}, 'v:"x"': {} } } },
  });
});

test("an update owns what it changes, and others lose that and what is gone", () => {
  const before = live({ a: "1", b: "2", c: "3" });
  const after = { ...before, data: { a: "1", b: "x" } };
  const next = update({ resource: configMaps, before, after, manager: "v", nowMs: START + 5_000 });
  expect(next.metadata.managedFields?.map(({ manager, time }) => [manager, time])).toEqual([
    ["u", "2026-01-01T00:00:00Z"],
    ["v", "2026-01-01T00:00:05Z"],
  ]);
  expect(owners(next)).toEqual({
    "u Update": { "f:data": { ".": {}, "f:a": {} } },
    "v Update": { "f:data": { "f:b": {} } },
  });
});

test("an update that changes nothing changes no entry and no time", () => {
  const before = live({ a: "1" });
  const next = update({ resource: configMaps, before, after: before, nowMs: START + 60_000 });
  expect(next).toEqual(before);
  expect(sameExceptTimes(before, next)).toBe(true);
  expect(sameExceptTimes(before, { ...next, data: {} })).toBe(false);
});

test("writes to the status have their own entry", () => {
  const before = update({ resource: widgets, after: objectOf(widgets, { spec: { mode: "x" } }) });
  const after = { ...before, spec: { mode: "y" }, status: { phase: "z" } };
  const next = update({ resource: widgets, before, after, subresource: "status" });
  expect(owners(next)).toEqual({
    "u Update": { "f:spec": { ".": {}, "f:mode": {} } },
    "u Update status": { "f:status": { ".": {}, "f:phase": {} } },
  });
});

test("a missing list of owners keeps the old one, [{}] clears it, and then nobody is tracked", () => {
  const before = live({ a: "1" });
  const { managedFields: entries, ...metadata } = before.metadata;
  const without = { ...before, metadata };
  expect(owners(update({ resource: configMaps, before, after: without }))).toEqual(owners(before));

  const cleared = update({
    resource: configMaps,
    before,
    after: { ...before, data: { a: "2" }, metadata: { ...metadata, managedFields: [{}] as never } },
  });
  expect(cleared.metadata.managedFields).toBeUndefined();
  const next = { ...cleared, data: { a: "3" } };
  expect(update({ resource: configMaps, before: cleared, after: next })).toEqual(next);
  expect(entries).toHaveLength(1);
});

test("[] clears the owners of built-in objects only", () => {
  const metadata = { managedFields: [] };
  const before = live({ a: "1" });
  const after = { ...before, metadata: { ...before.metadata, ...metadata } };
  expect(owners(update({ resource: configMaps, before, after }))).toEqual({});
  const widget = update({ resource: widgets, after: objectOf(widgets, { spec: { mode: "x" } }) });
  const emptied = { ...widget, metadata: { ...widget.metadata, ...metadata } };
  expect(owners(update({ resource: widgets, before: widget, after: emptied }))).toEqual(
    owners(widget),
  );
});

test("an edited list of owners is taken, one that cannot be read is not", () => {
  const before = live({ a: "1" });
  const renamed = before.metadata.managedFields?.map((entry) => ({ ...entry, manager: "x" })) ?? [];
  const edited = { ...before, metadata: { ...before.metadata, managedFields: renamed } };
  expect(Object.keys(owners(update({ resource: configMaps, before, after: edited })))).toEqual([
    "x Update",
  ]);
  const broken = renamed.map((entry) => ({ ...entry, fieldsV1: { bogus: {} } }));
  const unread = { ...before, metadata: { ...before.metadata, managedFields: broken } };
  expect(owners(update({ resource: configMaps, before, after: unread }))).toEqual(owners(before));
});

test("the oldest of more than ten updaters become ancient-changes", () => {
  let object = live({ a: "1" });
  let data = { a: "1" };
  for (let index = 0; index < 12; index++) {
    data = { ...data, [`k${index}`]: "1" };
    const nowMs = START + (index + 1) * 1000;
    object = update({
      resource: configMaps,
      before: object,
      after: { ...object, data },
      manager: `m${index}`,
      nowMs,
    });
  }
  const entries = object.metadata.managedFields ?? [];
  expect(entries).toHaveLength(10);
  expect(entries[0]).toMatchObject({
    manager: "ancient-changes",
    fieldsV1: { "f:data": { ".": {}, "f:a": {}, "f:k0": {}, "f:k1": {}, "f:k2": {} } },
  });
});

test("whoever owned parts of a map that became atomic owns the whole; unserved versions are forgotten", () => {
  const before = update({
    resource: widgets,
    after: objectOf(widgets, { spec: { free: { a: 1 } } }),
  });
  const schema = structuredClone(widgets.schema) as never as {
    properties: { spec: { properties: { free: object } } };
  };
  const atomic = {
    type: "object",
    "x-kubernetes-map-type": "atomic",
    properties: { a: { type: "integer" } },
  };
  schema.properties.spec.properties.free = atomic;
  const resource = { ...widgets, schema: schema as never };
  const after = { ...before, metadata: { ...before.metadata, labels: { l: "1" } } };
  expect(owners(update({ resource, before, after, manager: "v" }))["u Update"]).toEqual({
    "f:spec": { ".": {}, "f:free": {} },
  });
  const served = update({
    resource,
    before,
    after,
    manager: "v",
    servedVersions: ["example.com/v2"],
  });
  expect(Object.keys(owners(served))).toEqual(["v Update"]);
});
