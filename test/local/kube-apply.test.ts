import { expect, test } from "@jest/globals";
import {
  apply,
  builtIn,
  objectOf,
  owners,
  patchOf,
  refusal,
  START,
  update,
  widgets,
} from "./kube-apply-cases.ts";

const configMaps = builtIn("ConfigMap");
const services = builtIn("Service");
const deployments = builtIn("Deployment");

const applied = (data: object) =>
  apply({ resource: configMaps, patch: patchOf(configMaps, { data }) });

test("an applier owns the fields that it sends, and no names or containers", () => {
  const made = apply({
    resource: configMaps,
    patch: patchOf(configMaps, { data: { a: "1" } }, { labels: { x: "y" } }),
  });
  expect(made.metadata.managedFields).toEqual([
    {
      manager: "a",
      operation: "Apply",
      apiVersion: "v1",
      time: "2026-01-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:a": {} }, "f:metadata": { "f:labels": { "f:x": {} } } },
    },
  ]);
});

test("fields that an applier leaves out go away unless another manager owns them", () => {
  const first = applied({ a: "1", b: "2" });
  const shared = apply({
    resource: configMaps,
    live: first,
    manager: "b",
    patch: patchOf(configMaps, { data: { b: "2" } }),
  });
  const last = apply({
    resource: configMaps,
    live: shared,
    patch: patchOf(configMaps, { data: {} }),
  });
  expect(last.data).toEqual({ b: "2" });
  expect(owners(last)).toEqual({
    "a Apply": { "f:data": {} },
    "b Apply": { "f:data": { "f:b": {} } },
  });
});

test("another value of a field that an applier or updater owns is a conflict with kubectl's text", () => {
  const live = update({
    resource: configMaps,
    before: applied({ a: "1" }),
    after: { ...applied({ a: "1" }), data: { a: "1", b: "2" } },
  });
  const patch = patchOf(configMaps, { data: { a: "x", b: "y" } });
  const error = refusal(() => apply({ resource: configMaps, live, patch, manager: "c" }));
  expect(error.code).toBe(409);
  expect(error.reason).toBe("Conflict");
  expect(error.message).toBe(
    'Apply failed with 2 conflicts: conflicts with "a":\n- .data.a\nconflicts with "u" using v1:\n- .data.b',
  );
  expect(error.details).toEqual({
    causes: [
      { reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".data.a" },
      { reason: "FieldManagerConflict", message: 'conflict with "u" using v1', field: ".data.b" },
    ],
  });
});

test("entries of appliers stand before those of updaters, however late they came", () => {
  const live = update({ resource: configMaps, after: objectOf(configMaps, { data: { a: "1" } }) });
  const patch = patchOf(configMaps, { data: { b: "1" } });
  const next = apply({ resource: configMaps, live, patch, manager: "z", nowMs: START + 60_000 });
  expect(Object.keys(owners(next))).toEqual(["z Apply", "u Update"]);
});

test("a conflict on the status names the subresource", () => {
  const before = objectOf(widgets, { spec: {} });
  const withOwner = update({ resource: widgets, after: before });
  const live = update({
    resource: widgets,
    subresource: "status",
    before: withOwner,
    after: { ...withOwner, status: { phase: "x" } },
    manager: "manager",
  });
  const patch = patchOf(widgets, { status: { phase: "y" } });
  const error = refusal(() => apply({ resource: widgets, live, patch, subresource: "status" }));
  expect(error.message).toBe(
    'Apply failed with 1 conflict: conflict with "manager" with subresource "status" using example.com/v1: .status.phase',
  );
});

test("force takes fields from others, whose entries go once they own nothing", () => {
  const live = applied({ a: "1" });
  const patch = patchOf(configMaps, { data: { a: "2" } });
  const forced = apply({ resource: configMaps, live, patch, manager: "b", force: true });
  expect(forced.data).toEqual({ a: "2" });
  expect(owners(forced)).toEqual({ "b Apply": { "f:data": { "f:a": {} } } });
});

test("items of a list map are told apart by their keys with the schema's defaults", () => {
  const live = apply({
    resource: widgets,
    patch: patchOf(widgets, { spec: { ports: [{ port: 80, protocol: "TCP", name: "x" }] } }),
  });
  const patch = patchOf(widgets, { spec: { ports: [{ port: 81 }, { port: 80 }] } });
  const next = apply({ resource: widgets, live, patch });
  // What the applier left out is gone, even a key; the default comes back later.
  expect(next.spec).toEqual({ ports: [{ port: 81 }, { port: 80 }] });
  expect(owners(next)).toEqual({
    "a Apply": {
      "f:spec": {
        "f:ports": {
          'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {} },
          'k:{"port":81,"protocol":"TCP"}': { ".": {}, "f:port": {} },
        },
      },
    },
  });
});

test("sets merge by value, plain lists and atomic maps are replaced whole", () => {
  const spec = { tags: ["b", "a"], plain: ["x"], whole: { a: "1" }, free: { l: [1], m: { n: 1 } } };
  const live = apply({ resource: widgets, patch: patchOf(widgets, { spec }) });
  const patch = patchOf(widgets, { spec: { tags: ["c", "a"], plain: ["y"], whole: { b: "2" } } });
  const next = apply({ resource: widgets, live, patch, manager: "b", force: true });
  expect(next.spec).toEqual({ ...spec, tags: ["b", "c", "a"], plain: ["y"], whole: { b: "2" } });
  expect(owners(next)).toEqual({
    "a Apply": {
      "f:spec": {
        "f:tags": { 'v:"a"': {}, 'v:"b"': {} },
        "f:free": { "f:l": {}, "f:m": { ".": {}, "f:n": {} } },
      },
    },
    "b Apply": {
      "f:spec": { "f:plain": {}, "f:tags": { 'v:"a"': {}, 'v:"c"': {} }, "f:whole": {} },
    },
  });
});

