import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { ConfigMap, Deployment } from "tidegate";
import { startEnvironment } from "tidegate/testing";
import { copying, Poke, poke, pokeController, withPokes } from "./poke.ts";

test("a user's YAML with several objects is applied, and answers the last", async () => {
  await withPokes(copying, async (env) => {
    const last = await env.apply(`
apiVersion: v1
kind: ConfigMap
metadata: { name: first }
---
apiVersion: test.example.com/v1
kind: Poke
metadata: { name: web }
spec: { text: hello }
`);
    expect(last).toMatchObject({ kind: "Poke", metadata: { name: "web", namespace: "default" } });
    expect(await env.get(ConfigMap, "first")).toBeDefined();
    await env.settled();
    expect((await env.get(ConfigMap, "default/web"))?.data).toEqual({ text: "hello" });
  });
});

test("a manifest of a kind that is not served says what to do", async () => {
  await withPokes(copying, async (env) => {
    const other = { apiVersion: "no.example.com/v1", kind: "Other", metadata: { name: "x" } };
    await expect(env.apply(other)).rejects.toThrow('name its CustomResourceDefinition in "crds"');
    await expect(env.apply("just: text")).rejects.toThrow("expected apiVersion, kind and metadata");
  });
});

test("a user meets a conflict with the controller's fields, unless by force", async () => {
  await withPokes(copying, async (env) => {
    await poke(env);
    const manifest = { metadata: { name: "web" }, data: { text: "mine" } };
    await expect(env.apply(ConfigMap, manifest)).rejects.toThrow('conflict with "poke"');
    await env.apply(ConfigMap, manifest, { force: true });
    await env.settled();
    expect((await env.get(ConfigMap, "web"))?.data).toEqual({ text: "hello" });
  });
});

test("runs and records are told by controller and object", async () => {
  await withPokes(copying, async (env) => {
    await poke(env);
    await env.apply(Poke, { metadata: { name: "other" }, spec: { text: "x" } });
    await env.settled();
    expect(env.runs()).toHaveLength(2);
    const [run] = env.runs(pokeController, "web");
    expect(run).toMatchObject({ controller: "poke", call: "reconcile", key: "default/web" });
    expect(env.record(pokeController, "web")).toMatchObject({ epoch: 1, outcome: "success" });
  });
});

test("the Events about an object are told", async () => {
  const telling = {
    async reconcile(_: Poke, { recordEvent }: Parameters<typeof copying.reconcile>[1]) {
      await recordEvent({ type: "Normal", reason: "Seen", message: "hello" });
    },
  };
  await withPokes(telling, async (env) => {
    const events = await env.events(await poke(env));
    expect(events.map(({ reason, note }) => `${reason}: ${note}`)).toEqual(["Seen: hello"]);
  });
});

test("what a reconciler logs is told, and the cluster in memory has nothing to complain of", async () => {
  const logging = {
    async reconcile(_: Poke, { log }: Parameters<typeof copying.reconcile>[1]) {
      log.info("seen", { colour: "blue" });
    },
  };
  await withPokes(logging, async (env) => {
    await poke(env);
    expect(env.log.filter(({ level }) => level === "error")).toEqual([]);
    const [line] = env.log.filter(({ message }) => message === "seen");
    expect(line?.fields).toMatchObject({ name: "web", colour: "blue" });
  });
});

test("a timer stays in the future until time passes", async () => {
  const polling = { reconcile: async () => ({ requeueAfterSeconds: 30 }) };
  await withPokes(polling, async (env) => {
    await poke(env);
    const beganMs = env.clock.nowMs();
    await env.settled();
    expect(env.clock.nowMs() - beganMs).toBeLessThan(1_000);
    expect(env.runs()).toHaveLength(1);
    await env.advance(61_500);
    expect(env.runs()).toHaveLength(3);
  });
});

test("a reconciler that reads files is waited for, and no virtual second passes", async () => {
  const reading = {
    async reconcile() {
      for (let times = 0; times < 20; times += 1) await readFile(import.meta.filename);
    },
  };
  await withPokes(reading, async (env) => {
    await poke(env);
    const { outcome, startedAt = 0, finishedAt = 0 } = env.record(pokeController, "web");
    expect(outcome).toBe("success");
    expect(finishedAt - startedAt).toBeLessThan(1_000);
  });
});

