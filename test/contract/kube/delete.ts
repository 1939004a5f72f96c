import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  JOBS,
  PODS,
  pod,
  SECRETS,
  SERVICES,
  service,
  template,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${CONFIG_MAPS}/a`;
const options = (more: object) => ({ apiVersion: "v1", kind: "DeleteOptions", ...more });
const UID = "00000000-0000-4000-8000-000000000001";
const X = { finalizers: ["example.com/x"] };

export const scenarios = [
  scenario("a DELETE answers a Status, or the object where it stays", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await api.delete(A);
    await api.delete(A);
    await api.quiet.post(CONFIG_MAPS, configMap("b", {}, X));
    await api.delete(`${CONFIG_MAPS}/b`);
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    await api.delete(`${DEPLOYMENTS}/a`);
    await api.quiet.post(SERVICES, service("a"));
    await api.delete(`${SERVICES}/a`);
    await api.quiet.post(PODS, pod("a"));
    await api.delete(`${PODS}/a`);
    await api.quiet.post(SECRETS, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } });
    await api.delete(`${SECRETS}/a`);
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a"));
    await api.delete(`${WIDGETS}/a`);
    await api.delete(`${WIDGETS}/a`);
  }),
  scenario("finalizers hold an object, and only shrink", async (api) => {
    const two = { finalizers: ["example.com/x", "example.com/y"] };
    const made = await api.quiet.post(CONFIG_MAPS, configMap("a", { data: { one: "1" } }, two));
    const watch = await api.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${made.version}`);
    await api.delete(A);
    await api.get(A);
    await api.merge(A, {
      metadata: { finalizers: ["example.com/x", "example.com/y", "example.com/z"] },
    });
    await api.merge(A, { metadata: { finalizers: ["example.com/z"] } });
    await api.merge(A, { data: { one: "2" } });
    await api.merge(A, { metadata: { finalizers: ["example.com/y"] } });
    await api.delete(A);
    await api.merge(A, { metadata: { deletionTimestamp: null } });
    await api.merge(A, { metadata: { deletionTimestamp: "2020-01-01T00:00:00Z" } });
    await api.post(CONFIG_MAPS, configMap("a"));
    await api.merge(A, { metadata: { finalizers: null }, data: { one: "3" } });
    await api.get(A);
    await watch.until(({ type }) => type === "DELETED");
    watch.close();
  }),
  scenario("finalizers of a custom resource", async (api) => {
    await defineWidgets(api);
    const path = `${WIDGETS}/a`;
    const made = await api.quiet.post(WIDGETS, widget("a", { spec: { size: 1 } }, X));
    const watch = await api.watch(`${WIDGETS}?watch=true&resourceVersion=${made.version}`);
    await api.delete(path);
    await api.merge(`${path}/status`, { status: { phase: "going" } });
    await api.merge(path, { metadata: { finalizers: ["example.com/x", "example.com/y"] } });
    await api.merge(path, { metadata: { finalizers: [] } });
    await api.merge(path, { metadata: { finalizers: [] } });
    await watch.until(({ type }) => type === "DELETED");
    watch.close();
  }),
  scenario("finalizers that are none", async (api) => {
    await api.post(CONFIG_MAPS, configMap("a", {}, { finalizers: ["plain"] }));
    await api.post(CONFIG_MAPS, configMap("b", {}, { finalizers: ["bad name/x"] }));
    await api.post(CONFIG_MAPS, configMap("c", {}, { finalizers: [""] }));
    await api.post(
      CONFIG_MAPS,
      configMap("d", {}, { finalizers: ["example.com/x", "example.com/x"] }),
    );
    await api.post(
      CONFIG_MAPS,
      configMap("e", {}, { finalizers: ["orphan", "foregroundDeletion"] }),
    );
  }),
  scenario("preconditions", async (api) => {
    const made = await api.post(CONFIG_MAPS, configMap("a"));
    await api.delete(A, options({ preconditions: { uid: UID } }));
    await api.delete(A, options({ preconditions: { resourceVersion: "1" } }));
    await api.delete(A, options({ preconditions: { uid: made.uid, resourceVersion: "1" } }));
    await api.delete(A, options({ preconditions: { uid: "" } }));
    await api.quiet.post(CONFIG_MAPS, configMap("b"));
    const preconditions = { uid: made.uid, resourceVersion: made.version };
    await api.delete(`${CONFIG_MAPS}/b`, options({ preconditions }));
    await api.delete(`${CONFIG_MAPS}/none`, options({ preconditions }));
    const again = await api.quiet.get(A);
    if (again.status === 200) await api.delete(A, options({ preconditions }));
  }),
  scenario("preconditions of a terminating object", async (api) => {
    const made = await api.post(CONFIG_MAPS, configMap("a", {}, X));
    await api.delete(A);
    await api.delete(A, options({ preconditions: { uid: UID } }));
    await api.delete(A, options({ preconditions: { resourceVersion: made.version } }));
    await api.delete(A, options({ preconditions: { uid: made.uid } }));
  }),
  scenario("propagation by query and by body", async (api) => {
    for (const name of ["a", "b", "c", "d", "e", "f", "g"])
      await api.quiet.post(CONFIG_MAPS, configMap(name, {}, X));
    const path = (name: string, query = "") => `${CONFIG_MAPS}/${name}${query}`;
    await api.delete(path("a", "?propagationPolicy=Foreground"));
    await api.delete(path("b"), options({ propagationPolicy: "Foreground" }));
    await api.delete(path("c"), options({ propagationPolicy: "Orphan" }));
    await api.delete(path("d"), options({ propagationPolicy: "Background" }));
    await api.delete(path("e"), options({ orphanDependents: true }));
    await api.delete(path("f"), options({ orphanDependents: false }));
    await api.delete(path("g"), options({ propagationPolicy: "Sideways" }));
    await api.delete(path("g"), options({ propagationPolicy: "Orphan", orphanDependents: true }));
    await api.delete(
      path("g", "?propagationPolicy=Orphan"),
      options({ propagationPolicy: "Foreground" }),
    );
    await api.delete(path("g", "?propagationPolicy=Sideways"));
  }),
  scenario("a second delete that asks for another propagation", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a", {}, X));
    await api.delete(A);
    await api.delete(A, options({ propagationPolicy: "Foreground" }));
    await api.quiet.post(CONFIG_MAPS, configMap("b", {}, X));
    await api.delete(`${CONFIG_MAPS}/b`);
    await api.delete(`${CONFIG_MAPS}/b`, options({ propagationPolicy: "Orphan" }));
  }),
  scenario("what an older default propagation leaves", async (api) => {
    const spec = { template: template("a", { restartPolicy: "Never" }) };
    await api.quiet.post(JOBS, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "a", ...X },
      spec,
    });
    await api.delete(`${JOBS}/a`);
  }),
  scenario("grace periods", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a", {}, X));
    await api.delete(A, options({ gracePeriodSeconds: 30 }));
    await api.quiet.post(PODS, pod("a"));
    await api.delete(`${PODS}/a`, options({ gracePeriodSeconds: -5 }));
    await api.quiet.post(PODS, pod("b", {}, X));
    await api.delete(`${PODS}/b?gracePeriodSeconds=0`);
    await api.delete(`${PODS}/b?gracePeriodSeconds=abc`);
    await api.quiet.post(PODS, pod("c", { nodeName: "n" }));
    await api.delete(`${PODS}/c`);
    await api.delete(`${PODS}/c?gracePeriodSeconds=5`);
    await api.delete(`${PODS}/c?gracePeriodSeconds=0`);
    await api.get(`${PODS}/c`);
  }),
  scenario("a dry run deletes nothing", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    await api.delete(`${A}?dryRun=All`);
    await api.delete(A, options({ dryRun: ["All"] }));
    await api.delete(`${A}?dryRun=bogus`);
    await api.delete(A, options({ dryRun: ["bogus"] }));
    await api.get(A);
    await api.quiet.post(CONFIG_MAPS, configMap("b", {}, X));
    await api.delete(`${CONFIG_MAPS}/b?dryRun=All`);
    await api.get(`${CONFIG_MAPS}/b`);
  }),
  scenario("bodies of a DELETE that are none", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a", {}, X));
    await api.delete(A, "{");
    await api.delete(A, "[]");
    await api.delete(A, configMap("a"));
    await api.delete(A, {});
    await api.delete(A, options({ unknown: 1 }));
    await api.delete(A, { ...options({}), apiVersion: "meta.k8s.io/v1" });
  }),
  scenario("deletecollection", async (api) => {
    for (const name of ["a", "b"])
      await api.quiet.post(CONFIG_MAPS, configMap(name, {}, { labels: { x: name } }));
    await api.quiet.post(CONFIG_MAPS, configMap("c", {}, { ...X, labels: { x: "c" } }));
    await api.delete(`${CONFIG_MAPS}?labelSelector=x%3Da&dryRun=All`);
    await api.delete(`${CONFIG_MAPS}?labelSelector=x%3Da`);
    await api.get(CONFIG_MAPS);
    await api.delete(`${CONFIG_MAPS}?fieldSelector=metadata.name%3Dnone`);
    await api.delete(`${CONFIG_MAPS}?labelSelector=%3D%3D`);
    await api.delete(CONFIG_MAPS, options({ propagationPolicy: "Background" }));
    await api.get(CONFIG_MAPS);
    await api.delete(SERVICES);
    await api.delete("/api/v1/configmaps");
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a"));
    await api.delete(WIDGETS);
    await api.get(WIDGETS);
  }),
];
