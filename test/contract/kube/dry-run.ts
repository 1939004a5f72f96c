import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  SERVICES,
  service,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${CONFIG_MAPS}/a`;

export const scenarios = [
  scenario("a dry run of a create", async (api) => {
    await api.post(`${CONFIG_MAPS}?dryRun=All`, configMap("a"));
    await api.get(A);
    await api.post(`${CONFIG_MAPS}?dryRun=All`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { generateName: "made-" },
    });
    await api.post(`${SERVICES}?dryRun=All`, service("a"));
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await api.post(`${CONFIG_MAPS}?dryRun=All`, configMap("a"));
    await api.post(`${CONFIG_MAPS}?dryRun=All`, configMap("Bad_"));
    await api.post("/api/v1/namespaces/{ns}-none/configmaps?dryRun=All", configMap("a"));
    await defineWidgets(api);
    await api.post(`${WIDGETS}?dryRun=All`, widget("a", { spec: { size: 1 } }));
    await api.get(`${WIDGETS}/a`);
  }),
  scenario("a dry run of a PUT and of patches", async (api) => {
    const made = await api.post(CONFIG_MAPS, configMap("a", { data: { one: "1" } }));
    const watch = await api.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${made.version}`);
    await api.put(`${A}?dryRun=All`, configMap("a", { data: { one: "2" } }));
    await api.merge(`${A}?dryRun=All`, { data: { one: "3" } });
    await api.strategic(`${A}?dryRun=All`, { data: { one: "4" } });
    await api.json(`${A}?dryRun=All`, [{ op: "replace", path: "/data/one", value: "5" }]);
    await api.put(`${A}?dryRun=All`, configMap("a", {}, { resourceVersion: "1" }));
    await api.get(A);
    await api.quiet.merge(A, { data: { one: "6" } });
    await watch.take(1);
    watch.close();
  }),
  scenario("a dry run that removes the last finalizer deletes nothing", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a", {}, { finalizers: ["example.com/x"] }));
    await api.quiet.delete(A);
    await api.merge(`${A}?dryRun=All`, { metadata: { finalizers: null } });
    await api.get(A);
  }),
  scenario("a dry run of a status and of a Deployment", async (api) => {
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    await api.merge(`${DEPLOYMENTS}/a/status?dryRun=All`, { status: { replicas: 3 } });
    await api.merge(`${DEPLOYMENTS}/a?dryRun=All`, { spec: { replicas: 3 } });
    await api.get(`${DEPLOYMENTS}/a`);
  }),
  scenario("values of dryRun that are none", async (api) => {
    await api.post(`${CONFIG_MAPS}?dryRun=bogus`, configMap("a"));
    await api.post(`${CONFIG_MAPS}?dryRun=all`, configMap("a"));
    await api.post(`${CONFIG_MAPS}?dryRun=All&dryRun=bogus`, configMap("a"));
    await api.post(`${CONFIG_MAPS}?dryRun=`, configMap("a"));
    await api.put(`${A}?dryRun=bogus`, configMap("a"));
    await api.merge(`${A}?dryRun=bogus`, {});
    await api.apply(`${A}?dryRun=bogus&fieldManager=ann`, configMap("a"));
    await api.delete(`${CONFIG_MAPS}?dryRun=bogus`);
  }),
];
