import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readingPlace } from "../../cli/operate-place.ts";
import { websiteController } from "../../functions/website/controller.ts";
import { Website } from "../../functions/website/resource.ts";
import type { KubernetesObject } from "../../shared/api/index.ts";
import { systemClock } from "../../shared/clock.ts";
import { Definition as CustomResourceDefinition } from "../../shared/platform/definition-kind.ts";
import { fingerprintsOf } from "../../shared/queue/fingerprint.ts";
import type { RunEnd } from "../../shared/queue/record.ts";
import { SeenBuilder } from "../../shared/queue/seen-builder.ts";
import { OperateStage } from "./operate-stage.ts";

const sink = { write: () => {} };
let stage: OperateStage;
let hello: KubernetesObject;

const key = { namespace: "default", name: "hello" };
const requestKey = { cluster: "local", controller: "website", ...key };

beforeAll(async () => {
  stage = await OperateStage.start();
  await stage.store.putRevision("local", "website", "r1");
  await stage.leases.write(
    { holder: "", version: "v", durationMs: 15_000, term: 1, clusterUid: "u" },
    undefined,
  );
  const website = { spec: { host: "a.example.com", image: "nginx", replicas: 1 } };
  hello = await stage.kube.create(Website, "default", { metadata: { name: "hello" }, ...website });
});
afterAll(() => stage?.close());

/** One run of the object that ends like this. */
async function run(end: Partial<RunEnd>): Promise<void> {
  const nowMs = Date.now();
  const started = await stage.store.start(requestKey, {
    runId: `run-${nowMs}`,
    nowMs,
    runUntil: nowMs + 60_000,
    reason: "change",
  });
  if (!started.started) throw new Error("locked");
  const { epoch } = started.record;
  const ended: RunEnd = {
    epoch,
    outcome: "success",
    failures: 0,
    finishedAt: nowMs,
    revision: "r1",
    ...end,
  };
  await stage.store.end(requestKey, ended);
}

interface Answer {
  readonly controllers: readonly { readonly findings: readonly { readonly code: string }[] }[];
}

const codes = async (...args: string[]) =>
  (await stage.json<Answer>("explain", ...args)).controllers.map(({ findings }) =>
    findings.map(({ code }) => code),
  );

test("an object that never ran: no runs, and explain says that none came and why", async () => {
  expect(await stage.json("status", "website", "hello")).toEqual({
    cluster: "local",
    apiVersion: "web.example.com/v1",
    kind: "Website",
    namespace: "default",
    name: "hello",
    controllers: [
      {
        controller: "website",
        state: "running",
        runs: 0,
        running: null,
        last: null,
        failures: 0,
        nextRetry: null,
        nextTimer: null,
        heldUntil: null,
        revision: "r1",
        object: "there",
        upToDate: "no",
        inQueue: "no",
        queue: { waiting: 0, inFlight: 0 },
      },
    ],
  });
  expect(await codes("websites", "hello")).toEqual([
    ["other-cluster", "watcher-stopped", "never-ran"],
  ]);
});

test("a run that saw the object is up to date, until the object changes", async () => {
  const seen = new SeenBuilder(fingerprintsOf(websiteController as never));
  seen.read(Website, hello);
  await run({ seen: seen.encode() });
  const upToDate = async () => {
    const { out } = await stage.run(["status", "Website", "hello"]);
    return /up to date +(\w+)/.exec(out)?.[1];
  };
  expect(await upToDate()).toBe("yes");
  const patch = { spec: { replicas: 2 } };
  await stage.kube.patch(Website, key, { type: "merge", patch });
  expect(await upToDate()).toBe("no");
  expect((await codes("website", "hello"))[0]).toContain("changed");
});

test("a failing one tells its error, its failures and its retry; a request wakes it", async () => {
  const dueAt = Date.now() + 60_000;
  await run({ outcome: "error", error: "no zone", failures: 3, dueAt });
  const { out } = await stage.run(["status", "website", "hello"]);
  expect(out).toMatch(/^ {2}error +no zone\n {2}failures +3 in a row\n {2}next retry +in \d+ s$/m);
  expect((await codes("website", "hello"))[0]).toEqual(
    expect.arrayContaining(["failing", "retry"]),
  );

  expect(await stage.json("reconcile", "website", "hello")).toEqual({
    controllers: [{ controller: "website", sent: 1, refused: 0, error: null, state: "running" }],
  });
  expect(await stage.received(stage.queues.website.queueUrl)).toEqual([
    expect.objectContaining({ ...requestKey, reason: "manual" }),
  ]);
});

test("dead letters of the object are told, and those of others are not", async () => {
  await stage.deadLetter("website", key, "no zone");
  await stage.deadLetter("website", { namespace: "default", name: "other" }, "boom");
  const { out } = await stage.run(["explain", "website", "hello"]);
  expect(out).toMatch(/1 of its requests ended in the dead-letter queue: no zone\n +-> mend/);
});

