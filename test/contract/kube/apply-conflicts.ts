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

const A = `${CONFIG_MAPS}/a`;
const ANN = `${A}?fieldManager=ann`;
const BOB = `${A}?fieldManager=bob`;
const CID = `${A}?fieldManager=cid`;
const data = (more: object) => configMap("a", { data: more });

export const scenarios = [
  scenario("a conflict with an applier, and force", async (api) => {
    await api.quiet.apply(ANN, data({ one: "1", two: "2" }));
    await api.apply(BOB, data({ one: "9" }));
    await api.apply(BOB, data({ one: "9", two: "9", three: "9" }));
    await api.apply(`${BOB}&force=true`, data({ one: "9" }));
    await api.apply(ANN, data({ one: "1", two: "2" }));
    await api.apply(`${ANN}&force=false`, data({ two: "2" }));
  }),
  scenario("a conflict with a manager that updates", async (api) => {
    await api.quiet.post(`${CONFIG_MAPS}?fieldManager=ann`, data({ one: "1" }));
    await api.apply(BOB, data({ one: "9" }));
    await api.apply(`${BOB}&force=true`, data({ one: "9" }));
  }),
  scenario("a conflict with several managers", async (api) => {
    await api.quiet.apply(ANN, data({ one: "1", two: "2" }));
    await api.quiet.apply(CID, data({ one: "1", three: "3" }));
    await api.quiet.merge(`${A}?fieldManager=dan`, { data: { four: "4" } });
    await api.apply(BOB, data({ one: "9", two: "9", three: "9", four: "9" }));
    await api.apply(`${BOB}&force=true`, data({ one: "9", two: "9", three: "9", four: "9" }));
  }),
  scenario("a conflict with kubectl", async (api) => {
    await api.quiet.post(
      `${CONFIG_MAPS}?fieldManager=kubectl-client-side-apply`,
      data({ one: "1" }),
    );
    await api.apply(BOB, data({ one: "9" }));
  }),
  scenario("a conflict in a list map and in a subresource", async (api) => {
    const path = `${DEPLOYMENTS}/a`;
    const image = (of: string) =>
      deployment("a", { template: template("a", { containers: [{ name: "main", image: of }] }) });
    await api.quiet.apply(`${path}?fieldManager=ann`, image("app:1"));
    await api.quiet.merge(`${path}/scale?fieldManager=hpa`, { spec: { replicas: 3 } });
    await api.apply(`${path}?fieldManager=bob`, image("app:2"));
    await api.apply(`${path}?fieldManager=bob`, deployment("a", { replicas: 5 }));
  }),
  scenario("a conflict on a custom resource", async (api) => {
    await defineWidgets(api);
    const path = `${WIDGETS}/a`;
    const ports = (note: string) => widget("a", { spec: { ports: [{ port: 80, note }] } });
    await api.quiet.apply(`${path}?fieldManager=ann`, ports("x"));
    await api.apply(`${path}?fieldManager=bob`, ports("y"));
  }),
  scenario("a conflict of labels, annotations and owner references", async (api) => {
    const meta = (value: string) =>
      configMap("a", {}, { labels: { "a/b": value }, annotations: { x: value } });
    await api.quiet.apply(ANN, meta("1"));
    await api.apply(BOB, meta("2"));
  }),
  scenario("what an applier cannot take away, another owns", async (api) => {
    await api.quiet.apply(ANN, data({ one: "1" }));
    await api.quiet.apply(BOB, data({ one: "1" }));
    await api.apply(ANN, data({ one: "2" }));
    await api.apply(`${ANN}&force=true`, data({ one: "2" }));
    await api.apply(BOB, data({}));
    await api.apply(ANN, data({}));
  }),
];