test("a timer that is due at once is part of settling", async () => {
  let runs = 0;
  const twice = {
    async reconcile() {
      runs += 1;
      return runs === 1 ? { requeueAfterSeconds: 0 } : {};
    },
  };
  await withPokes(
    twice,
    async (env) => {
      await poke(env);
      expect(env.runs()).toHaveLength(2);
    },
    { idempotent: false },
  );
});

test("a run that writes something else each time is told with object, call and fields", async () => {
  let runs = 0;
  const restless = {
    async reconcile(given: Poke, { apply }: Parameters<typeof copying.reconcile>[1]) {
      runs += 1;
      const { name } = given.metadata;
      // Written once only, or the echo of the write would wake the object again.
      const text = `run ${Math.min(runs, 2)}`;
      await apply(ConfigMap, { metadata: { name }, data: { text, same: "same" } });
    },
  };
  await withPokes(restless, async (env) => {
    await env.apply(Poke, { metadata: { name: "web" }, spec: { text: "hello" } });
    await expect(env.settled()).rejects.toThrow(
      "poke of default/web is not idempotent: expected a second run to write nothing, got apply configmaps default/web (data.text)",
    );
    expect((await env.get(ConfigMap, "web"))?.data).toEqual({ text: "run 1", same: "same" });
  });
});

test("a status that differs each time is found, and idempotent: false lets it be", async () => {
  let runs = 0;
  const counting = {
    async reconcile() {
      runs += 1;
      return { status: { text: `run ${runs}` } };
    },
  };
  await withPokes(counting, async (env) => {
    await env.apply(Poke, { metadata: { name: "web" }, spec: { text: "hello" } });
    await expect(env.settled()).rejects.toThrow("apply status of pokes default/web (status.text)");
  });
  await withPokes(counting, (env) => poke(env).then(() => undefined), { idempotent: false });
});

test("an object that keeps waking itself is told with what was written", async () => {
  let runs = 0;
  const looping = {
    async reconcile(given: Poke, { client }: Parameters<typeof copying.reconcile>[1]) {
      runs += 1;
      const { name } = given.metadata;
      const patch = { data: { runs: `${runs}` } };
      if (await client.get(ConfigMap, name)) {
        await client.patch(ConfigMap, name, { type: "merge", patch });
      } else {
        const { apiVersion, kind, metadata } = given;
        const owner = { apiVersion, kind, name, uid: metadata.uid, controller: true };
        await client.create(ConfigMap, { metadata: { name, ownerReferences: [owner] }, ...patch });
      }
    },
  };
  await withPokes(
    looping,
    async (env) => {
      await env.apply(Poke, { metadata: { name: "web" }, spec: { text: "hello" } });
      await expect(env.settled()).rejects.toThrow(
        /poke default\/web ran 11 times, last for the reason "change"; written: patch configmaps default\/web by poke \(\d+ times, last data.runs\)/,
      );
    },
    { maxRuns: 10 },
  );
});

test("a controller whose kinds are built in needs no definition, and two work side by side", async () => {
  const seen: string[] = [];
  const { defineController } = await import("tidegate");
  const deployments = defineController({ name: "deployments", for: Deployment });
  const env = await startEnvironment({
    controllers: [
      [pokeController, copying],
      [deployments, { reconcile: async ({ metadata }) => void seen.push(metadata.name) }],
    ],
  });
  try {
    const labels = { app: "web" };
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: "web", image: "nginx" }] },
    };
    const spec = { replicas: 2, selector: { matchLabels: labels }, template };
    await env.apply(Deployment, { metadata: { name: "web" }, spec });
    await poke(env);
    expect(seen).toContain("web");
    expect((await env.get(Deployment, "web"))?.status?.readyReplicas).toBe(2);
    expect(await env.list(ConfigMap, { namespace: "default" })).toHaveLength(1);
  } finally {
    await env.stop();
  }
});
