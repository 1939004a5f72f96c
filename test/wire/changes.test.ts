// From a change to its run over real connections, with faults on each of them: nothing is lost, and no
// two runs overlap. The numbers are those of the design's list of reports.
import { expect, jest, test } from "@jest/globals";
import { defineController } from "../../shared/api/controller.ts";
import { Deployment } from "../../shared/api/kinds.ts";
import { useSubresource } from "../../shared/api/use.ts";
import type { Fault } from "../support/fault-proxy.ts";
import {
  copies,
  copiesPerTest,
  copyOf,
  copyTo,
  next,
  put,
  reconciling,
  THROTTLED,
  UNAVAILABLE,
} from "../support/wire-copies.ts";
import type { WirePlatform } from "../support/wire-platform.ts";

jest.setTimeout(60_000);

const started = copiesPerTest();

test("B03: a change during a run leads to exactly one more, though the end of the first is written at the third try", async () => {
  const waiting = Promise.withResolvers<void>();
  let runs = 0;
  const made = await started(
    reconciling(async (object, apply) => {
      runs += 1;
      if (runs === 1) await waiting.promise;
      await copyTo(apply, object, object.data);
    }),
  );
  await put(made, "x", "1");
  await made.cluster.clock.advance(1_000);
  await put(made, "x", "2");
  await made.cluster.clock.advance(1_000);
  next(made.workerTable, "UpdateItem", UNAVAILABLE, { kind: "reset" });
  waiting.resolve();
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x", "reconcile x"]);
  expect(await copyOf(made, "x")).toBe("2");
});

test("B03: a change by others during a run, right before that run writes a status, leads to exactly one more", async () => {
  const waiting = Promise.withResolvers<void>();
  const generations: number[] = [];
  const deployments = defineController({
    name: "copy",
    for: Deployment,
    uses: [useSubresource(Deployment, "status", "patch")],
    timeoutSeconds: 10,
  });
  const reconcile = async ({ metadata }: Deployment) => {
    generations.push(metadata.generation ?? 0);
    if (generations.length === 1) await waiting.promise;
    return { status: { replicas: metadata.generation } };
  };
  const made = await started({ reconcile: reconcile as never }, deployments as never);
  const { clock } = made.cluster;
  await putDeployment(made, 1);
  await clock.advance(1_000);
  await putDeployment(made, 2);
  await clock.advance(1_000);
  waiting.resolve();
  await made.settled();
  await clock.advance(60_000);
  expect(generations).toEqual([1, 2]);
  const key = { namespace: "default", name: "x" };
  const { status } = (await made.cluster.direct.get(Deployment, key)) as Deployment;
  expect(status).toMatchObject({ observedGeneration: 2, replicas: 2 });
});

test.each([
  ["answers 503", UNAVAILABLE],
  ["throttles", THROTTLED],
  ["resets the connection", { kind: "reset" }],
  ["loses its answers", { kind: "lose" }],
] as const)(
  "B09: while the queue %s a change is kept, also when the watch breaks off",
  async (_, fault) => {
    const made = await started();
    made.queue.plan = () => fault;
    await put(made, "x", "1");
    await made.cluster.clock.advance(2_000);
    made.cluster.requests.cut();
    await put(made, "y", "1");
    await made.cluster.clock.advance(3_000);
    made.queue.plan = () => undefined;
    await made.until(() => new Set(made.runs).size === 2);
    await made.settled();
    expect([await copyOf(made, "x"), await copyOf(made, "y")]).toEqual(["1", "1"]);
  },
);

test("B09: what the queue did not take from a leader that is gone is sent by the next one", async () => {
  const made = await started();
  const [first] = made.watchers;
  await made.watch();
  made.queue.plan = () => UNAVAILABLE;
  await put(made, "x", "1");
  await made.cluster.clock.advance(2_000);
  if (first) first.table.plan = () => ({ kind: "silence" }); // It cannot hand its lease over.
  await first?.stop();
  expect(made.leading).toEqual([]);
  made.queue.plan = () => undefined;
  await made.until(() => made.leading.includes(2), 20_000);
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x"]);
  expect(await copyOf(made, "x")).toBe("1");
});

test("B10: entries of a batch that are not accepted are sent again, and they alone", async () => {
  const made = await started();
  const refuse = (text: string) => {
    const { Successful } = JSON.parse(text) as { Successful: { Id: string }[] };
    const failed = Successful.slice(0, 3).map(({ Id }) => ({
      Id,
      Code: "InternalError",
      SenderFault: false,
    }));
    return JSON.stringify({ Successful: Successful.slice(3), Failed: failed });
  };
  next(made.queue, "SendMessageBatch", { kind: "alter", body: refuse });
  await Promise.all(Array.from({ length: 10 }, (_, index) => put(made, `x${index}`, "1")));
  await made.settled();
  const batches = made.queue
    .of("SendMessageBatch")
    .map(({ body }) => (JSON.parse(body) as { Entries: object[] }).Entries.length);
  expect(batches).toEqual([10, 3]);
  expect(made.metrics.of("RequestsSent", { controller: "copy", reason: "change" })).toEqual([10]);
  expect(made.drain()).toHaveLength(10);
});

