import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  template,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const LEVELS = ["", "?fieldValidation=Strict", "?fieldValidation=Warn", "?fieldValidation=Ignore"];
const dry = (query: string) => `${query}${query === "" ? "?" : "&"}dryRun=All`;
const TWICE =
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"a"},"data":{"one":"1","one":"2"},"extra":1}';

export const scenarios = [
  scenario("unknown fields of a create", async (api) => {
    const containers = [
      { name: "main", image: "app:1", extra: { a: 1 }, ports: [{ containerPort: 80, odd: 1 }] },
    ];
    const body = deployment(
      "a",
      { replica: 1, template: template("a", { containers }) },
      { label: {} },
    );
    for (const level of LEVELS) await api.post(`${DEPLOYMENTS}${dry(level)}`, { ...body, more: 1 });
    await api.post(`${DEPLOYMENTS}?fieldValidation=Sideways`, body);
    await api.post(`${DEPLOYMENTS}?fieldValidation=`, body);
  }),
  scenario("fields that stand twice", async (api) => {
    for (const level of LEVELS) await api.post(`${CONFIG_MAPS}${dry(level)}`, TWICE);
  }),
  scenario("fields in another case", async (api) => {
    const body =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"Data":{"one":"1"}}';
    for (const level of LEVELS.slice(0, 2)) await api.post(`${CONFIG_MAPS}${dry(level)}`, body);
  }),
  scenario("unknown fields of a PUT and of patches", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    for (const level of LEVELS.slice(1)) {
      const path = `${CONFIG_MAPS}/a${level}`;
      await api.put(path, configMap("a", { extra: 1 }));
      await api.merge(path, { extra: 1, metadata: { more: 1 } });
      await api.strategic(path, { extra: 1 });
      await api.json(path, [{ op: "add", path: "/extra", value: 1 }]);
    }
    await api.merge(`${CONFIG_MAPS}/a?fieldValidation=Sideways`, {});
    await api.put(`${CONFIG_MAPS}/a?fieldValidation=Sideways`, configMap("a"));
  }),
  scenario("fields of a patch that stand twice", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("a"));
    const twice = '{"data":{"one":"1","one":"2"},"data":{"two":"2"}}';
    for (const level of LEVELS.slice(1)) await api.merge(`${CONFIG_MAPS}/a${level}`, twice);
    for (const level of LEVELS.slice(1)) await api.strategic(`${CONFIG_MAPS}/a${level}`, twice);
    const operations = '[{"op":"add","op":"add","path":"/data","value":{"x":"1"}}]';
    for (const level of LEVELS.slice(1)) await api.json(`${CONFIG_MAPS}/a${level}`, operations);
  }),
  scenario("unknown fields of a custom resource", async (api) => {
    await defineWidgets(api);
    const spec = { size: 1, extra: { a: 1 }, ports: [{ port: 80, odd: 1 }], free: { any: 1 } };
    const body = widget("a", { spec, more: 1 }, { label: {} });
    for (const level of LEVELS) await api.post(`${WIDGETS}${dry(level)}`, body);
    await api.quiet.post(WIDGETS, widget("a"));
    for (const level of LEVELS.slice(1)) {
      await api.merge(`${WIDGETS}/a${level}`, { spec: { extra: 1 } });
      await api.json(`${WIDGETS}/a${level}`, [{ op: "add", path: "/extra", value: 1 }]);
      await api.merge(`${WIDGETS}/a/status${level}`, { status: { extra: 1 } });
    }
  }),
  scenario("fields of a custom resource that stand twice", async (api) => {
    await defineWidgets(api);
    const body =
      '{"apiVersion":"{ns}.example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1,"size":2}}';
    for (const level of LEVELS) await api.post(`${WIDGETS}${dry(level)}`, body);
  }),
  scenario("more unknown fields than are told", async (api) => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`extra${index + 10}`, 1]),
    );
    await api.post(`${CONFIG_MAPS}?fieldValidation=Strict`, configMap("a", many));
    await api.post(`${CONFIG_MAPS}?fieldValidation=Warn`, configMap("a", many));
  }),
];
