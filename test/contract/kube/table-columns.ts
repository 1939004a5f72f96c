import type { Api } from "./harness/api.ts";
import {
  DEPLOYMENTS,
  deployment,
  PODS,
  pod,
  SERVICES,
  service,
  WIDGETS,
  widget,
  widgetDefinition,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const string = { type: "string" };
const SPEC = {
  type: "object",
  properties: {
    size: { type: "integer" },
    share: { type: "number" },
    on: { type: "boolean" },
    when: string,
    names: { type: "array", items: string },
    parts: {
      type: "array",
      items: { type: "object", properties: { name: string, state: string } },
    },
    map: { type: "object", additionalProperties: string },
  },
};
const column = (name: string, jsonPath: string, type = "string", more: object = {}) => ({
  name,
  type,
  jsonPath,
  ...more,
});

/** Columns of every type, with paths of every form. */
const COLUMNS = [
  column("Size", ".spec.size", "integer"),
  column("Share", ".spec.share", "number"),
  column("On", ".spec.on", "boolean"),
  column("When", ".spec.when", "date"),
  column("Text", ".spec.when"),
  column("SizeText", ".spec.size"),
  column("Names", ".spec.names", "string", { priority: 1, description: "All names." }),
  column("First", ".spec.names[0]"),
  column("Ready", '.spec.parts[?(@.state=="ready")].name'),
  column("Every", ".spec.parts[*].name"),
  column("Map", ".spec.map"),
  column("Key", ".spec.map.a\\.b/c"),
  column("Wrong", ".spec.when", "integer"),
  column("Age", ".metadata.creationTimestamp", "date"),
];

async function define({ quiet }: Api): Promise<void> {
  const whole = widgetDefinition();
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: SPEC } } };
  const version = { name: "v1", served: true, storage: true, schema };
  const versions = [{ ...version, additionalPrinterColumns: COLUMNS }];
  await quiet.post(CRDS, { ...whole, spec: { ...whole.spec, versions } });
  await quiet.until(WIDGETS, ({ status }) => status === 200);
}

/** Cells alone: what is in the object is another matter. */
async function rows(api: Api, path: string): Promise<void> {
  const answer = await api.quiet.get(path, TABLE);
  const { rows: all } = answer.body as { rows: readonly { cells: unknown }[] };
  if (all.length === 0) throw new Error(`reading ${path}: expected rows, got none`);
  await api.get(`${path}?includeObject=None`, TABLE);
}

export const scenarios = [
  scenario("columns of a custom resource", async (api) => {
    await define(api);
    await api.quiet.post(WIDGETS, widget("a"));
    const spec = {
      size: 3,
      share: 0.5,
      on: true,
      when: "2001-01-01T00:00:00Z",
      names: ["x", "y"],
      parts: [
        { name: "one", state: "ready" },
        { name: "two", state: "off" },
        { name: "three", state: "ready" },
      ],
      map: { a: "1", "a.b/c": "2" },
    };
    await api.quiet.post(WIDGETS, widget("b", { spec: { ...spec, when: "no date" } }));
    const answer = await api.quiet.get(WIDGETS, TABLE);
    const { columnDefinitions } = answer.body as { columnDefinitions: unknown };
    if (!columnDefinitions) throw new Error("expected columns");
    await api.get(`${WIDGETS}?includeObject=None`, TABLE);
  }),
  scenario("a table of one custom resource, and of what a watch tells", async (api) => {
    await define(api);
    await api.quiet.post(WIDGETS, widget("a", { spec: { size: 3, names: ["x"] } }));
    await api.get(`${WIDGETS}/a`, TABLE);
    const watch = await api.watch(`${WIDGETS}?watch=true`, TABLE);
    await api.quiet.merge(`${WIDGETS}/a`, { spec: { size: 4 } });
    await api.quiet.delete(`${WIDGETS}/a`);
    await watch.take(3);
    watch.close();
  }),
  scenario("columns of built-in kinds", async (api) => {
    await api.quiet.post(PODS, pod("a"));
    await rows(api, PODS);
    await api.quiet.post(SERVICES, service("a", { clusterIP: "None" }));
    await rows(api, SERVICES);
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    await rows(api, DEPLOYMENTS);
  }),
];
