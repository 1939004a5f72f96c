import { expect, test } from "@jest/globals";
import { createKubeApi, type KubeApi } from "../../local/kube/kube-api.ts";
import { mergePatch } from "../../local/kube/merge-patch.ts";
import type { KubeRequest } from "../../shared/kube/wire.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { type BuiltInCase, validBuiltIns } from "./kube-schema-built-in-cases.ts";

// A write shares with the stored object what it leaves alone (O1). What comes of it must be the same
// as if it shared nothing, and nobody who is given an object may change another one's.

type Json = Record<string, unknown>;

const COLLECTION = "/apis/apps/v1/namespaces/default/deployments";
const PLACE = { resource: "apps/deployments", namespace: "default", name: "web" };
const deployment = {
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "web", image: "nginx" }] },
    },
  },
};

function apiWithoutAccounts(): KubeApi {
  let uids = 0;
  const newUid = () => {
    uids += 1;
    return `uid-${uids}`;
  };
  return createKubeApi({ clock: new VirtualClock(), random, newUid, accounts: false });
}

let seed = 1;

/** The same numbers after each `answered`, so that addresses that are given out are the same, too. */
function random(): number {
  seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647;
}

async function answered(api: KubeApi, request: KubeRequest) {
  seed = 1;
  const { status, body } = await api.transport.request(request);
  return { status, body: body as Json };
}

function everyPart(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(everyPart)];
}

test("a stored object is frozen throughout, however it was written", async () => {
  const api = apiWithoutAccounts();
  const path = `${COLLECTION}/web`;
  const thawedParts = () =>
    everyPart(api.store.get(PLACE)).filter((part) => !Object.isFrozen(part));
  await answered(api, { method: "POST", path: COLLECTION, body: deployment });
  expect(thawedParts()).toEqual([]);
  const merge = { method: "PATCH", contentType: "application/merge-patch+json" } as const;
  await answered(api, { ...merge, path, body: { spec: { replicas: 3 } } });
  expect(thawedParts()).toEqual([]);
  await answered(api, { ...merge, path: `${path}/status`, body: { status: { replicas: 3 } } });
  expect(thawedParts()).toEqual([]);
  expect(api.store.get(PLACE)).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 3 } });
  api.close();
});

test("a write of the status shares the spec and the owners of others with the object before", async () => {
  const api = apiWithoutAccounts();
  const before = (await answered(api, { method: "POST", path: COLLECTION, body: deployment })).body;
  const stored = api.store.get(PLACE);
  await answered(api, {
    method: "PATCH",
    path: `${COLLECTION}/web/status`,
    contentType: "application/merge-patch+json",
    body: { status: { replicas: 1 } },
  });
  const after = api.store.get(PLACE);
  expect(after?.metadata.resourceVersion).not.toBe((before.metadata as Json).resourceVersion);
  expect(after?.spec).toBe(stored?.spec);
  expect(after?.metadata.managedFields?.[0]).toBe(stored?.metadata.managedFields?.[0]);
  api.close();
});

test("what is answered, listed or sent with a body may be changed, and nobody else sees it", async () => {
  const api = apiWithoutAccounts();
  const get = { method: "GET", path: `${COLLECTION}/web` } as const;
  const body = structuredClone(deployment);
  const made = await answered(api, { method: "POST", path: COLLECTION, body });
  const expected = structuredClone((await answered(api, get)).body);
  const read = await answered(api, get);
  const listed = await answered(api, { method: "GET", path: COLLECTION });
  for (const value of [body, made.body, read.body, listed.body]) {
    for (const part of everyPart(value)) Object.assign(part, { changed: true });
  }
  expect((await answered(api, get)).body).toEqual(expected);
  api.close();
});

