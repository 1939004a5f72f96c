import {
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  SERVICES,
  service,
  template,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const SERVICE = (manager: string) => `${SERVICES}/a?fieldManager=${manager}`;
const WIDGET = (manager: string) => `${WIDGETS}/a?fieldManager=${manager}`;
const spec = (more: object) => widget("a", { spec: more });

export const scenarios = [
  scenario("ports of a Service merge by port and protocol, whose default is TCP", async (api) => {
    const ports = (...all: object[]) => service("a", { ports: all });
    await api.apply(SERVICE("ann"), ports({ name: "http", port: 80 }));
    await api.apply(SERVICE("bob"), ports({ name: "dns", port: 80, protocol: "UDP" }));
    await api.apply(SERVICE("bob"), ports({ name: "web", port: 80, protocol: "TCP" }));
    await api.apply(SERVICE("ann"), ports({ name: "https", port: 443 }));
    await api.apply(SERVICE("ann"), ports({ name: "one", port: 80 }, { name: "two", port: 80 }));
  }),
  scenario("containers merge by name, and stay in order", async (api) => {
    const path = (manager: string) => `${DEPLOYMENTS}/a?fieldManager=${manager}`;
    const containers = (...all: object[]) =>
      deployment("a", { template: template("a", { containers: all }) });
    await api.quiet.apply(
      path("ann"),
      containers({ name: "main", image: "app:1" }, { name: "last", image: "log:1" }),
    );
    await api.apply(
      path("bob"),
      containers(
        { name: "first", image: "init:1" },
        { name: "main", env: [{ name: "X", value: "1" }], ports: [{ containerPort: 80 }] },
      ),
    );
    await api.apply(path("ann"), containers({ name: "main", image: "app:2" }));
    await api.apply(path("ann"), containers({ image: "nameless:1" }));
  }),
  scenario("env variables merge by name", async (api) => {
    const path = (manager: string) => `${DEPLOYMENTS}/a?fieldManager=${manager}`;
    const env = (...all: object[]) =>
      deployment("a", {
        template: template("a", { containers: [{ name: "main", image: "app:1", env: all }] }),
      });
    await api.quiet.apply(path("ann"), env({ name: "A", value: "1" }, { name: "B", value: "2" }));
    await api.apply(path("bob"), env({ name: "C", value: "$(A)" }, { name: "A", value: "1" }));
    await api.apply(path("ann"), env({ name: "B", value: "3" }));
  }),
  scenario("a custom list map fills the defaults of its keys before it merges", async (api) => {
    await defineWidgets(api);
    await api.apply(WIDGET("ann"), spec({ ports: [{ port: 80, note: "one" }] }));
    await api.apply(WIDGET("bob"), spec({ ports: [{ port: 80, protocol: "TCP" }, { port: 81 }] }));
    await api.apply(WIDGET("ann"), spec({ ports: [{ port: 82, protocol: "UDP" }] }));
    await api.apply(WIDGET("bob"), spec({}));
    await api.apply(WIDGET("bob"), spec({ ports: [{ port: 5 }, { port: 5, protocol: "TCP" }] }));
    await api.apply(WIDGET("bob"), spec({ ports: [{ protocol: "TCP" }] }));
  }),
  scenario("a set holds what each manager adds", async (api) => {
    await defineWidgets(api);
    await api.apply(WIDGET("ann"), spec({ tags: ["b", "a"] }));
    await api.apply(WIDGET("bob"), spec({ tags: ["c", "a"] }));
    await api.apply(WIDGET("ann"), spec({ tags: ["d"] }));
    await api.apply(WIDGET("bob"), spec({ tags: ["e", "e"] }));
    await api.merge(WIDGET("cid"), { spec: { tags: ["z", "d"] } });
  }),
  scenario("the order of merged items", async (api) => {
    await defineWidgets(api);
    await api.quiet.apply(WIDGET("ann"), spec({ tags: ["a", "c", "e"] }));
    await api.apply(WIDGET("bob"), spec({ tags: ["e", "d", "c"] }));
    await api.apply(WIDGET("cid"), spec({ tags: ["x", "a", "y"] }));
    await api.apply(WIDGET("ann"), spec({ tags: ["e", "a", "q", "c"] }));
  }),
  scenario("an atomic list has one owner", async (api) => {
    await defineWidgets(api);
    await api.quiet.apply(WIDGET("ann"), spec({ steps: ["a", "b"] }));
    await api.apply(WIDGET("bob"), spec({ steps: ["b"] }));
    await api.apply(WIDGET("bob"), spec({ steps: ["a", "b"] }));
    await api.apply(`${WIDGET("bob")}&force=true`, spec({ steps: ["c"] }));
  }),
  scenario("an atomic map has one owner, a granular one has one a key", async (api) => {
    await defineWidgets(api);
    await api.quiet.apply(WIDGET("ann"), spec({ selector: { a: "1" }, limits: { a: "1" } }));
    await api.apply(WIDGET("bob"), spec({ selector: { a: "1", b: "2" }, limits: { b: "2" } }));
    await api.apply(WIDGET("bob"), spec({ limits: { b: "2" } }));
    await api.apply(WIDGET("ann"), spec({ selector: { c: "3" } }));
  }),
  scenario("the selector of a Service is atomic", async (api) => {
    await api.quiet.apply(SERVICE("ann"), service("a", { selector: { app: "a" } }));
    await api.apply(SERVICE("bob"), service("a", { selector: { app: "b" } }));
    await api.apply(`${SERVICE("bob")}&force=true`, service("a", { selector: { tier: "b" } }));
  }),
  scenario("fields that no schema knows are owned one by one", async (api) => {
    await defineWidgets(api);
    await api.apply(WIDGET("ann"), spec({ free: { a: { b: 1, c: [1, 2] }, d: null } }));
    await api.apply(WIDGET("bob"), spec({ free: { a: { e: true } } }));
    await api.apply(WIDGET("ann"), spec({ free: { a: { c: [1] } } }));
  }),
  scenario("null and empty values", async (api) => {
    await defineWidgets(api);
    await api.apply(
      WIDGET("ann"),
      spec({ note: null, size: null, tags: [], limits: {}, ports: null }),
    );
    await api.apply(WIDGET("ann"), spec({ note: "x", tags: ["a"], limits: { a: "" } }));
    await api.apply(WIDGET("ann"), spec({ note: null, tags: null, limits: null }));
    await api.apply(WIDGET("ann"), widget("a", { spec: null }));
  }),
  scenario("changing the kind of a value", async (api) => {
    await defineWidgets(api);
    await api.quiet.apply(WIDGET("ann"), spec({ free: { a: { b: 1 } } }));
    await api.apply(WIDGET("bob"), spec({ free: { a: 5 } }));
    await api.apply(`${WIDGET("bob")}&force=true`, spec({ free: { a: 5 } }));
    await api.apply(WIDGET("bob"), spec({ free: { a: [1] } }));
  }),
];
