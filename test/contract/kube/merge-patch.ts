import type { Api } from "./harness/api.ts";
import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${CONFIG_MAPS}/a`;
const make = ({ quiet }: Api) =>
  quiet.post(
    CONFIG_MAPS,
    configMap("a", { data: { one: "1", two: "2" } }, { finalizers: ["e/a"] }),
  );
const typed = (type: string) => ({ "content-type": type });

export const scenarios = [
  scenario("maps merge, lists are replaced, null deletes", async (api) => {
    await make(api);
    await api.merge(A, { data: { one: null, three: "3" }, metadata: { finalizers: ["e/b"] } });
    await api.merge(A, { data: null });
    await api.merge(A, { data: { x: null, y: "1" }, binaryData: {} });
    await api.merge(A, {});
  }),
  scenario("a merge patch that is none, or unfit", async (api) => {
    await make(api);
    await api.merge(A, "{");
    await api.merge(A, "[]");
    await api.merge(A, '"text"');
    await api.merge(A, "null");
    await api.merge(A, "");
    await api.merge(A, { data: [] });
    await api.merge(A, { data: { one: 1 } });
    await api.merge(A, { metadata: { labels: { "bad key!": "x" } } });
    await api.merge(A, { metadata: { name: "b" } });
    await api.merge(A, { metadata: { namespace: "default" } });
    await api.merge(A, { metadata: { uid: "00000000-0000-4000-8000-000000000001" } });
    await api.merge(A, { apiVersion: "v2" });
    await api.merge(A, { kind: "Secret" });
    await api.merge(A, { metadata: null });
    await api.merge(`${CONFIG_MAPS}/none`, { data: {} });
    await api.merge(A, { metadata: { creationTimestamp: null } });
  }),
  scenario("a merge patch with a resourceVersion", async (api) => {
    const made = await make(api);
    const patch = (value: string) => ({
      metadata: { resourceVersion: made.version },
      data: { one: value },
    });
    await api.merge(A, patch("8"));
    await api.merge(A, patch("9"));
    await api.merge(A, { metadata: { resourceVersion: null }, data: { one: "0" } });
    await api.merge(A, { metadata: { resourceVersion: "" }, data: { one: "00" } });
    await api.merge(A, { metadata: { resourceVersion: "abc" }, data: { one: "00" } });
  }),
  scenario("a merge patch of a Deployment replaces its containers", async (api) => {
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    const containers = [{ name: "new", image: "new:1" }];
    await api.merge(`${DEPLOYMENTS}/a`, {
      spec: { template: { spec: { containers } }, replicas: null },
    });
    await api.merge(`${DEPLOYMENTS}/a`, {
      spec: { template: { spec: { containers: [{ name: "x" }] } } },
    });
    await api.merge(`${DEPLOYMENTS}/a`, { spec: { replicas: "3" } });
    await api.merge(`${DEPLOYMENTS}/a`, { spec: { replicas: -1 } });
  }),
  scenario("a merge patch of a custom resource", async (api) => {
    await defineWidgets(api);
    const path = `${WIDGETS}/a`;
    await api.quiet.post(
      WIDGETS,
      widget("a", { spec: { size: 1, limits: { a: "1" }, mode: "x" } }),
    );
    await api.merge(path, { spec: { limits: { a: null, b: "2" }, mode: null, note: null } });
    await api.merge(path, { spec: { size: 1.0, unknown: 1 }, other: 1 });
    await api.merge(path, { spec: { size: 1.5 } });
    await api.merge(path, { spec: "text" });
    await api.merge(path, { spec: null });
    await api.merge(path, { apiVersion: "{ns}.example.com/v2" });
    await api.merge(path, { kind: "Gadget" });
    await api.merge(path, { metadata: { name: "b" } });
    await api.merge(path, { metadata: { resourceVersion: "1" } });
  }),
  scenario("patches of other media types", async (api) => {
    await make(api);
    const patch = JSON.stringify({ data: { one: "2" } });
    await api.merge(A, patch, typed("application/json"));
    await api.merge(A, patch, typed("text/plain"));
    await api.merge(A, patch, typed("application/merge-patch+json; charset=utf-8"));
    await api.merge(A, patch, typed("application/apply-patch+json"));
    await api.merge(A, patch, typed("application/apply-patch+cbor"));
    await api.merge(A, patch, typed("application/vnd.kubernetes.protobuf"));
    await api.merge(`${CONFIG_MAPS}/none`, patch, typed("application/json"));
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a"));
    await api.merge(`${WIDGETS}/a`, patch, typed("application/json"));
    await api.merge(`${WIDGETS}/a/status`, patch, typed("application/json"));
  }),
  scenario("bodies of other media types", async (api) => {
    await make(api);
    const body = JSON.stringify(configMap("b"));
    await api.post(CONFIG_MAPS, body, typed("text/plain"));
    await api.post(CONFIG_MAPS, body, typed("application/x-www-form-urlencoded"));
    await api.put(A, body, typed("text/html"));
    await defineWidgets(api);
    await api.post(WIDGETS, widget("a"), typed("text/plain"));
  }),
  scenario("a body in YAML", async (api) => {
    const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\ndata:\n  one: '1'\n";
    await api.post(CONFIG_MAPS, yaml, typed("application/yaml"));
  }),
];
