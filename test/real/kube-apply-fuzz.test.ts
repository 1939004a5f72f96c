import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { builtInResources } from "../../local/kube/built-in-resources.ts";
import type { ServedResource } from "../../local/kube/served-resource.ts";
import { kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import { resourceOf } from "../local/kube-store-fixtures.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";
import { differenceAfter, type FuzzTarget, randomWrite } from "./kube-apply-steps.ts";
import { FUZZ_KINDS, type FuzzKind, Random, WIDGET_SCHEMA } from "./kube-apply-writes.ts";

const BUILD_LIMIT_MS = 60 * 60_000;
const TEST_LIMIT_MS = 120_000;
/** `SEED=7` replays another run; `ROUNDS=100` makes it longer. */
const SEED = Number(process.env.SEED ?? 1);
const ROUNDS = Number(process.env.ROUNDS ?? 15);
const OBJECTS_OF_A_KIND = 10;

let kube: Kube;

beforeAll(async () => {
  kube = await startKube({ garbageCollector: false, deployments: false });
  await defineWidgets();
}, BUILD_LIMIT_MS);

afterAll(async () => {
  await kube.stop();
});

test(
  `owners, conflicts and merged fields are those of kube-apiserver after random writes (seed ${SEED})`,
  async () => {
    const random = new Random(SEED);
    const targets = FUZZ_KINDS.flatMap((kind) => targetsOf(kind));
    const differences: object[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const target of targets) {
        const found = await differenceAfter(kube, target, randomWrite(random, target));
        if (found) differences.push(found);
      }
    }
    expect(differences.slice(0, 2)).toEqual([]);
  },
  TEST_LIMIT_MS,
);

function targetsOf(kind: FuzzKind): FuzzTarget[] {
  const resource = servedAs(kind);
  return Array.from({ length: OBJECTS_OF_A_KIND }, (_, index) => ({
    kind,
    resource,
    name: `${kind.plural}-${index}`,
    live: undefined,
  }));
}

function servedAs({ group, plural, kind }: FuzzKind): ServedResource {
  const found = builtInResources().find((each) => each.group === group && each.plural === plural);
  const custom = { schema: WIDGET_SCHEMA, custom: true, subresources: { status: true } };
  return found ?? resourceOf({ group, plural, kind, ...custom, columns: [] });
}

async function defineWidgets(): Promise<void> {
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: WIDGET_SCHEMA },
    subresources: { status: {} },
  };
  const body = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.fuzz.test" },
    spec: { group: "fuzz.test", scope: "Namespaced", names, versions: [version] },
  };
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const made = await kubeRequest(kube, { method: "POST", path, body });
  expect(made.status).toBe(201);
  // Lists answer once the kind is served; its owners need the OpenAPI, too.
  for (let status = 0; status !== 200; ) {
    ({ status } = await kubeRequest(kube, { path: "/openapi/v3/apis/fuzz.test/v1" }));
  }
}
