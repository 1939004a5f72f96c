import type { Api } from "./harness/api.ts";
import {
  CONFIG_MAPS,
  configMap,
  defineWidgets,
  PODS,
  pod,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const q = (text: string) => encodeURIComponent(text).replaceAll("%7Bns%7D", "{ns}");
const byLabel = (api: Api, text: string) => api.get(`${CONFIG_MAPS}?labelSelector=${q(text)}`);
const byField = (api: Api, text: string, path = CONFIG_MAPS) =>
  api.get(`${path}?fieldSelector=${q(text)}`);

async function labelled({ quiet }: Api): Promise<void> {
  await quiet.post(CONFIG_MAPS, configMap("a", {}, { labels: { x: "1", tier: "web" } }));
  await quiet.post(CONFIG_MAPS, configMap("b", {}, { labels: { x: "2" } }));
  await quiet.post(CONFIG_MAPS, configMap("c"));
}

export const scenarios = [
  scenario("label selectors", async (api) => {
    await labelled(api);
    const texts = ["x=1", "x==1", "x!=1", "x in (1,2)", "x notin (1)", "x", "!x", "x,tier=web"];
    for (const text of [...texts, "x>1", "x<2", "", " x = 1 , tier ", "x in ()", "x="]) {
      await byLabel(api, text);
    }
  }),
  scenario("label selectors that are refused", async (api) => {
    for (const text of ["x=1=2", "x in 1", "=", "x in (a", "-x", "x=a b", "x>y", ",", "!"]) {
      await byLabel(api, text);
    }
  }),
  scenario("field selectors", async (api) => {
    await labelled(api);
    for (const text of ["metadata.name=a", "metadata.name!=a", "metadata.namespace={ns}", ""]) {
      await byField(api, text);
    }
    await byField(api, "metadata.name=a,metadata.name=b");
    await byField(api, "data.x=1");
    await byField(api, "metadata.name>a");
    await byField(api, "metadata.name");
    await byField(api, "metadata.labels.x=1");
  }),
  scenario("field selectors of pods", async (api) => {
    await api.quiet.post(PODS, pod("a", { nodeName: "one" }));
    await api.quiet.post(PODS, pod("b", { restartPolicy: "Never", serviceAccountName: "other" }));
    const names = async (text: string) =>
      api.part(`${PODS}?fieldSelector=${q(text)}`, ({ items }) =>
        items.map(({ metadata }) => metadata.name),
      );
    await names("spec.nodeName=one");
    await names("spec.nodeName=");
    await names("spec.restartPolicy=Never");
    await names("spec.serviceAccountName=other");
    await names("status.phase=Pending");
    await names("status.phase!=Pending");
    await names("status.podIP=");
    await byField(api, "spec.priority=1", PODS);
  }),
  scenario("custom resources are selected by their name alone", async (api) => {
    await defineWidgets(api);
    await api.quiet.post(WIDGETS, widget("a", { spec: { color: "red" } }));
    await byField(api, "metadata.name=a", WIDGETS);
    await byField(api, "spec.color=red", WIDGETS);
  }),
];
