import type { Answer, Api } from "./harness/api.ts";
import { scenario } from "./harness/scenario.ts";

const CORE = "/api/v1/namespaces/{ns}/events";
const EVENTS = "/apis/events.k8s.io/v1/namespaces/{ns}/events";

const INVOLVED = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "{ns}" };

function coreEvent(name: string, more: object = {}) {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name },
    involvedObject: INVOLVED,
    reason: "Tested",
    message: "hello",
    type: "Normal",
    source: { component: "contract" },
    firstTimestamp: "2001-01-01T00:00:00Z",
    lastTimestamp: "2001-01-01T00:00:01Z",
    count: 2,
    ...more,
  };
}

function newEvent(name: string, more: object = {}) {
  return {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name },
    eventTime: "2001-01-01T00:00:00.000001Z",
    reportingController: "example.com/contract",
    reportingInstance: "contract-1",
    action: "Test",
    reason: "Tested",
    regarding: INVOLVED,
    note: "hello",
    type: "Normal",
    ...more,
  };
}

const query = (text: string) => encodeURIComponent(text).replaceAll("%7Bns%7D", "{ns}");

const names = ({ items }: Answer) => items.map(({ metadata }) => metadata.name);
const select = (api: Api, path: string, text: string) =>
  api.part(`${path}?fieldSelector=${query(text)}`, names);

export const scenarios = [
  scenario("both groups serve one store", async (api) => {
    await api.post(CORE, coreEvent("a"));
    await api.post(EVENTS, newEvent("b"));
    await api.get(`${EVENTS}/a`);
    await api.get(`${CORE}/b`);
    await api.get(CORE);
    await api.get(EVENTS);
    await api.delete(`${EVENTS}/a`);
    await api.get(`${CORE}/a`);
  }),
  scenario("events are selected by what they are of", async (api) => {
    await api.quiet.post(CORE, coreEvent("a"));
    const other = { involvedObject: { ...INVOLVED, kind: "Pod", name: "b" }, type: "Warning" };
    await api.quiet.post(CORE, coreEvent("b", { ...other, reason: "Failed" }));
    await select(api, CORE, "involvedObject.name=a");
    await select(api, CORE, "involvedObject.kind=Pod,involvedObject.namespace={ns}");
    await select(api, CORE, "type=Warning,reason=Failed");
    await select(api, CORE, "source=contract");
    await select(api, EVENTS, "regarding.kind=Pod");
    await api.get(`${EVENTS}?fieldSelector=${encodeURIComponent("involvedObject.kind=Pod")}`);
    await api.get(`${CORE}?fieldSelector=${encodeURIComponent("regarding.kind=Pod")}`);
    await api.get(`${CORE}?fieldSelector=message%3Dhello`);
  }),
  scenario("events that are refused", async (api) => {
    await api.post(EVENTS, newEvent("a", { eventTime: "2001-01-01T00:00:00.001Z" }));
    await api.post(EVENTS, newEvent("a", { eventTime: undefined }));
    await api.post(EVENTS, newEvent("a", { action: "", reason: "" }));
    await api.post(EVENTS, newEvent("a", { type: "Other" }));
    await api.post(EVENTS, newEvent("a", { reportingController: "", reportingInstance: "" }));
    await api.post(EVENTS, newEvent("a", { note: "x".repeat(1025) }));
    await api.post(CORE, coreEvent("a", { involvedObject: undefined }));
    await api.post(CORE, coreEvent("a", { involvedObject: { ...INVOLVED, namespace: "other" } }));
    await api.post(CORE, coreEvent("a", { firstTimestamp: "yesterday" }));
  }),
  scenario("an event that is counted on", async (api) => {
    await api.quiet.post(EVENTS, newEvent("a"));
    const series = { count: 2, lastObservedTime: "2001-01-01T00:00:02.000000Z" };
    await api.merge(`${EVENTS}/a`, { series });
    await api.merge(`${EVENTS}/a`, { note: "other" });
    await api.get(`${CORE}/a`);
    await api.quiet.post(CORE, coreEvent("b"));
    await api.strategic(`${CORE}/b`, { count: 3, lastTimestamp: "2001-01-01T00:00:05Z" });
  }),
];