test("names the namespace, and one that is not there", async () => {
  expect((await codes("website", "hello", "-n", "shop"))[0]).toContain("never-there");
});

test("reconcile --all asks for every object that the controllers select, page by page", async () => {
  const labels = { "digest.example.com/enabled": "true" };
  const ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    plural: "configmaps",
    scope: "Namespaced",
  } as const;
  const names = Array.from({ length: 501 }, (_, index) => `c-${index}`);
  for (const name of names)
    await stage.kube.create(ConfigMap, "default", { metadata: { name, labels } });
  await stage.kube.create(ConfigMap, "default", { metadata: { name: "plain" } });
  const all = ["reconcile", "--all", "--controller", "config-digest"];
  expect(await stage.json(...all)).toMatchObject({ controllers: [{ sent: 501, refused: 0 }] });
  const { queueUrl } = stage.queues["config-digest"];
  const requests = await stage.received(queueUrl);
  expect(new Set(requests.map(({ name }) => name))).toEqual(new Set(names));
  expect(await stage.json(...all, "-n", "shop")).toMatchObject({ controllers: [{ sent: 0 }] });
});

test.each([
  [
    ["status", "pod", "hello"],
    1,
    /cannot find a controller for pod: expected one of configmaps \(config-digest\), .*websites.web.example.com \(website\)/,
  ],
  [
    ["explain", "deployment", "hello"],
    1,
    /; its changes wake objects of .*website \(ask about its Website\)/,
  ],
  [
    ["status", "website", "hello", "--controller", "x"],
    1,
    /cannot find controller x: expected one of config-digest, .*website/,
  ],
  [["reconcile", "website"], 2, /expected KIND NAME, or --all/],
  [["reconcile", "--all", "website", "hello"], 2, /cannot use --all with the name hello/],
  [
    ["status", "website", "hello", "--cluster", "x"],
    2,
    /cannot use --cluster: expected --table NAME beside it/,
  ],
  [
    ["status", "website", "hello", "--table", "x", "--cluster", "y"],
    2,
    /cannot use --data with --table/,
  ],
])("refuses %j", async (args, expected, text) => {
  const { code, out, err } = await stage.run(args);
  expect({ code, out }).toEqual({ code: expected, out: "" });
  expect(err).toMatch(text);
});

test.each([
  "website",
  "websites",
  "Website",
  "ws",
  "WS",
  "websites.web.example.com",
  "ws.web.example.com",
  "website.v1.web.example.com",
])("takes the kind as kubectl does: %s", async (kind) => {
  const { code, out } = await stage.run(["status", kind, "hello"]);
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^Website default\/hello$/m),
  });
});

test("names the kinds that there are where a word is none of them", async () => {
  const { code, err } = await stage.run(["status", "websitez", "hello"]);
  expect(code).toBe(1);
  expect(err).toMatch(
    /expected one of .*websites\.web\.example\.com \(website\).*, got "websitez"\n$/,
  );
});

test.each([
  [["status", "website", "default/hello"]],
  [["reconcile", "website", ""]],
  [["explain", "website", "hello", "-n", ".."]],
])("refuses what is no name: %j", async (args) => {
  const { code, err } = await stage.run(args);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/cannot read the name/) });
});

test("an error of several lines is shown as one that a terminal does not obey", async () => {
  await run({
    outcome: "error",
    error: "no\n\u001b[31mzone",
    failures: 1,
    dueAt: Date.now() + 60_000,
  });
  for (const command of ["status", "explain"]) {
    const { out } = await stage.run([command, "website", "hello"]);
    expect(out).toContain("no [31mzone");
  }
});

test("asks for runs of all where one kind is not served, and says so", async () => {
  const { code, out } = await stage.run(["reconcile", "--all", "--controller", "website"]);
  expect({ code, out }).toEqual({ code: 0, out: "website: 1 request sent\n" });
  await stage.kube.delete(CustomResourceDefinition, {
    namespace: "",
    name: "websites.web.example.com",
  });
  const all = await stage.run(["reconcile", "--all"]);
  expect(all).toEqual({
    code: 1,
    out: expect.stringMatching(
      /^config-digest: \d+ requests? sent\nwebsite: 0 requests sent; not all: .*the kind is not served.*\n$/,
    ),
    err: expect.stringContaining("passed over"),
  });
});

test("an interrupt ends at once what only reads, whatever it waits for", async () => {
  const stop = new AbortController();
  const context = { cwd: "/", env: {}, out: sink, err: sink, clock: systemClock, newId: () => "" };
  const never = readingPlace(
    { data: stage.dataDir },
    { ...context, stopping: stop.signal },
    async () => {
      stop.abort();
      return new Promise<never>(() => {});
    },
  );
  await expect(never).rejects.toMatchObject({ name: "AbortError" });
});
