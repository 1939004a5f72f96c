import { expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { ageColumn, column, crdWarnings, crdYaml, defineCrd, readyColumn } from "tidegate/crd";
import * as z from "zod";
import { KUBE_YAML } from "../../local/kube/kube-yaml.ts";
import { Widget } from "./convert.ts";

const spec = () =>
  z.object({
    size: z.string(),
    replicas: z.int().default(1),
    tags: z.array(z.string()).optional(),
  });
const status = () => z.object({ replicas: z.int(), labels: z.string().optional() });

test("a kind of one version", () => {
  const crd = defineCrd(Widget, {
    spec,
    status,
    shortNames: ["wd"],
    categories: ["all"],
    printerColumns: [
      column({ name: "Size", jsonPath: ".spec.size", priority: 1 }),
      readyColumn,
      ageColumn,
    ],
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.labels",
    },
    selectableFields: [".spec.size"],
    deprecated: "use Gadget",
  });
  expect(crd.metadata).toEqual({ name: "widgets.shop.example.com" });
  expect(crd.spec).toMatchObject({
    group: "shop.example.com",
    scope: "Namespaced",
    names: {
      kind: "Widget",
      listKind: "WidgetList",
      plural: "widgets",
      singular: "widget",
      shortNames: ["wd"],
      categories: ["all"],
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        deprecated: true,
        deprecationWarning: "use Gadget",
        subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas" } },
        additionalPrinterColumns: [
          { name: "Size", type: "string", jsonPath: ".spec.size", priority: 1 },
          { name: "Ready" },
          { name: "Age" },
        ],
        selectableFields: [{ jsonPath: ".spec.size" }],
      },
    ],
  });
});

test("B44: a status brings its subresource, and a failure can be written to it alone", () => {
  const { versions } = defineCrd(Widget, { spec, status }).spec;
  expect(versions[0]?.subresources).toEqual({ status: {} });
  const { properties } = versions[0]?.schema.openAPIV3Schema ?? {};
  expect(properties?.status).toEqual({
    type: "object",
    properties: { replicas: { type: "integer" }, labels: { type: "string" } },
  });
  expect(defineCrd(Widget, { spec }).spec.versions[0]?.subresources).toBeUndefined();
});

test("a spec may be left out where its schema says so", () => {
  const rootOf = (schema: z.ZodType) =>
    defineCrd(Widget, { spec: () => schema }).spec.versions[0]?.schema.openAPIV3Schema;
  expect(rootOf(z.object({}))?.required).toEqual(["spec"]);
  expect(rootOf(z.object({}).optional())?.required).toBeUndefined();
  expect(rootOf(z.object({}).prefault({}))?.required).toBeUndefined();
});

test("several versions are served, one is stored, and that they are not converted is warned of", () => {
  const crd = defineCrd(Widget, {
    versions: {
      v1: { spec, status },
      v1beta1: { spec, served: true },
      v1alpha1: { spec, served: false },
    },
    storageVersion: "v1beta1",
  });
  expect(crd.spec.versions.map(({ name, served, storage }) => [name, served, storage])).toEqual([
    ["v1", true, false],
    ["v1beta1", true, true],
    ["v1alpha1", false, false],
  ]);
  expect(crdWarnings(crd)).toEqual([
    expect.stringContaining("serves v1, v1beta1, and fields are not converted between them"),
  ]);
  expect(crdWarnings(defineCrd(Widget, { spec }))).toEqual([]);
});

test("B46: a large definition is warned of", () => {
  const large = () => z.object({ a: z.string().describe("x".repeat(210_000)) });
  expect(crdWarnings(defineCrd(Widget, { spec: large }))).toEqual([
    expect.stringMatching(/has 211 kB: plain kubectl apply refuses it from 262 kB on/),
  ]);
});

test("rejects versions without that of the kind, naming the faults of another version by its name", () => {
  const odd = () => z.object({ a: z.date() });
  expect(() =>
    defineCrd(Widget, { versions: { v2: { spec: odd } }, storageVersion: "v2" }),
  ).toThrow(/versions: expected v1, the one of the kind, got v2; add it\n {2}v2 spec\.a: /);
});

test.each([
  [
    { printerColumns: [column({ name: "Size", jsonPath: ".spec.sise" })] },
    "column Size: no field .spec.sise",
  ],
  [
    { printerColumns: [column({ name: "Size", jsonPath: "spec.size" })] },
    "column Size: no field spec.size",
  ],
  [{ selectableFields: [".spec.none"] as const }, "selectableFields: no field .spec.none"],
  [{ selectableFields: [".spec.tags"] as const }, ".spec.tags is no string, boolean or whole"],
  [
    { scale: { specReplicasPath: ".spec.replica", statusReplicasPath: ".status.replicas" } },
    "scale.specReplicasPath: no field .spec.replica",
  ],
])("rejects a path that leads nowhere (%#)", (more, text) => {
  expect(() => defineCrd(Widget, { spec, status, ...more })).toThrow(text);
});

test("rejects what is no kind's spec where types can tell", () => {
  // @ts-expect-error a schema is given by a function, so that bundlers can drop it
  expect(() => defineCrd(Widget, { spec: spec() })).toThrow();
  const versions = { v1: { spec } };
  // @ts-expect-error no such version
  expect(() => defineCrd(Widget, { versions, storageVersion: "v2" })).toThrow(
    "storageVersion: expected one of v1, got v2",
  );
});

test("the YAML is what kubectl reads as the same definition, with the same bytes each time", () => {
  const odd = () =>
    z.object({
      y: z.enum(["yes", "no", "on", "1e3", "0x1", "null", "~", "1:30"]),
      a: z.string().regex(/^#: '"/),
    });
  const crd = defineCrd(Widget, { spec: odd, status });
  expect(load(crdYaml(crd), { schema: KUBE_YAML })).toEqual(crd);
  expect(crdYaml(JSON.parse(JSON.stringify(crd)))).toBe(
    crdYaml(defineCrd(Widget, { spec: odd, status })),
  );
  expect(crdYaml(crd)).toMatch(
    /^apiVersion: .*\nkind: .*\nmetadata:\n {2}name: .*\nspec:\n {2}group:/,
  );
});

test("keywords have one order, however the schema was written, and fields that of the schema", () => {
  const one = () => z.object({ b: z.string().max(3).min(1).describe("B"), a: z.int() });
  const other = () => z.object({ b: z.string().describe("B").min(1).max(3), a: z.int() });
  const yaml = crdYaml(defineCrd(Widget, { spec: one }));
  expect(crdYaml(defineCrd(Widget, { spec: other }))).toBe(yaml);
  expect(yaml).toMatch(
    /b:\n +description: B\n +type: string\n +minLength: 1\n +maxLength: 3\n +a:/,
  );
});