test("the time of an entry stays where an apply changes nothing, and is missing for a new co-owner", () => {
  const live = applied({ a: "1" });
  const patch = patchOf(configMaps, { data: { a: "1" } });
  const later = { resource: configMaps, live, patch, nowMs: START + 60_000 };
  expect(apply(later).metadata.managedFields).toEqual(live.metadata.managedFields);
  const both = apply({ ...later, manager: "b" });
  expect(both.metadata.managedFields?.map(({ manager, time }) => [manager, time])).toEqual([
    ["b", undefined],
    ["a", "2026-01-01T00:00:00Z"],
  ]);
});

test("status is not owned on the main path, and all but status not on the other", () => {
  const patch = patchOf(
    widgets,
    { spec: { mode: "x" }, status: { phase: "y" } },
    { labels: { l: "1" } },
  );
  const made = apply({ resource: widgets, patch });
  expect(owners(made)).toEqual({
    "a Apply": { "f:metadata": { "f:labels": { "f:l": {} } }, "f:spec": { "f:mode": {} } },
  });
  const live = objectOf(widgets, { spec: { mode: "x" } });
  const status = apply({ resource: widgets, live, patch, subresource: "status" });
  expect(owners(status)["a Apply status"]).toEqual({ "f:status": { "f:phase": {} } });
});

test("the first apply to an object without owners gives what is there to before-first-apply", () => {
  const live = objectOf(configMaps, { data: { a: "1", b: "2" } });
  const patch = patchOf(configMaps, { data: { a: "1" } });
  expect(owners(apply({ resource: configMaps, live, patch }))).toEqual({
    "a Apply": { "f:data": { "f:a": {} } },
    "before-first-apply Update": { "f:data": { ".": {}, "f:a": {}, "f:b": {} } },
  });
});

test("kubectl takes over what it set by client-side apply, and keeps that configuration up to date", () => {
  const name = "kubectl.kubernetes.io/last-applied-configuration";
  const config = patchOf(configMaps, { data: { a: "1" } });
  const annotations = { [name]: JSON.stringify(config) };
  const made = objectOf(configMaps, { data: { a: "1" } }, { annotations });
  const live = update({ resource: configMaps, after: made, manager: "kubectl-client-side-apply" });
  const patch = patchOf(configMaps, { data: { a: "2" } });
  const next = apply({ resource: configMaps, live, patch, manager: "kubectl" });
  expect(next.data).toEqual({ a: "2" });
  expect(next.metadata.annotations?.[name]).toBe(
    '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"a","namespace":"default"}}\n',
  );
  expect(refusal(() => apply({ resource: configMaps, live, patch, manager: "other" })).code).toBe(
    409,
  );
});

test("through the scale only the replicas are owned, without a time", () => {
  const live = update({
    resource: deployments,
    after: objectOf(deployments, { spec: { replicas: 1 } }),
  });
  const after = { ...live, spec: { replicas: 2 } };
  const scaled = update({ resource: deployments, before: live, after, subresource: "scale" });
  const entry = scaled.metadata.managedFields?.find(({ subresource }) => subresource === "scale");
  expect(entry).toEqual({
    manager: "u",
    operation: "Update",
    apiVersion: "apps/v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:replicas": {} } },
    subresource: "scale",
  });
});

test.each([
  [{ data: { a: 1 } }, ".data.a: expected string, got &value.valueUnstructured{Value:1}"],
  [{ data: [] }, ".data: expected map, got &{[]}"],
  [{ bogus: 1 }, ".bogus: field not declared in schema"],
])("rejects a patch that does not fit the schema: %j", (fields, fault) => {
  const patch = patchOf(configMaps, fields);
  const { code, reason, message } = refusal(() => apply({ resource: configMaps, patch }));
  const start = "failed to create typed patch object (default/a; /v1, Kind=ConfigMap): ";
  expect({ code, reason, message }).toEqual({ code: 500, reason: "", message: start + fault });
});

test("rejects the same item twice, and items without a key", () => {
  const twice = patchOf(services, {
    spec: { ports: [{ port: 80 }, { port: 80, protocol: "TCP" }] },
  });
  expect(refusal(() => apply({ resource: services, patch: twice })).message).toBe(
    "failed to create typed patch object (default/a; /v1, Kind=Service): " +
      '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
  );
});

test("rejects a patch of another kind or with owners", () => {
  const other = { ...patchOf(configMaps, {}), kind: "Secret" };
  expect(refusal(() => apply({ resource: configMaps, patch: other }))).toMatchObject({
    code: 400,
    message: "invalid object type: /v1, Kind=Secret",
  });
  const owned = patchOf(configMaps, {}, { managedFields: [] });
  expect(refusal(() => apply({ resource: configMaps, patch: owned }))).toMatchObject({
    code: 400,
    message: "metadata.managedFields must be nil",
  });
});
