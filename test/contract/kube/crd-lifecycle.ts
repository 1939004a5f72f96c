import type { Answer, Api } from "./harness/api.ts";
import { defineWidgets, WIDGETS, widget, widgetDefinition } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const CRD = `${CRDS}/widgets.{ns}.example.com`;

const conditions = ({ object }: Answer) =>
  (object.status as { conditions?: { type: string; status: string }[] } | undefined)?.conditions ??
  [];
const has = (type: string, status: string) => (answer: Answer) =>
  conditions(answer).some((each) => each.type === type && each.status === status);
const gone = ({ status }: Answer) => status === 404;

/** Conditions in the order of their types: controllers write them in turn. */
const statusOf = (answer: Answer) => ({
  ...(answer.object.status as object),
  conditions: conditions(answer).toSorted((a, b) => (a.type < b.type ? -1 : 1)),
});

/** A definition of another kind or plural in the scenario's group. */
function definition(plural: string, names: object) {
  const { metadata: _, spec, ...rest } = widgetDefinition();
  return {
    ...rest,
    metadata: { name: `${plural}.{ns}.example.com` },
    spec: { ...spec, names: { plural, ...names } },
  };
}

const post = (api: Api, plural: string, names: object) =>
  api.quiet.post(CRDS, definition(plural, names));

export const scenarios = [
  scenario("a definition is served once it is established", async (api) => {
    await api.post(CRDS, widgetDefinition({ status: {} }));
    await api.quiet.until(CRD, has("Established", "True"));
    await api.part(CRD, statusOf);
    await api.part(CRD, ({ object }) => object.spec);
    await api.quiet.until(WIDGETS, ({ status }) => status === 200);
    await api.get(WIDGETS);
    await api.post(WIDGETS, widget("a"));
    await api.post(CRDS, widgetDefinition());
  }),
  scenario("its deletion removes the objects first", async (api) => {
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a"));
    await api.quiet.post(WIDGETS, widget("b", {}, { finalizers: ["example.com/x"] }));
    const list = await api.quiet.get(WIDGETS);
    const { resourceVersion } = list.object.metadata;
    const watch = await api.watch(`${WIDGETS}?watch=true&resourceVersion=${resourceVersion}`);
    await api.delete(CRD);
    await watch.until(({ object }) => JSON.stringify(object).includes("deletionTimestamp"));
    await api.quiet.until(CRD, has("Terminating", "True"));
    await api.part(CRD, ({ object }) => object.metadata.finalizers);
    await api.part(CRD, (answer) => conditions(answer).map(({ type, status }) => [type, status]));
    await api.post(WIDGETS, widget("c"));
    await api.quiet.merge(`${WIDGETS}/b`, { metadata: { finalizers: null } });
    await api.until(CRD, gone);
    await api.quiet.until(WIDGETS, gone);
    await api.get(WIDGETS);
    await api.get(`${WIDGETS}/b`);
    watch.close();
  }),
  scenario("a definition that is made anew starts empty", async (api) => {
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a"));
    await api.quiet.delete(CRD);
    await api.quiet.until(CRD, gone);
    await defineWidgets(api);
    await api.get(WIDGETS);
    await api.post(WIDGETS, widget("a"));
  }),
  scenario("names that another definition has", async (api) => {
    await defineWidgets(api);
    await post(api, "gadgets", { kind: "Widget" });
    const gadgets = `${CRDS}/gadgets.{ns}.example.com`;
    await api.quiet.until(gadgets, has("NamesAccepted", "False"));
    await api.quiet.until(gadgets, has("Established", "False"));
    await api.part(gadgets, statusOf);
    await api.get("/apis/{ns}.example.com/v1/namespaces/{ns}/gadgets");
    await post(api, "others", { kind: "Other", shortNames: ["widgets"] });
    const others = `${CRDS}/others.{ns}.example.com`;
    await api.quiet.until(others, has("NamesAccepted", "False"));
    await api.part(others, statusOf);
    await api.quiet.delete(CRD);
    await api.quiet.until(gadgets, has("Established", "True"));
    await api.part(gadgets, statusOf);
    await api.quiet.until(
      "/apis/{ns}.example.com/v1/namespaces/{ns}/gadgets",
      ({ status }) => status === 200,
    );
  }),
  scenario("names that change", async (api) => {
    await defineWidgets(api);
    await api.merge(`${CRD}?fieldManager=ann`, { spec: { names: { shortNames: ["wi"] } } });
    const accepted = ({ object }: Answer) =>
      (object.status as { acceptedNames: { shortNames?: unknown } }).acceptedNames.shortNames;
    await api.quiet.until(CRD, (answer) => accepted(answer) !== undefined);
    await api.part(CRD, statusOf);
    const shortNames = ({ body }: Answer) => JSON.stringify(body).includes('"shortNames":["wi"]');
    await api.quiet.until("/apis/{ns}.example.com/v1", shortNames);
    await api.quiet.merge(`${CRD}/status`, { status: { storedVersions: ["v1", "v0"] } });
    await api.part(CRD, statusOf);
  }),
  scenario("a new schema is the rule for the next write", async (api) => {
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a", { spec: { size: 50, note: "x" } }));
    const at = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    await api.quiet.json(CRD, [
      { op: "replace", path: `${at}/size/maximum`, value: 10 },
      { op: "remove", path: `${at}/note` },
    ]);
    await untilRefused(api);
    await api.post(WIDGETS, widget("b", { spec: { size: 11 } }));
    await api.get(`${WIDGETS}/a`);
    await api.merge(`${WIDGETS}/a`, { metadata: { labels: { x: "y" } } });
    await api.merge(`${WIDGETS}/a`, { spec: { size: 60 } });
  }),
];

/** The real server takes up a schema a moment after the write. */
async function untilRefused({ quiet }: Api): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const probe = widget(`probe-${tries}`, { spec: { size: 11 } });
    // A quiet request that is refused throws.
    const taken = await quiet.post(`${WIDGETS}?dryRun=All`, probe).then(
      () => true,
      () => false,
    );
    if (!taken) return;
    await quiet.get(WIDGETS);
  }
  throw new Error("waiting for the new schema: expected a refusal, got none");
}
