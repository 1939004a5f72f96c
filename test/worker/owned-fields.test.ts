import { expect, test } from "@jest/globals";
import type { KubernetesObject } from "../../shared/api/object.ts";
import { extractOwned, type ManagedFields, takeOver } from "../../shared/worker/owned-fields.ts";

test("the values of owned fields, list items by key and set items by value", () => {
  const status = {
    replicas: 3,
    note: "foreign",
    address: { ip: "10.0.0.1", port: 80 },
    hosts: ["a", "b"],
    conditions: [
      { type: "Ready", status: "True", reason: "R", note: "foreign" },
      { type: "Audited", status: "True" },
    ],
    ports: [80, 443],
  };
  const set = {
    "f:replicas": {},
    "f:address": { "f:ip": {} },
    "f:hosts": { 'v:"b"': {} },
    "f:ports": {},
    "f:missing": {},
    "f:conditions": {
      'k:{"type":"Ready"}': { ".": {}, "f:type": {}, "f:status": {}, "f:reason": {} },
    },
  };
  expect(extractOwned(status, set)).toEqual({
    replicas: 3,
    address: { ip: "10.0.0.1" },
    hosts: ["b"],
    ports: [80, 443],
    conditions: [{ type: "Ready", status: "True", reason: "R" }],
  });
});

function objectWith(managedFields: readonly ManagedFields[]): KubernetesObject {
  const metadata = { name: "x", uid: "u", resourceVersion: "1", creationTimestamp: "" };
  return { apiVersion: "v1", kind: "X", metadata: { ...metadata, managedFields } as never };
}

test("a take-over joins what older managers updated with what we applied", () => {
  const update = (manager: string, fieldsV1: object, subresource?: string) =>
    ({
      manager,
      operation: "Update",
      fieldsV1,
      ...(subresource && { subresource }),
    }) as ManagedFields;
  const ours = {
    manager: "site",
    operation: "Apply",
    fieldsV1: { "f:data": { "f:a": {} } },
  } as ManagedFields;
  const kept = [
    update("kubectl", { "f:data": { "f:k": {} } }),
    update("old", { "f:status": {} }, "status"),
  ];
  const object = objectWith([
    ours,
    kept[0] as ManagedFields,
    update("old", { "f:data": { "f:b": {} } }),
    update("older", { "f:metadata": { "f:labels": {} } }),
    kept[1] as ManagedFields,
  ]);
  expect(takeOver(object, "site", ["old", "older"])).toEqual([
    ...kept,
    {
      manager: "site",
      operation: "Apply",
      fieldsV1: { "f:data": { "f:a": {}, "f:b": {} }, "f:metadata": { "f:labels": {} } },
    },
  ]);
});

test("nothing to take over: undefined, so that nothing is sent", () => {
  expect(takeOver(objectWith([]), "site", ["old"])).toBeUndefined();
});
