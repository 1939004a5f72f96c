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
    configMap(
      "a",
      { data: { one: "1", two: "2" } },
      { finalizers: ["e/a", "e/b"], labels: { "x/y": "1" } },
    ),
  );
const op = (name: string, path: string, more: object = {}) => ({ op: name, path, ...more });
const of = (value: unknown) => ({ value });

export const scenarios = [
  scenario("add, remove and replace", async (api) => {
    await make(api);
    await api.json(A, [op("add", "/data/three", of("3")), op("remove", "/data/one")]);
    await api.json(A, [op("replace", "/data/two", of("9")), op("add", "/data/two", of("8"))]);
    await api.json(A, [op("replace", "/data", of({ all: "new" }))]);
    await api.json(A, []);
  }),
  scenario("items of lists", async (api) => {
    await make(api);
    const path = "/metadata/finalizers";
    await api.json(A, [op("add", `${path}/-`, of("e/c")), op("add", `${path}/0`, of("e/0"))]);
    await api.json(A, [op("remove", `${path}/1`), op("replace", `${path}/0`, of("e/x"))]);
    await api.json(A, [op("add", `${path}/3`, of("e/end"))]);
    await api.json(A, [op("add", `${path}/9`, of("e/far"))]);
    await api.json(A, [op("add", `${path}/-1`, of("e/back"))]);
    await api.json(A, [op("remove", `${path}/9`)]);
    await api.json(A, [op("replace", `${path}/-`, of("e/none"))]);
    await api.json(A, [op("remove", `${path}/first`)]);
  }),
  scenario("test, move and copy", async (api) => {
    await make(api);
    await api.json(A, [
      op("test", "/data/one", of("1")),
      op("move", "/data/uno", { from: "/data/one" }),
    ]);
    await api.json(A, [op("copy", "/data/dos", { from: "/data/two" })]);
    await api.json(A, [op("test", "/data/two", of("1")), op("remove", "/data/two")]);
    await api.json(A, [op("test", "/data/none", of("1"))]);
    await api.json(A, [op("test", "/data/none", of(null))]);
    await api.json(A, [op("test", "/data", of({ two: "2", dos: "2", uno: "1" }))]);
    await api.json(A, [op("move", "/data/x", { from: "/data/none" })]);
    await api.json(A, [op("copy", "/data/x", { from: "/data/none" })]);
    await api.json(A, [op("move", "/data/x", {})]);
  }),
  scenario("paths that are missing", async (api) => {
    await make(api);
    await api.json(A, [op("remove", "/data/none")]);
    await api.json(A, [op("remove", "/binaryData/none")]);
    await api.json(A, [op("replace", "/data/none", of("1"))]);
    await api.json(A, [op("replace", "/binaryData", of({}))]);
    await api.json(A, [op("add", "/metadata/annotations/x", of("1"))]);
    await api.json(A, [op("add", "/metadata/annotations", of({ x: "1" }))]);
    await api.json(A, [op("add", "/data/one/deep", of("1"))]);
  }),
  scenario("escaped paths", async (api) => {
    await make(api);
    await api.json(A, [op("replace", "/metadata/labels/x~1y", of("9"))]);
    await api.json(A, [op("add", "/metadata/labels/x/y", of("9"))]);
    await api.json(A, [op("add", "", of(configMap("a", { data: { whole: "1" } })))]);
    await api.json(A, [op("add", "/", of("1"))]);
    await api.json(A, [op("add", "data/x", of("1"))]);
  }),
  scenario("operations that are none", async (api) => {
    await make(api);
    await api.json(A, [op("explode", "/data/one")]);
    await api.json(A, [{ path: "/data/one", value: "1" }]);
    await api.json(A, [{ op: "add", value: "1" }]);
    await api.json(A, [op("add", "/data/x")]);
    await api.json(A, { data: {} });
    await api.json(A, "{");
    await api.json(A, "");
    await api.json(A, '"text"');
    await api.json(A, [1]);
    await api.json(A, [op("add", "/data/x", { ...of("1"), extra: 1 })]);
  }),
  scenario("a patch is whole or nothing", async (api) => {
    await make(api);
    await api.json(A, [op("add", "/data/new", of("1")), op("remove", "/data/none")]);
    await api.json(A, [op("add", "/data/number", of(1))]);
    await api.json(A, [op("replace", "/metadata/name", of("b"))]);
    await api.json(A, [op("replace", "/kind", of("Secret"))]);
    await api.json(A, [op("remove", "/metadata/uid")]);
    await api.json(A, [op("replace", "/metadata/uid", of("00000000-0000-4000-8000-000000000001"))]);
    await api.json(A, [op("replace", "/metadata/resourceVersion", of("1"))]);
    await api.json(A, [op("test", "/metadata/resourceVersion", of("1"))]);
    await api.get(A);
  }),
  scenario("operations on a Deployment and on its status", async (api) => {
    await api.quiet.post(DEPLOYMENTS, deployment("a"));
    const image = "/spec/template/spec/containers/0/image";
    await api.json(`${DEPLOYMENTS}/a`, [
      op("test", image, of("app:1")),
      op("replace", image, of("app:2")),
    ]);
    await api.json(`${DEPLOYMENTS}/a/status`, [op("add", "/status/replicas", of(3))]);
    await api.json(`${DEPLOYMENTS}/a`, [op("replace", "/spec/replicas", of("three"))]);
  }),
  scenario("operations on a custom resource", async (api) => {
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a", { spec: { size: 1, steps: ["a"] } }));
    const path = `${WIDGETS}/a`;
    await api.json(path, [op("add", "/spec/steps/-", of("b")), op("add", "/spec/note", of(null))]);
    await api.json(path, [op("replace", "/spec/size", of(1000))]);
    await api.json(path, [op("replace", "/spec/size", of(1.5))]);
    await api.json(path, [op("add", "/spec/unknown", of(1))]);
    await api.json(path, [op("add", "/spec/limits", of({ "t~u/v": "1", x: "2" }))]);
    await api.json(path, [op("remove", "/spec/limits/t~0u~1v")]);
    await api.json(path, [op("remove", "/spec/none")]);
    await api.json(`${path}/status`, [op("add", "/status", of({ phase: "x" }))]);
    await api.json(`${WIDGETS}/none`, [op("add", "/status", of({ phase: "x" }))]);
  }),
];
