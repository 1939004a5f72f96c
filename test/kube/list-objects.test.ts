import { expect, test } from "@jest/globals";
import { ConfigMap, Node } from "../../shared/api/index.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import { client, type Got, loopback } from "./loopback.ts";

const item = (index: number) => ({
  metadata: { name: `n${index}`, uid: `u${index}`, resourceVersion: "1" },
});
const itemsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => item(from + i));

/** Serves so many objects, in pages where a limit is asked for. */
function serving(state: { count: number; expired?: boolean }) {
  return ({ url, answer }: Got) => {
    const { searchParams } = new URL(url, "http://a");
    const limit = Number(searchParams.get("limit") ?? state.count);
    const from = Number(searchParams.get("continue") ?? 0);
    if (from > 0 && state.expired) return answer(410, { reason: "Expired" });
    const next = from + limit < state.count ? { continue: String(from + limit) } : {};
    return answer(200, {
      metadata: next,
      items: itemsOf(Math.min(limit, state.count - from), from),
    });
  };
}

async function setUp(state: { count: number; expired?: boolean }) {
  const server = await loopback(serving(state));
  const transport = client(server);
  const warnings: unknown[] = [];
  const note = (_: string, fields?: object) => warnings.push(fields);
  const kube = createKubeClient(transport, {
    log: { debug: note, info: note, warn: note, error: note },
  });
  return {
    kube,
    warnings,
    asked: () => server.got.map(({ url }) => url),
    [Symbol.asyncDispose]: async () => {
      transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("up to 2,000 objects come in one request without a limit, with apiVersion and kind", async () => {
  await using t = await setUp({ count: 2_000 });

  const first = await t.kube.list(ConfigMap, { namespace: "a" });
  await t.kube.list(ConfigMap, { namespace: "a" });

  expect(first).toHaveLength(2_000);
  expect(first[7]).toEqual({ apiVersion: "v1", kind: "ConfigMap", ...item(7) });
  expect(t.asked()).toEqual([1, 2].map(() => "/api/v1/namespaces/a/configmaps"));
  expect(t.warnings).toEqual([]);
});

test("a list that turned out longer is read in pages the next time, and warned of once", async () => {
  await using t = await setUp({ count: 2_001 });

  await t.kube.list(ConfigMap);
  const second = await t.kube.list(ConfigMap);
  await t.kube.list(ConfigMap);

  expect(second.map(({ metadata }) => metadata.name)).toEqual(
    itemsOf(2_001).map(({ metadata }) => metadata.name),
  );
  expect(t.asked()).toHaveLength(1 + 5 + 5);
  expect(t.asked()[2]).toBe("/api/v1/configmaps?limit=500&continue=500");
  expect(t.warnings).toEqual([
    { kind: "ConfigMap", listNamespace: "", objects: 2_001, limit: 2_000 },
  ]);
});

test("a list that became short again is read in one request", async () => {
  const state = { count: 2_001 };
  await using t = await setUp(state);
  await t.kube.list(ConfigMap);
  state.count = 3;

  await t.kube.list(ConfigMap);
  await t.kube.list(ConfigMap);

  expect(t.asked().slice(1)).toEqual(["/api/v1/configmaps?limit=500", "/api/v1/configmaps"]);
});

test("pages whose version is compacted away give way to one request for all", async () => {
  const state = { count: 2_001, expired: false };
  await using t = await setUp(state);
  await t.kube.list(ConfigMap);
  state.expired = true;

  expect(await t.kube.list(ConfigMap)).toHaveLength(2_001);
});

test("selectors are sent, as text or as pairs", async () => {
  await using t = await setUp({ count: 1 });

  await t.kube.list(ConfigMap, { labels: "app in (a,b)", fields: { "metadata.name": "a,b=c\\d" } });
  await t.kube.list(Node, { namespace: "ignored", labels: { app: "web", tier: "a" } });
  await t.kube.list(Node, { labels: {}, fields: "" });

  const queries = t.asked().map((url) => [...new URL(url, "http://a").searchParams]);
  expect(queries).toEqual([
    [
      ["labelSelector", "app in (a,b)"],
      ["fieldSelector", "metadata.name=a\\,b\\=c\\\\d"],
    ],
    [["labelSelector", "app=web,tier=a"]],
    [],
  ]);
  expect(t.asked()[1]).toMatch(/^\/api\/v1\/nodes\?/);
});
