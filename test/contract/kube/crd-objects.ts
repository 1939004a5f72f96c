import type { Api } from "./harness/api.ts";
import { WIDGETS, widget, widgetDefinition } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const V2 = WIDGETS.replace("/v1/", "/v2/");
const CLUSTER = "/apis/{ns}.example.com/v1/widgets";
const CRD = `${CRDS}/widgets.{ns}.example.com`;

const SPEC = {
  type: "object",
  properties: {
    size: { type: "integer", default: 1 },
    color: { type: "string" },
    replicas: { type: "integer" },
    parts: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, kind: { type: "string", default: "plain" } },
      },
    },
  },
};
const STATUS = {
  type: "object",
  properties: { replicas: { type: "integer" }, selector: { type: "string" } },
};
const SCHEMA = {
  openAPIV3Schema: { type: "object", properties: { spec: SPEC, status: STATUS } },
};
const VERSION = { name: "v1", served: true, storage: true, schema: SCHEMA };
const SCALE = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".status.selector",
};

/** Resolves once the first version is served. */
async function define({ quiet }: Api, spec: object, path = WIDGETS): Promise<void> {
  const whole = widgetDefinition();
  await quiet.post(CRDS, { ...whole, spec: { ...whole.spec, versions: [VERSION], ...spec } });
  await quiet.until(path, ({ status }) => status === 200);
}

const path = (name: string) => `${WIDGETS}/${name}`;

export const scenarios = [
  scenario("unknown fields are dropped, defaults are filled in", async (api) => {
    await define(api, {});
    await api.post(
      WIDGETS,
      widget("a", { spec: { other: 1, parts: [{ name: "x", y: 1 }] }, top: 1 }),
    );
    await api.post(`${WIDGETS}?fieldValidation=Strict`, widget("b", { spec: { other: 1 } }));
    await api.post(WIDGETS, widget("c"));
    await api.get(path("a"));
    await api.merge(path("a"), { spec: { size: null } });
  }),
  scenario("two versions of one store", async (api) => {
    const v2 = { ...VERSION, name: "v2", storage: false };
    await define(api, { versions: [VERSION, v2] });
    await api.quiet.until(V2, ({ status }) => status === 200);
    await api.post(WIDGETS, widget("a", { spec: { color: "red" } }));
    await api.get(`${V2}/a`);
    await api.post(V2, { ...widget("b"), apiVersion: "{ns}.example.com/v2" });
    await api.post(V2, widget("c"));
    await api.get(`${WIDGETS}/b`);
    await api.merge(`${V2}/a`, { spec: { color: "blue" } });
    await api.get(V2);
    await api.get(WIDGETS.replace("/v1/", "/v3/"));
  }),
  scenario("a version that is not served, and another storage version", async (api) => {
    const v2 = { ...VERSION, name: "v2", storage: false, served: false };
    await define(api, { versions: [VERSION, v2] });
    await api.get(V2);
    await api.quiet.post(WIDGETS, widget("a"));
    await api.quiet.json(CRD, [
      { op: "replace", path: "/spec/versions/1/served", value: true },
      { op: "replace", path: "/spec/versions/0/storage", value: false },
      { op: "replace", path: "/spec/versions/1/storage", value: true },
    ]);
    await api.quiet.until(V2, ({ status }) => status === 200);
    await api.part(
      CRD,
      ({ object }) => (object.status as { storedVersions: unknown }).storedVersions,
    );
    await api.get(`${V2}/a`);
    await api.get(path("a"));
    await api.merge(CRD, { spec: { versions: [{ ...v2, served: true, storage: true }] } });
  }),
  scenario("cluster-wide objects", async (api) => {
    await define(api, { scope: "Cluster" }, CLUSTER);
    await api.post(CLUSTER, widget("a"));
    await api.get(`${CLUSTER}/a`);
    await api.get(path("a"));
    await api.post(CLUSTER, widget("b", {}, { namespace: "{ns}" }));
    await api.get(CLUSTER);
  }),
  scenario("the scale of a custom resource", async (api) => {
    await define(api, { versions: [{ ...VERSION, subresources: { status: {}, scale: SCALE } }] });
    await api.quiet.post(WIDGETS, widget("a", { spec: { replicas: 2 } }));
    await api.get(`${path("a")}/scale`);
    await api.merge(`${path("a")}/status`, { status: { replicas: 1, selector: "x=y" } });
    await api.get(`${path("a")}/scale`);
    await api.merge(`${path("a")}/scale`, { spec: { replicas: 5 } });
    await api.get(path("a"));
    await api.quiet.post(WIDGETS, widget("b"));
    await api.get(`${path("b")}/scale`);
    await api.merge(`${path("b")}/scale`, { spec: { replicas: -1 } });
    await api.get(`${path("none")}/scale`);
  }),
  scenario("no subresource that is not declared", async (api) => {
    await define(api, {});
    await api.quiet.post(WIDGETS, widget("a"));
    await api.get(`${path("a")}/status`);
    await api.merge(`${path("a")}/status`, { status: { replicas: 1 } });
    await api.get(`${path("a")}/scale`);
    await api.merge(path("a"), { status: { replicas: 1 } });
    await api.strategic(path("a"), { spec: { size: 2 } });
  }),
  scenario("selectable fields", async (api) => {
    await define(api, {
      versions: [{ ...VERSION, selectableFields: [{ jsonPath: ".spec.color" }] }],
    });
    await api.quiet.post(WIDGETS, widget("a", { spec: { color: "red" } }));
    await api.quiet.post(WIDGETS, widget("b", { spec: { color: "blue" } }));
    await api.get(`${WIDGETS}?fieldSelector=spec.color%3Dred`);
    await api.get(`${WIDGETS}?fieldSelector=spec.color!%3Dred,metadata.name%3Db`);
    await api.get(`${WIDGETS}?fieldSelector=spec.size%3D1`);
  }),
  scenario("objects enter and leave what a selectable field selects", async (api) => {
    const selectableFields = [{ jsonPath: ".spec.color" }];
    await define(api, { versions: [{ ...VERSION, selectableFields }] });
    const watch = await api.watch(`${WIDGETS}?watch=true&fieldSelector=spec.color%3Dred`);
    await api.quiet.post(WIDGETS, widget("a", { spec: { color: "blue" } }));
    await api.quiet.merge(path("a"), { spec: { color: "red" } });
    await api.quiet.merge(path("a"), { spec: { size: 2 } });
    await api.quiet.merge(path("a"), { spec: { color: "green" } });
    await watch.take(3);
    watch.close();
  }),
  scenario("a deprecated version warns", async (api) => {
    const v2 = { ...VERSION, name: "v2", storage: false, deprecated: true };
    const v3 = { ...v2, name: "v3", deprecationWarning: "use v1 of widgets" };
    await define(api, { versions: [VERSION, v2, v3] });
    const V3 = WIDGETS.replace("/v1/", "/v3/");
    await api.quiet.until(V3, ({ status }) => status === 200);
    await api.get(V2);
    await api.get(V3);
    await api.post(V3, { ...widget("a"), apiVersion: "{ns}.example.com/v3" });
    await api.get(`${V3}/none`);
    await api.get(path("a"));
  }),
];
