import { expect, test } from "@jest/globals";
import { ConfigMap } from "tidegate";
import { copying, Poke, poke, pokeController, withPokes } from "./poke.ts";

test("a call that fails is repeated by the backoff, when its time comes", async () => {
  await withPokes(copying, async (env) => {
    env.failNext({ verb: "apply", kind: ConfigMap }, 500);
    await poke(env);
    expect(env.record(pokeController, "web")).toMatchObject({ outcome: "error", failures: 1 });
    expect(await env.get(ConfigMap, "web")).toBeUndefined();
    await env.advance(5_000);
    await env.settled();
    expect(env.record(pokeController, "web")).toMatchObject({ outcome: "success", failures: 0 });
    expect(await env.get(ConfigMap, "web")).toBeDefined();
  });
});

test("a lost connection is an error of the run", async () => {
  await withPokes(copying, async (env) => {
    env.failNext({ verb: "get", kind: Poke }, new Error("ECONNRESET"));
    await poke(env);
    expect(env.record(pokeController, "web").error).toContain("ECONNRESET");
  });
});

test("a failure meets no call of the test", async () => {
  await withPokes(copying, async (env) => {
    env.failNext({ kind: ConfigMap }, 503);
    expect(await env.get(ConfigMap, "web")).toBeUndefined();
    await poke(env);
    expect(env.record(pokeController, "web").outcome).not.toBe("success");
  });
});

test("conflicts of the status and of a child are resolved while settling", async () => {
  await withPokes(copying, async (env) => {
    env.conflict(Poke, "web");
    await poke(env);
    expect((await env.get(Poke, "web"))?.status).toMatchObject({ text: "hello" });
    env.conflict(ConfigMap, "web");
    await poke(env, "new");
    expect((await env.get(ConfigMap, "web"))?.data).toEqual({ text: "new" });
  });
});

test("a run that gives up after many conflicts is repeated while settling", async () => {
  await withPokes(copying, async (env) => {
    for (let times = 0; times < 6; times += 1) env.failNext({ verb: "apply", kind: Poke }, 409);
    await poke(env);
    expect((await env.get(Poke, "web"))?.status).toMatchObject({ text: "hello" });
    expect(env.runs(pokeController, "web").length).toBeGreaterThan(1);
  });
});

test("changes during a cut of the watches are found afterwards", async () => {
  await withPokes(copying, async (env) => {
    await poke(env);
    env.cutWatches();
    await env.patch(Poke, "web", { spec: { text: "meanwhile" } });
    await env.settled();
    expect((await env.get(ConfigMap, "web"))?.data).toEqual({ text: "meanwhile" });
  });
});

test("a function that is killed in its run is run again", async () => {
  await withPokes(copying, async (env) => {
    env.latency(500);
    await env.apply(Poke, { metadata: { name: "web" }, spec: { text: "hello" } });
    await env.advance(900);
    expect(env.runs(pokeController, "web")).toHaveLength(1);
    env.killWorker();
    env.latency(0);
    await env.settled();
    expect(await env.get(ConfigMap, "web")).toBeUndefined();
    await env.advance(30_000);
    await env.settled();
    expect(await env.get(ConfigMap, "web")).toBeDefined();
    expect(env.runs(pokeController, "web")).toHaveLength(2);
  });
});

test("calls take as long as asked for", async () => {
  await withPokes(copying, async (env) => {
    env.latency(200);
    await poke(env);
    const { startedAt = 0, finishedAt = 0 } = env.record(pokeController, "web");
    expect(finishedAt - startedAt).toBeGreaterThanOrEqual(600);
  });
});

test("a watcher that starts anew runs nothing that did not change", async () => {
  await withPokes(copying, async (env) => {
    await poke(env);
    await env.restartWatcher();
    await env.settled();
    expect(env.runs(pokeController, "web")).toHaveLength(1);
    await poke(env, "new");
    expect((await env.get(ConfigMap, "web"))?.data).toEqual({ text: "new" });
  });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, "5" as unknown as number])(
  "time that is none is refused: %s",
  async (ms) => {
    await withPokes(copying, async (env) => {
      await expect(env.advance(ms)).rejects.toThrow(
        `cannot advance time: expected milliseconds, got ${ms}`,
      );
      expect(() => env.latency(ms)).toThrow("cannot set the latency: expected milliseconds");
    });
  },
);

test.each([200, 99, 600, Number.NaN])(
  "a status that is no failure is refused: %s",
  async (status) => {
    await withPokes(copying, async (env) => {
      expect(() => env.failNext({ verb: "get" }, status)).toThrow(
        `cannot fail the next call: expected a status from 400 to 599, got ${status}`,
      );
    });
  },
);
