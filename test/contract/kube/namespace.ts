import type { Answer } from "./harness/api.ts";
import { configMap, NAMESPACES, service } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const OTHER = `${NAMESPACES}/{ns}-b`;
const MAPS = `${OTHER}/configmaps`;
const made = (metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "{ns}-b", ...metadata },
});
const gone = ({ status }: Answer) => status === 404;
/** Conditions come one by one; those of a namespace that is stuck are all there once this one is. */
const reported = ({ body }: Answer) =>
  JSON.stringify(body).includes('"type":"NamespaceFinalizersRemaining","status":"True"');

export const scenarios = [
  scenario("a namespace goes with its content", async (api) => {
    await api.post(NAMESPACES, made());
    await api.quiet.post(MAPS, configMap("a"));
    await api.quiet.post(`${OTHER}/services`, service("a"));
    await api.delete(OTHER);
    await api.until(OTHER, gone);
    await api.get(`${MAPS}/a`);
    await api.get(MAPS);
    await api.post(MAPS, configMap("a"));
  }),
  scenario("nothing is made in a namespace that terminates", async (api) => {
    await api.quiet.post(NAMESPACES, made());
    await api.quiet.post(MAPS, configMap("a", {}, { finalizers: ["example.com/x"] }));
    await api.quiet.delete(OTHER);
    await api.quiet.until(
      `${MAPS}/a`,
      ({ object }) => object.metadata.deletionTimestamp !== undefined,
    );
    await api.post(MAPS, configMap("b"));
    await api.apply(`${MAPS}/b?fieldManager=ann`, configMap("b"));
    await api.post(`${OTHER}/services`, service("b"));
    await api.merge(`${MAPS}/a`, { data: { still: "open" } });
    await api.until(OTHER, reported);
    await api.post(NAMESPACES, made());
    await api.delete(OTHER);
    await api.merge(`${MAPS}/a`, { metadata: { finalizers: null } });
    await api.until(OTHER, gone);
  }),
  scenario("a namespace with a finalizer of its own", async (api) => {
    await api.quiet.post(NAMESPACES, made({ finalizers: ["example.com/x"] }));
    await api.delete(OTHER);
    await api.quiet.until(
      OTHER,
      ({ body }) => !JSON.stringify(body).includes('"finalizers":["kubernetes"]'),
    );
    await api.post(MAPS, configMap("b"));
    await api.quiet.merge(OTHER, { metadata: { finalizers: null } });
    await api.until(OTHER, gone);
  }),
  scenario("the default namespaces stay", async (api) => {
    await api.delete(`${NAMESPACES}/default`);
    await api.delete(`${NAMESPACES}/kube-system`);
    await api.delete(`${NAMESPACES}/none`);
    await api.delete(NAMESPACES);
  }),
  scenario("a label tells a namespace's name", async (api) => {
    await api.post(NAMESPACES, made({ labels: { "kubernetes.io/metadata.name": "other" } }));
    await api.merge(OTHER, { metadata: { labels: null } });
    await api.quiet.delete(OTHER);
  }),
];
