import type { Answer, Api } from "./harness/api.ts";
import { defineWidgets, widgetDefinition } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const GROUP = "/apis/{ns}.example.com";

interface Entry {
  readonly name: string;
  readonly [more: string]: unknown;
}

/** What makes a storage version's hash is the server's own. */
function entries({ object }: Answer, names: readonly string[]): readonly object[] {
  const { resources = [] } = object as unknown as { resources?: readonly Entry[] };
  return names.map((name) => {
    const found: Partial<Entry> = resources.find((each) => each.name === name) ?? {};
    const { storageVersionHash: _, ...entry } = found;
    return entry;
  });
}

const resources = (api: Api, path: string, ...names: string[]) =>
  api.part(path, (answer) => entries(answer, names));

const group = ({ object }: Answer, namespace: string) => {
  const { groups = [] } = object as unknown as { groups?: readonly Entry[] };
  return groups.find(({ name }) => name === `${namespace}.example.com`);
};

export const scenarios = [
  scenario("built-in kinds", async (api) => {
    await resources(api, "/api/v1", "configmaps", "pods", "pods/status", "namespaces", "services");
    await resources(api, "/api/v1", "events", "secrets", "nodes", "serviceaccounts");
    await resources(api, "/apis/apps/v1", "deployments", "deployments/scale", "deployments/status");
    await resources(api, "/apis/batch/v1", "jobs", "jobs/status", "cronjobs");
    await resources(api, "/apis/coordination.k8s.io/v1", "leases");
    await resources(api, "/apis/events.k8s.io/v1", "events");
    const crd = "customresourcedefinitions";
    await resources(api, "/apis/apiextensions.k8s.io/v1", crd, `${crd}/status`);
  }),
  scenario("heads of the documents", async (api) => {
    const head = (path: string) =>
      api.part(path, ({ object }) => {
        const { kind, apiVersion } = object;
        const { groupVersion, versions } = object as unknown as Entry;
        return { kind, apiVersion, groupVersion, versions };
      });
    await head("/api");
    await head("/api/v1");
    await head("/apis");
    await head("/apis/apps");
    await head("/apis/apps/v1");
    await api.get("/apis/none.example.com");
    await api.get("/apis/none.example.com/v1");
    await api.get("/apis/apps/v9");
    await api.get("/api/v9");
  }),
  scenario("groups of definitions", async (api) => {
    await defineWidgets(api, { subresources: { status: {} } });
    await api.quiet.until(GROUP, ({ status }) => status === 200);
    await api.get(GROUP);
    await resources(api, `${GROUP}/v1`, "widgets", "widgets/status", "widgets/scale");
    await api.quiet.until("/apis", (answer) => group(answer, api.namespace) !== undefined);
    await api.part("/apis", (answer) => group(answer, api.namespace));
    await api.quiet.delete(`${CRDS}/widgets.{ns}.example.com`);
    await api.quiet.until(GROUP, ({ status }) => status === 404);
    await api.get(GROUP);
  }),
  scenario("several versions, names and a scale", async (api) => {
    const whole = widgetDefinition();
    const [version] = whole.spec.versions;
    const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
    const names = { ...whole.spec.names, shortNames: ["wi"], categories: ["all"], singular: "wid" };
    const versions = ["v1", "v1beta1", "v2", "v2alpha1"].map((name) => {
      return { ...version, name, storage: name === "v1", subresources: { status: {}, scale } };
    });
    await api.quiet.post(CRDS, { ...whole, spec: { ...whole.spec, names, versions } });
    await api.quiet.until(`${GROUP}/v2`, ({ status }) => status === 200);
    await api.quiet.until(GROUP, ({ body }) => JSON.stringify(body).includes("v2alpha1"));
    await api.get(GROUP);
    await resources(api, `${GROUP}/v1`, "widgets", "widgets/scale", "widgets/status");
  }),
];
