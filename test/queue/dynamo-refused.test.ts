import { afterEach, expect, test } from "@jest/globals";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { SHARD_COUNT } from "../../shared/queue/record-key.ts";
import { newKey, runEnd, runStart } from "../contract/record-store-contract.ts";
import { scriptedDynamoDb } from "./scripted-dynamodb.ts";

const { nowMs } = runStart();
let close = async () => {};
afterEach(() => close());

/** A store whose writes are refused, as AWS does it: with the item that refused them, if there is one. */
async function refusing(...items: readonly (object | undefined)[]) {
  const actions: string[] = [];
  const service = await scriptedDynamoDb((action) => {
    actions.push(action);
    if (action === "GetItem") return { status: 200, body: {} };
    const Item = items[actions.length - 1];
    const body = { __type: "x#ConditionalCheckFailedException", message: "refused" };
    return { status: 400, body: Item ? { ...body, Item } : body };
  });
  close = service.close;
  return { store: createDynamoRecordStore(service.table), actions };
}

const item = (runId: string, runUntil: number) => ({
  epoch: { N: "4" },
  failures: { N: "2" },
  runId: { S: runId },
  runUntil: { N: String(runUntil) },
});

test("a locked start is told from the item in the refusal, without another read", async () => {
  const { store, actions } = await refusing(item("other", nowMs + 9_000));
  expect(await store.start(newKey(), runStart())).toEqual({
    started: false,
    runUntil: nowMs + 9_000,
  });
  expect(actions).toEqual(["UpdateItem"]);
});

test("a start that finds its own lock in the refusal has started", async () => {
  const { store, actions } = await refusing(item("run-1", nowMs + 9_000));
  expect(await store.start(newKey(), runStart())).toEqual({
    started: true,
    crashed: false,
    record: { epoch: 4, failures: 2, runId: "run-1", runUntil: nowMs + 9_000 },
  });
  expect(actions).toEqual(["UpdateItem"]);
});

test("a start whose lock is always released before it can be looked at gives up, unstarted", async () => {
  const { store, actions } = await refusing();
  expect(await store.start(newKey(), runStart())).toEqual({ started: false, runUntil: nowMs });
  expect(actions.filter((action) => action === "UpdateItem")).toHaveLength(3);
});

test("an end is told from the item in the refusal whether it was its own or came too late", async () => {
  const { runId: _r, runUntil: _u, ...free } = item("run-1", 0);
  const { store, actions } = await refusing(free, item("other", nowMs));
  expect(await store.end(newKey(), runEnd({ epoch: 4 }))).toBe(true);
  expect(await store.end(newKey(), runEnd({ epoch: 3 }))).toBe(false);
  expect(actions).toEqual(["UpdateItem", "UpdateItem"]);
});

test("what a refusal does not show, and a list, are read strongly consistently", async () => {
  const reads: unknown[] = [];
  const service = await scriptedDynamoDb((action, input) => {
    if (action !== "UpdateItem") reads.push((input as { ConsistentRead?: true }).ConsistentRead);
    const refused = { __type: "x#ConditionalCheckFailedException", message: "refused" };
    return action === "UpdateItem" ? { status: 400, body: refused } : { status: 200, body: {} };
  });
  close = service.close;
  const store = createDynamoRecordStore(service.table);
  expect(await store.end(newKey(), runEnd())).toBe(false);
  for await (const _ of store.list(newKey())) throw new Error("the table is empty");
  expect(new Set(reads)).toEqual(new Set([true]));
  expect(reads).toHaveLength(1 + SHARD_COUNT);
});
