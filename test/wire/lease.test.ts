// Two watchers and the table that holds their lease, each on a real connection of its own, with faults on
// them. The numbers are those of the design's list of reports.
import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, expect, jest, test } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { createDynamoLeaseStore } from "../../shared/lease/dynamo-lease-store.ts";
import { LEASE_TIMES } from "../../shared/lease/lease-times.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import type { Exchange, Fault } from "../support/fault-proxy.ts";
import { WirePlatform, type WireReplica, type WireWatcher } from "../support/wire-platform.ts";

jest.setTimeout(60_000);

let platform: WirePlatform | undefined;

afterEach(async () => {
  await platform?.close();
  platform = undefined;
});

const controller = defineController({
  name: "copy",
  for: ConfigMap,
  labels: { app: "copy" },
  timeoutSeconds: 10,
}) as unknown as Controller;

/** Two replicas, of which the first one leads. */
async function replicas(
  leader?: WireReplica,
  standby?: WireReplica,
): Promise<{
  readonly made: WirePlatform;
  readonly first: WireWatcher;
  readonly second: WireWatcher;
}> {
  platform = await WirePlatform.start(controller, {});
  const first = await platform.watch(leader);
  await platform.cluster.clock.advance(2_000);
  const second = await platform.watch(standby);
  await platform.cluster.clock.advance(3_000);
  expect(platform.leading).toEqual([1]);
  return { made: platform, first, second };
}

/** Lets time pass; resolves to who led, second by second, without repetitions: "1", "none", "2". */
async function ledIn(made: WirePlatform, seconds: number): Promise<readonly string[]> {
  const led: string[] = [];
  for (let passed = 0; passed < seconds; passed += 1) {
    await made.cluster.clock.advance(1_000);
    const now = made.leading.join("+") || "none";
    if (led.at(-1) !== now) led.push(now);
  }
  return led;
}

const put = (made: WirePlatform, name: string) => made.cluster.apply(name, "1", { app: "copy" });

/** Calls for the lease item. */
const ofLease = ({ action, body }: Exchange) =>
  /^(Get|Put)Item$/.test(action) && body.includes("lease#");

const faults: Record<string, Fault> = {
  "answers 500": { kind: "answer", status: 500 },
  "answers 503": { kind: "answer", status: 503 },
  throttles: {
    kind: "answer",
    status: 400,
    headers: { "x-amzn-errortype": "ProvisionedThroughputExceededException" },
    body: `{ "__type": "ProvisionedThroughputExceededException" }`,
  },
  "resets connections": { kind: "reset" },
  "takes requests and says nothing": { kind: "silence" },
};

test.each(Object.keys(faults))(
  "B20: a leader whose table %s stops at its deadline, before the other one begins, and sends nothing more",
  async (how) => {
    const { made, first } = await replicas();
    const fault = faults[how] as Fault;
    first.table.plan = (exchange) => (ofLease(exchange) ? fault : undefined);
    expect(await ledIn(made, 20)).toEqual(["1", "none", "2"]);
    expect(first.exits).toEqual([]);
    await put(made, "x");
    await made.settled();
    expect(made.queue.of("SendMessageBatch")).toHaveLength(1);
    expect(made.drain()).toEqual(["reconcile x"]);
  },
);

test("B20: a leader whose renewals are carried out and never answered keeps the lease, for the next read tells", async () => {
  const { made, first } = await replicas();
  let calls = 0;
  first.table.plan = (exchange) => {
    if (exchange.action !== "PutItem") return undefined;
    calls += 1;
    return calls % 2 === 1 ? { kind: "lose" } : undefined;
  };
  expect(await ledIn(made, 30)).toEqual(["1"]);
  expect(calls).toBeGreaterThan(10);
});

test("B20: a table that is throttled for less than the deadline costs nobody the lease", async () => {
  const { made, first } = await replicas();
  first.table.plan = () => faults.throttles;
  // Well below: the SDK waits out throttles in real time, of which a busy machine takes more.
  expect(await ledIn(made, 3)).toEqual(["1"]);
  first.table.plan = () => undefined;
  await put(made, "x");
  expect(await ledIn(made, 30)).toEqual(["1"]);
  expect(made.drain()).toEqual(["reconcile x"]);
});

test("B20: a leader whose sends hang ends its term in time all the same, and needs not exit", async () => {
  const { made, first } = await replicas();
  made.queue.plan = () => ({ kind: "silence" });
  await put(made, "x");
  await made.cluster.clock.advance(1_000);
  expect(made.queue.of("SendMessageBatch")).toHaveLength(1);
  first.table.plan = () => ({ kind: "silence" });
  const led = ledIn(made, 20);
  made.queue.plan = () => undefined; // The call that hangs does so for ever.
  expect(await led).toEqual(["1", "none", "2"]);
  expect(first.exits).toEqual([]);
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x"]);
});

test("B20: a leader that cannot renew, and whose work does not end, exits before another one leads", async () => {
  const ending = Promise.withResolvers<void>();
  const { made, first } = await replicas({ ending: ending.promise });
  const { clock } = made.cluster;
  first.table.plan = (exchange) => (ofLease(exchange) ? { kind: "silence" } : undefined);
  const fromMs = clock.monotonicMs();
  await made.until(() => made.leading.includes(2), 20_000);
  const [exitMs = Number.POSITIVE_INFINITY, ...more] = first.exits;
  expect(more).toEqual([]);
  expect(exitMs - fromMs).toBeGreaterThan(LEASE_TIMES.renewDeadlineMs);
  expect(exitMs).toBeLessThanOrEqual(clock.monotonicMs()); // Both at the lease's very end.
  await put(made, "x");
  await made.settled();
  expect(made.queue.of("SendMessageBatch")).toHaveLength(1);
  ending.resolve();
});

