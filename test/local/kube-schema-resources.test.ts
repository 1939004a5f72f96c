import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { ApiObject } from "../../local/kube/api-object.ts";
import {
  builtInDefinitions,
  builtInResources,
  definitionName,
} from "../../local/kube/built-in-resources.ts";
import { resourcesOfCrd } from "../../local/kube/crd-schema.ts";

const DATA = join(import.meta.dirname, "../../local/kube/built-in-schemas.json");

function crd(spec: object): ApiObject {
  const metadata = {
    name: "things.example.com",
    uid: "",
    resourceVersion: "",
    creationTimestamp: "",
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata,
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things" },
      ...spec,
    },
  };
}

const version = (name: string, fields: object = {}) => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } },
  ...fields,
});

test("the data are small, and name only definitions that they have", () => {
  const text = readFileSync(DATA, "utf8");
  expect(text.length).toBeLessThan(400_000);
  const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, name = ""]) => name);
  expect(names.filter((name) => !builtInDefinitions()[name])).toEqual([]);
});

test("each built-in kind has a definition, columns and the schema of its metadata", () => {
  const resources = builtInResources();
  expect(resources).toHaveLength(35);
  for (const resource of resources) {
    expect(definitionName(resource)).toBeDefined();
    expect(resource.columns[0]?.name).toMatch(/^(Name|Last Seen)$/);
    expect(resource.schema.properties?.metadata?.properties?.ownerReferences).toMatchObject({
      "x-kubernetes-list-map-keys": ["uid"],
    });
  }
});

test("lists keep their keys, patches their strategies, and ports their protocol", () => {
  const pods = builtInResources().find(({ kind }) => kind === "Pod");
  const container = pods?.schema.properties?.spec?.properties?.containers;
  expect(container).toMatchObject({
    "x-kubernetes-list-map-keys": ["name"],
    "x-kubernetes-patch-merge-key": "name",
    "x-kubernetes-patch-strategy": "merge",
  });
  expect(container?.items?.properties?.ports?.items?.properties?.protocol).toMatchObject({
    default: "TCP",
    enum: ["SCTP", "TCP", "UDP"],
  });
});

test("events of both groups, and both versions of autoscalers, are one store each", () => {
  const stores = builtInResources().filter(({ plural }) => /events|autoscalers/.test(plural));
  const names = stores.map(({ storage }) =>
    [storage.group, storage.plural, storage.version].join("/"),
  );
  expect(new Set(names)).toEqual(
    new Set(["/events/v1", "autoscaling/horizontalpodautoscalers/v2"]),
  );
});

test("a definition serves each served version, with the defaults of its names", () => {
  const [first, second, ...rest] = resourcesOfCrd(
    crd({ versions: [version("v1"), version("v2"), version("v3", { served: false })] }),
  );
  expect(rest).toEqual([]);
  expect(first).toMatchObject({
    group: "example.com",
    version: "v1",
    kind: "Thing",
    listKind: "ThingList",
    singular: "thing",
    shortNames: [],
    namespaced: true,
    custom: true,
    subresources: { status: false },
  });
  expect(second?.storage).toEqual({ group: "example.com", plural: "things", version: "v1" });
});

test("subresources, columns and selectable fields are the version's", () => {
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const column = { name: "Phase", type: "string", jsonPath: ".status.phase" };
  const [resource] = resourcesOfCrd(
    crd({
      versions: [
        version("v1", {
          subresources: { status: {}, scale },
          additionalPrinterColumns: [column],
          selectableFields: [{ jsonPath: ".spec.color" }],
        }),
      ],
    }),
  );
  expect(resource?.subresources).toEqual({ status: true, scale });
  expect(resource?.columns.map(({ name }) => name)).toEqual(["Name", "Phase"]);
  expect(resource?.selectableFields).toEqual([".spec.color"]);
});

test("without columns there is the age; restrictions of the name are kept", () => {
  const metadata = { type: "object", properties: { name: { type: "string", maxLength: 5 } } };
  const openAPIV3Schema = { type: "object", properties: { metadata } };
  const [resource] = resourcesOfCrd(
    crd({ versions: [version("v1", { schema: { openAPIV3Schema } })] }),
  );
  expect(resource?.columns.map(({ name }) => name)).toEqual(["Name", "Age"]);
  const properties = resource?.schema.properties?.metadata?.properties;
  expect(properties?.name).toEqual({ type: "string", maxLength: 5 });
  expect(properties?.labels?.nullable).toBe(true);
});
