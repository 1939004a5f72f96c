import type { Api } from "./harness/api.ts";
import { WIDGETS, widgetDefinition } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const CRD = `${CRDS}/widgets.{ns}.example.com`;
const OBJECT = { openAPIV3Schema: { type: "object" } };
const VERSION = { name: "v1", served: true, storage: true, schema: OBJECT };

/** A definition of widgets with other values in its spec; undefined leaves one out. */
function widgets(spec: object, name = "widgets.{ns}.example.com") {
  const whole = widgetDefinition();
  return {
    ...whole,
    metadata: { name },
    spec: { ...whole.spec, versions: [VERSION], ...spec },
  };
}

/** Refused, or not kept. */
const post = (api: Api, spec: object, name?: string) =>
  api.post(`${CRDS}?dryRun=All`, widgets(spec, name));

const versions = (...given: object[]) => ({
  versions: given.map((each) => ({ ...VERSION, ...each })),
});
const schema = (openAPIV3Schema: object) => versions({ schema: { openAPIV3Schema } });
const field = (of: object) => schema({ type: "object", properties: { spec: of } });

export const scenarios = [
  scenario("names of a definition", async (api) => {
    await post(api, {}, "other.{ns}.example.com");
    await post(api, { names: { plural: "widgets", kind: "widget" } });
    await post(api, { names: { plural: "Widgets", kind: "Widget" } });
    await post(api, { names: { plural: "widgets" } });
    await post(api, { names: { plural: "widgets", kind: "Widget", listKind: "Widget" } });
    await post(api, {
      names: { plural: "widgets", kind: "Wid_get", shortNames: ["W"], categories: ["All"] },
    });
    await post(api, { names: { plural: "widgets", kind: "Widget", singular: "Widget" } });
    await post(api, { group: "Example" }, "widgets.Example");
    await post(api, { group: "example" }, "widgets.example");
    await post(api, { group: "" }, "widgets.");
  }),
  scenario("groups of Kubernetes are protected", async (api) => {
    await post(api, { group: "{ns}.k8s.io" }, "widgets.{ns}.k8s.io");
    await post(api, { group: "{ns}.kubernetes.io" }, "widgets.{ns}.kubernetes.io");
  }),
  scenario("what a definition needs", async (api) => {
    await post(api, { scope: undefined });
    await post(api, { scope: "Other" });
    await post(api, { versions: [] });
    await post(api, { versions: undefined });
    await post(api, { names: undefined });
    await post(api, { group: undefined });
    await api.post(CRDS, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
    });
  }),
  scenario("versions of a definition", async (api) => {
    await post(api, versions({}, {}));
    await post(api, versions({}, { name: "v2" }));
    await post(api, versions({ storage: false }));
    await post(api, versions({ name: "V1" }));
    await post(api, versions({ name: "" }));
    await post(api, versions({ schema: undefined }));
    await post(api, versions({ schema: {} }));
    await post(api, versions({ served: undefined, storage: undefined }));
  }),
  scenario("schemas that are not structural", async (api) => {
    await post(api, schema({}));
    await post(api, schema({ type: "string" }));
    await post(api, field({}));
    await post(api, field({ type: "array" }));
    await post(api, field({ type: "object", properties: { a: { type: "text" } } }));
    await post(api, field({ type: "string", pattern: "(" }));
    await post(api, field({ type: "integer", default: "one" }));
    await post(api, field({ type: "object", properties: {}, additionalProperties: false }));
    await post(api, field({ type: "string", $ref: "#/other" }));
    await post(
      api,
      schema({ type: "object", properties: { metadata: { type: "object", required: ["name"] } } }),
    );
    await post(
      api,
      versions(
        { schema: { openAPIV3Schema: { type: "object", properties: { a: {} } } } },
        { name: "v2", storage: false },
      ),
    );
  }),
  scenario("subresources, columns and selectable fields", async (api) => {
    const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
    await post(api, versions({ subresources: { scale } }));
    await post(api, versions({ subresources: { status: {}, scale: {} } }));
    await post(
      api,
      versions({ subresources: { scale: { ...scale, specReplicasPath: "spec.replicas" } } }),
    );
    await post(
      api,
      versions({
        subresources: {
          scale: {
            specReplicasPath: ".status.a",
            statusReplicasPath: ".spec.b",
            labelSelectorPath: ".x",
          },
        },
      }),
    );
    await post(
      api,
      versions({ additionalPrinterColumns: [{ name: "A", type: "text", jsonPath: ".a" }] }),
    );
    await post(
      api,
      versions({ additionalPrinterColumns: [{ name: "", type: "string", jsonPath: "" }] }),
    );
    await post(
      api,
      versions({
        additionalPrinterColumns: [{ name: "A", type: "string", format: "x", jsonPath: "a" }],
      }),
    );
    await post(api, versions({ selectableFields: [{ jsonPath: ".spec.none" }] }));
    await post(api, versions({ selectableFields: [{ jsonPath: "" }] }));
    await post(api, versions({ selectableFields: [{ jsonPath: ".metadata.name" }] }));
  }),
  scenario("keywords that stand beside a status subresource, and deprecations", async (api) => {
    const root = (more: object) =>
      versions({
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", ...more } },
      });
    await post(api, root({ description: "Widgets.", required: ["spec"] }));
    await post(api, root({ "x-kubernetes-preserve-unknown-fields": true }));
    await post(api, versions({ deprecationWarning: "old" }));
    await post(api, versions({ deprecated: true, deprecationWarning: "" }));
    await post(api, versions({ deprecated: true, deprecationWarning: "x".repeat(257) }));
    await post(api, versions({ deprecated: true, deprecationWarning: "old" }));
  }),
  scenario("conversion", async (api) => {
    await post(api, { conversion: { strategy: "Other" } });
    await post(api, { conversion: { strategy: "Webhook" } });
    await post(api, { preserveUnknownFields: true });
  }),
  scenario("what cannot change", async (api) => {
    await api.quiet.post(CRDS, widgets({}));
    await api.quiet.until(CRD, ({ body }) =>
      JSON.stringify(body).includes('"the initial names have been accepted"'),
    );
    await api.quiet.until(WIDGETS, ({ status }) => status === 200);
    const merge = (spec: object) => api.merge(`${CRD}?dryRun=All`, { spec });
    await merge({ group: "other.example.com" });
    await merge({ scope: "Cluster" });
    await merge({ names: { plural: "others" } });
    await merge({ names: { kind: "Other" } });
    await merge({ versions: [{ ...VERSION, name: "v2" }] });
    await merge({ versions: [] });
    await merge({ versions: [{ ...VERSION, schema: {} }] });
  }),
];