test("B21: a lease item that is deleted by hand leads to one leader, and nobody sends twice", async () => {
  const { made, first } = await replicas();
  const client = table(first);
  const key = { pk: { S: "lease#main" }, sk: { S: "lease" } };
  await client.send(new DeleteItemCommand({ TableName: "tidegate", Key: key }));
  const led = await ledIn(made, 25);
  expect(led.filter((who) => who.includes("+"))).toEqual([]);
  expect(made.leading).toHaveLength(1);
  await put(made, "x");
  await made.settled();
  expect(made.queue.of("SendMessageBatch")).toHaveLength(1);
  client.destroy();
});

test("B21: a lease that another one has taken by hand ends the term; then it begins with what changed meanwhile", async () => {
  const { made, first, second } = await replicas();
  await second.stop();
  const client = table(first);
  const store = createDynamoLeaseStore({ client, tableName: "tidegate", cluster: "main" });
  for (let taken = false; !taken; ) {
    const held = await store.read();
    taken = await store.write(
      { ...(held as NonNullable<typeof held>), holder: "other", version: "x", term: 9 },
      held?.version,
    );
  }
  expect((await ledIn(made, 5)).at(-1)).toBe("none");
  await put(made, "x");
  await made.cluster.clock.advance(3_000);
  expect(made.queue.of("SendMessageBatch")).toEqual([]);
  expect((await ledIn(made, 20)).at(-1)).toBe("1");
  await made.settled();
  expect(made.drain()).toEqual(["reconcile x"]);
  client.destroy();
});

test("B22: what a leader asked for before it lost the lease, and gets after it, is not sent", async () => {
  const { made, first } = await replicas();
  const released = Promise.withResolvers<void>();
  first.table.plan = (exchange) => {
    if (ofLease(exchange)) return { kind: "silence" };
    if (exchange.action === "BatchGetItem") return { kind: "delay", until: released.promise };
    return undefined;
  };
  await put(made, "x");
  expect(await ledIn(made, 20)).toEqual(["1", "none", "2"]);
  const sent = made.queue.of("SendMessageBatch").length;
  released.resolve();
  await made.cluster.clock.advance(3_000);
  expect(made.queue.of("SendMessageBatch")).toHaveLength(sent);
  expect(made.drain()).toEqual(["reconcile x"]);
});

test("B19: a wall clock that is set does not take or lose a lease by itself", async () => {
  const { made } = await replicas();
  made.cluster.clock.step(-3_600_000);
  expect(await ledIn(made, 30)).toEqual(["1"]);
});

test.each([600_000, -600_000])(
  "B19: a standby whose wall clock is off by %i ms takes no lease that is renewed, and a dead one's after its duration",
  async (offsetMs) => {
    const { made, first } = await replicas({}, { offsetMs });
    expect(await ledIn(made, 30)).toEqual(["1"]);
    first.table.plan = (exchange) => (ofLease(exchange) ? { kind: "silence" } : undefined);
    const fromMs = made.cluster.clock.monotonicMs();
    await made.until(() => made.leading.includes(2), 30_000);
    const tookMs = made.cluster.clock.monotonicMs() - fromMs;
    const { durationMs, retryPeriodMs } = LEASE_TIMES;
    expect(tookMs).toBeGreaterThan(durationMs - 2 * retryPeriodMs);
    expect(tookMs).toBeLessThanOrEqual(durationMs + retryPeriodMs);
  },
);

test("B23: a lease item with a TTL in the past is as good as one without", async () => {
  const { made, first } = await replicas();
  const client = table(first);
  await client.send(
    new UpdateItemCommand({
      TableName: "tidegate",
      Key: { pk: { S: "lease#main" }, sk: { S: "lease" } },
      UpdateExpression: "SET expiresAt = :past",
      ExpressionAttributeValues: { ":past": { N: "1" } },
    }),
  );
  expect(await ledIn(made, 20)).toEqual(["1"]);
  client.destroy();
});

test("B24: of 50 conditional creates at once, each sent twice, one succeeds or none is told so", async () => {
  const { first } = await replicas();
  const client = table(first);
  first.table.plan = ({ action }) => (action === "PutItem" ? { kind: "twice" } : undefined);
  const create = (index: number) =>
    client
      .send(
        new PutItemCommand({
          TableName: "tidegate",
          Item: { pk: { S: "lease#other" }, sk: { S: "lease" }, holder: { S: String(index) } },
          ConditionExpression: "attribute_not_exists(pk)",
        }),
      )
      .then(
        () => "written",
        (error: Error) => error.name,
      );
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => create(index)));
  // Whoever wrote first is told by its repetition that somebody did; the next read tells who (L4).
  expect(new Set(answers)).toEqual(new Set(["ConditionalCheckFailedException"]));
  client.destroy();
});

function table(watcher: WireWatcher) {
  return createDynamoClient({
    endpoint: watcher.table.url,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
}