test("a field named __proto__ is one like others", async () => {
  const api = apiWithoutAccounts();
  const path = "/api/v1/namespaces/default/configmaps";
  const data = JSON.parse('{"__proto__": "a", "b": "c"}') as object;
  await answered(api, { method: "POST", path, body: { metadata: { name: "odd" }, data } });
  const contentType = "application/merge-patch+json";
  const patch = { path: `${path}/odd`, contentType, body: { data: { b: "d" } } };
  const { body } = await answered(api, { method: "PATCH", ...patch });
  expect(JSON.stringify(body.data)).toBe('{"__proto__":"a","b":"d"}');
  api.close();
});

test("what a watch tells may be changed, and no other watch sees it", async () => {
  const api = apiWithoutAccounts();
  const watch = () =>
    api.transport.stream({ method: "GET", path: COLLECTION, query: { watch: "1" } });
  const [one, other] = [await watch(), await watch()];
  await answered(api, { method: "POST", path: COLLECTION, body: deployment });
  const expected = structuredClone(api.store.get(PLACE));
  for (const stream of [one, other]) {
    for await (const line of stream.lines) {
      const { object } = JSON.parse(line) as { readonly object: object };
      expect(object).toEqual(expected);
      for (const part of everyPart(object)) Object.assign(part, { changed: true });
      break;
    }
  }
  expect(api.store.get(PLACE)).toEqual(expected);
  api.close();
});

/** Patches whose fields give defaults to other parts of some object. */
const TELLING: readonly Json[] = [
  { spec: { hostNetwork: true } },
  { spec: { type: "LoadBalancer" } },
  { spec: { type: "ExternalName", externalName: "a.example.com" } },
  { spec: { updateStrategy: { type: "RollingUpdate" } } },
  { spec: { strategy: { type: "Recreate" } } },
  { spec: { sessionAffinity: "ClientIP" } },
  { spec: { behavior: { scaleUp: { selectPolicy: "Min" } } } },
  { spec: { template: { metadata: { labels: { other: "b" } } } } },
  { spec: { tolerations: [] } },
  { stringData: { more: "hi" } },
  { metadata: { labels: { app: "other" }, annotations: { text: "a" } } },
  { status: { phase: "Running", podIP: "10.0.0.1", capacity: { cpu: "1500m" } } },
];

/** A patch for each field that takes it away. */
function removals(value: unknown): Json[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    { [key]: null },
    ...removals(each).map((inner) => ({ [key]: inner })),
  ]);
}

/** What cannot be read is 400 in an update, and 422 in a patch. */
function told({ status, body }: { readonly status: number; readonly body: Json }) {
  if (status === 200) return body;
  expect([400, 422]).toContain(status);
  return "refused";
}

async function pathOf(api: KubeApi, { object }: BuiltInCase): Promise<string> {
  const { apiVersion, kind } = object;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { body } = await answered(api, { method: "GET", path: root });
  const resources = body.resources as { name: string; kind: string; namespaced: boolean }[];
  const found = resources.find((each) => each.kind === kind && !each.name.includes("/"));
  return `${root}${found?.namespaced ? "/namespaces/default" : ""}/${found?.name}`;
}

test.each(validBuiltIns.map((each) => [each.name, each] as const))(
  "a merge patch of %s makes what an update with the whole object makes",
  async (_, each) => {
    const api = apiWithoutAccounts();
    const collection = await pathOf(api, each);
    const created = await answered(api, { method: "POST", path: collection, body: each.object });
    const path = `${collection}/${String((created.body.metadata as Json).name)}`;
    const live = (await answered(api, { method: "GET", path })).body;
    const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = live;
    const patches = [...TELLING, ...removals(fields)];
    const query = { dryRun: "All", fieldManager: "same" };
    const contentType = "application/merge-patch+json";
    for (const patch of patches) {
      const body = mergePatch(live, patch);
      const updated = await answered(api, { method: "PUT", path, query, body });
      const merge = { path, query, contentType, body: patch };
      const patched = await answered(api, { method: "PATCH", ...merge });
      expect({ patch, answer: told(patched) }).toEqual({ patch, answer: told(updated) });
    }
    api.close();
  },
);
