import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import { KitPlace, outputOf, verdictOf } from "./kit-run.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";

// The testing kit on a cluster that is there already, where time is real: a quarter of an hour.

const BUILD_LIMIT_MS = 60 * 60_000;
const TEST_LIMIT_MS = 30 * 60_000;

let kube: Kube;
let place: KitPlace;
let before: readonly string[] = [];

beforeAll(async () => {
  kube = await startKube({ progress: (line) => process.stderr.write(`${line}\n`) });
}, BUILD_LIMIT_MS);
afterAll(() => kube?.stop());

beforeEach(async () => {
  place = await KitPlace.make({ TIDEGATE_KUBECONFIG: kube.kubeconfigPath });
  before = await objects();
});
afterEach(() => place.remove());

test.each(["config-digest", "website"])(
  "the tests of our function %s pass, and leave no object behind",
  async (name) => {
    const verdict = await verdictOf(place.jest(1, `test/functions/${name}`));
    expect(verdict).toMatchObject({ failures: [], left: 0 });
    expect(await objects()).toEqual(before);
    expect(await place.left()).toEqual([]);
  },
  TEST_LIMIT_MS,
);

test(
  "failures that a test asks for happen in real time, too",
  async () => {
    const verdict = await verdictOf(place.jest(1, "test/testing/environment-faults"));
    expect(verdict).toMatchObject({ failures: [], left: 0 });
    expect(await objects()).toEqual(before);
  },
  TEST_LIMIT_MS,
);

test(
  "what a test that is killed leaves is deleted by the next one",
  async () => {
    const killed = place.program(`${START} await env.create(ConfigMap, held); console.log("made");
      await new Promise((resolve) => setTimeout(resolve, 60_000));`);
    await once(killed.stdout ?? killed, "data");
    const refused = await outputOf(place.program(START));
    expect(refused.error).toContain("run one test file at a time (jest --runInBand)");
    killed.kill("SIGKILL");
    await once(killed, "close");
    expect(await objects()).not.toEqual(before);

    const next = await outputOf(
      place.program(`${START} await env.stop(); console.log("stopped");`),
    );
    expect(next).toEqual({ out: "stopped\n", error: "" });
    expect(await objects()).toEqual(before);
  },
  TEST_LIMIT_MS,
);

/** Begins a program with an environment, whose controller gives each ConfigMap nothing. */
const START = `
  import { ConfigMap, defineController } from "tidegate";
  import { startEnvironment } from "tidegate/testing";
  const controller = defineController({ name: "idle", for: ConfigMap });
  const held = { metadata: { name: "held", finalizers: ["example.com/held"] } };
  const env = await startEnvironment({ controllers: [[controller, { reconcile: async () => {} }]] });
`;

const COLLECTIONS = [
  "/api/v1/namespaces",
  "/api/v1/configmaps",
  "/api/v1/services",
  "/api/v1/pods",
  "/apis/apps/v1/deployments",
  "/apis/apps/v1/replicasets",
  "/apis/events.k8s.io/v1/events",
];

/** The path of each object of these kinds, in order. */
async function objects(): Promise<readonly string[]> {
  const lists = await Promise.all(COLLECTIONS.map((path) => kubeRequest(kube, { path })));
  return lists.flatMap(({ body }, index) => {
    const { items } = body as { items: { metadata: { namespace?: string; name: string } }[] };
    const paths = items.map(({ metadata: { namespace = "", name } }) => `${namespace}/${name}`);
    return paths.sort().map((path) => `${COLLECTIONS[index]} ${path}`);
  });
}
