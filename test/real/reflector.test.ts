import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ConfigMap } from "../../shared/api/kinds.ts";
import type { Kind } from "../../shared/api/object.ts";
import { systemClock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { Reflector } from "../../shared/kube/reflector.ts";
import type { ReflectorOptions } from "../../shared/kube/reflector-options.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { changeText, type KeptObject, keptObject } from "../support/reflecting.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";

const BUILD_LIMIT_MS = 60 * 60_000;
const TEST_LIMIT_MS = 180_000;
const Tide: Kind = {
  apiVersion: "example.com/v1",
  kind: "Tide",
  plural: "tides",
  scope: "Namespaced",
};

let kube: Kube;
let transport: Transport;
let client: KubeClient;
const stop = new AbortController();

beforeAll(async () => {
  kube = await startKube({ garbageCollector: false, deployments: false });
  const access = {
    server: kube.url,
    ca: async () => kube.ca,
    authorization: async () => `Bearer ${kube.token}`,
  };
  transport = createTransport(access, { clock: systemClock });
  client = createKubeClient(transport);
}, BUILD_LIMIT_MS);

afterAll(async () => {
  stop.abort();
  transport?.close();
  await kube?.stop();
});

/** Reflects until the end of the tests; `until` waits for a state of it. */
async function reflect(options: Partial<ReflectorOptions<KeptObject>>) {
  const told: string[] = [];
  const wakes = new Set<() => void>();
  const { log, logged } = recordedLog();
  const wake = () => {
    for (const check of wakes) check();
  };
  const reflector = new Reflector<KeptObject>({
    transport,
    clock: systemClock,
    random: Math.random,
    kind: ConfigMap as Kind,
    namespace: "default",
    full: true,
    keep: keptObject,
    onChange: (change) => {
      told.push(changeText(change).replace(/@[\d>]+/, ""));
      wake();
    },
    log: {
      ...log,
      warn: (...line) => {
        log.warn(...line);
        wake();
      },
    },
    ...options,
  });
  void reflector.run(stop.signal);
  const until = (met: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!met()) return;
        wakes.delete(check);
        resolve();
      };
      wakes.add(check);
      check();
    });
  await reflector.whenSettled(stop.signal);
  return { reflector, told, logged, until };
}

function create(name: string, labels: Readonly<Record<string, string>>) {
  return client.create(ConfigMap, "default", { metadata: { name, labels }, data: { k: "v" } });
}

test(
  "lists more than a page, then follows what enters, changes and leaves the selection",
  async () => {
    for (let from = 0; from < 600; from += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => create(`paged-${from + index}`, { set: "paged" })),
      );
    }
    const { reflector, told, until } = await reflect({ labels: { set: "paged" }, full: false });
    expect(reflector.size).toBe(600);
    expect(reflector.get({ namespace: "default", name: "paged-0" })?.object).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: expect.not.objectContaining({ managedFields: expect.anything() }),
    });
    told.length = 0;
    await create("other", { set: "other" });
    const relabel = (name: string, set: string) =>
      client.patch(
        ConfigMap,
        { namespace: "default", name },
        { type: "merge", patch: { metadata: { labels: { set } } } },
      );
    await relabel("other", "paged");
    await relabel("paged-0", "other");
    await client.delete(ConfigMap, { namespace: "default", name: "paged-1" });
    await until(() => told.length === 3);
    expect(told).toEqual(["added other", "deleted paged-0", "deleted paged-1"]);
  },
  TEST_LIMIT_MS,
);

test(
  "finds what happened while the server was away and its history was lost",
  async () => {
    for (const name of ["kept", "changed", "deleted", "recreated"])
      await create(name, { set: "b" });
    let away = false;
    const unlessAway: Transport = {
      ...transport,
      stream: async (request) => {
        if (away) throw new Error("the server cannot be reached");
        return transport.stream(request);
      },
    };
    const { reflector, told, until } = await reflect({
      transport: unlessAway,
      labels: { set: "b" },
    });
    told.length = 0;
    away = true;
    await kube.restart(); // Ends the watch.
    await client.delete(ConfigMap, { namespace: "default", name: "deleted" });
    await client.delete(ConfigMap, { namespace: "default", name: "recreated" });
    await create("recreated", { set: "b" });
    await client.patch(
      ConfigMap,
      { namespace: "default", name: "changed" },
      { type: "merge", patch: { data: { k: "w" } } },
    );
    await kube.compact();
    await kube.restart();
    away = false;
    await until(() => told.length === 4);
    expect(reflector.health()).toMatchObject({ lists: 2, repairs: 4 });
    expect([...told].sort()).toEqual([
      "added recreated",
      "deleted deleted unknown",
      "deleted recreated unknown",
      "modified changed",
    ]);
    const listed = await client.list(ConfigMap, { namespace: "default", labels: { set: "b" } });
    const versions = listed.map(({ metadata }) => metadata.resourceVersion).sort();
    expect([...reflector.entries()].map((kept) => kept.resourceVersion).sort()).toEqual(versions);
  },
  TEST_LIMIT_MS,
);

test(
  "a kind that is not served is named, and found when its definition comes",
  async () => {
    const { reflector, told, until } = await reflect({ kind: Tide });
    expect(reflector.health().unavailable).toMatch(/^404 not served: .*tides\.example\.com/);
    const { status } = await transport.request({
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      body: {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "tides.example.com" },
        spec: {
          group: "example.com",
          names: { kind: "Tide", plural: "tides" },
          scope: "Namespaced",
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: "object" } },
            },
          ],
        },
      },
    });
    expect(status).toBe(201);
    await reflector.whenSynced(stop.signal);
    await client.create(Tide, "default", { metadata: { name: "spring" } });
    await until(() => told.length === 1);
    await transport.request({
      method: "DELETE",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tides.example.com",
    });
    await until(() => told.length === 2 && reflector.health().unavailable !== undefined);
    expect(told).toEqual(["added spring", "deleted spring"]);
  },
  TEST_LIMIT_MS,
);