test("B10: an entry that the queue finds fault with is named, and holds up no other one", async () => {
  const made = await started();
  const refuse = (text: string) => {
    const { Successful } = JSON.parse(text) as { Successful: { Id: string }[] };
    const [{ Id } = { Id: "" }, ...rest] = Successful;
    const failed = { Id, Code: "InvalidParameterValue", Message: "no", SenderFault: true };
    return JSON.stringify({ Successful: rest, Failed: [failed] });
  };
  next(made.queue, "SendMessageBatch", { kind: "alter", body: refuse });
  await Promise.all(["a", "b", "c"].map((name) => put(made, name, "1")));
  await made.settled();
  const refused = made.logged.filter(({ message }) => message === "request was not accepted");
  expect(refused.map(({ fields }) => fields)).toMatchObject([{ namespace: "default", name: "a" }]);
  expect(made.metrics.of("SendFailures", { controller: "copy" })).toEqual([1]);
  expect(new Set(made.drain())).toEqual(new Set(["reconcile a", "reconcile b", "reconcile c"]));
});

test("B11, B18: a run that asks for itself 20 times is asked for by its timer, never by the worker, and never with a delay", async () => {
  let runs = 0;
  const made = await started(
    reconciling(async () => {
      runs += 1;
      return runs < 20 ? { requeueAfterSeconds: 1 } : undefined;
    }),
  );
  await put(made, "x", "1");
  await made.cluster.clock.advance(20 * 2_300);
  expect(runs).toBe(20);
  expect(made.workerQueue.seen.filter(({ action }) => action.startsWith("Send"))).toEqual([]);
  const sent = made.queue.seen.filter(({ action }) => action.startsWith("Send"));
  expect(sent.length).toBeGreaterThanOrEqual(20);
  expect(sent.filter(({ body }) => body.includes("DelaySeconds"))).toEqual([]);
});

test("B30: a deletion that only a list shows is told, though the predicate throws", async () => {
  let throws = false;
  const predicate = () => {
    if (throws) throw new Error("cannot read what is gone");
    return true;
  };
  const made = await started({}, copies({ owns: [], predicate }));
  await put(made, "x", "1");
  await made.settled();
  throws = true;
  const gone = { kind: "Status", code: 410, reason: "Expired", status: "Failure" };
  const left: Fault[] = [{ kind: "answer", status: 410, body: JSON.stringify(gone) }];
  made.cluster.requests.plan = ({ query }) => (query.get("watch") ? left.shift() : undefined);
  made.cluster.requests.cut();
  await made.cluster.remove("x");
  await made.until(async () => (await made.record("x")).outcome === "gone");
});

test("B33: a source whose list is forbidden is named by the readiness, and found when it is allowed", async () => {
  const made = await started();
  made.cluster.requests.plan = () => ({ kind: "answer", status: 403, body: `{ "code": 403 }` });
  const second = await made.watch();
  await made.cluster.clock.advance(5_000);
  const states = () => second.watcher.health().sources.map(({ state }) => state);
  expect(states()).toEqual(["unavailable", "unavailable"]);
  expect(JSON.stringify(second.watcher.health())).toContain("403 forbidden: cannot list");
  made.cluster.requests.plan = () => undefined;
  await made.cluster.clock.advance(15_000);
  expect(states()).toEqual(["synced", "synced"]);
});

test("B38: an object whose run takes long holds up no other one", async () => {
  const waiting = Promise.withResolvers<void>();
  const made = await started(
    reconciling(async ({ metadata }) => {
      if (metadata.name === "slow") await waiting.promise;
    }),
  );
  await put(made, "slow", "1");
  await made.cluster.clock.advance(500);
  await put(made, "quick", "1");
  await made.cluster.clock.advance(2_000);
  expect(made.drain()).toEqual(["reconcile quick", "reconcile slow"]);
  expect(await made.record("quick")).toMatchObject({ outcome: "success" });
  waiting.resolve();
  await made.settled();
});

test("B39: a run that writes the time each time runs once for each change", async () => {
  const made = await started(
    reconciling((object, apply) =>
      copyTo(apply, object, { time: String(made.cluster.clock.nowMs()) }),
    ),
  );
  await put(made, "x", "1");
  await made.settled();
  await put(made, "x", "2");
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x", "reconcile x"]);
});

function putDeployment({ cluster }: WirePlatform, replicas: number): Promise<unknown> {
  const labels = { app: "x" };
  const object = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "default", name: "x" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "x", image: "x" }] } },
    },
  };
  return cluster.direct.apply(Deployment, object.metadata, object, {
    fieldManager: "test",
    force: true,
  });
}
