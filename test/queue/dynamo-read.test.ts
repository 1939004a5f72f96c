import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { readRecords } from "../../shared/queue/dynamo-read.ts";
import { recordItemKey } from "../../shared/queue/record-key.ts";
import { recordId } from "../../shared/queue/record-store.ts";

interface Keys {
  readonly Keys: readonly { readonly pk: { S: string }; readonly sk: { S: string } }[];
  readonly ConsistentRead?: boolean;
}

let close = async () => {};
afterEach(() => close());

/** A table that answers each call by this, and a clock that runs only while it is slept on. */
async function table(answer: (request: Keys, call: number) => { found: number } | number) {
  const requests: Keys[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const asked = (JSON.parse(text) as { RequestItems: { t: Keys } }).RequestItems.t;
    requests.push(asked);
    const result = answer(asked, requests.length);
    response.setHeader("content-type", "application/x-amz-json-1.0");
    if (typeof result === "number") {
      response.statusCode = result;
      return response.end(JSON.stringify({ __type: "x#ValidationException", message: "no" }));
    }
    const { found } = result;
    const items = asked.Keys.slice(0, found).map((key) => ({ ...key, epoch: { N: "4" } }));
    const left = asked.Keys.slice(found);
    return response.end(
      JSON.stringify({
        Responses: { t: items },
        UnprocessedKeys: left.length > 0 ? { t: { Keys: left } } : {},
      }),
    );
  });
  await listening(server);
  const client = createDynamoClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
  close = async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  let nowMs = 0;
  const clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
  return { requests, clock, table: { client, tableName: "t", clock, random: () => 1 } };
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}

const keys = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    cluster: "c",
    controller: "w",
    namespace: "n",
    name: `o-${index}`,
  }));

test("unprocessed keys are asked for again, alone and strongly consistently", async () => {
  const { table: records, requests } = await table(() => ({ found: 2 }));
  const { records: found, unread } = await readRecords(records, keys(5));
  expect(unread).toEqual([]);
  expect([...found.keys()]).toEqual(keys(5).map(recordId));
  expect([...found.values()][0]).toEqual({ epoch: 4, failures: 0 });
  expect(requests.map(({ Keys }) => Keys.length)).toEqual([5, 3, 1]);
  expect(requests.every(({ ConsistentRead }) => ConsistentRead)).toBe(true);
});

test("keys that stay unprocessed for a second are unread, never absent (Q9)", async () => {
  const { table: records, clock } = await table((_, call) => ({ found: call === 1 ? 1 : 0 }));
  const { records: found, unread } = await readRecords(records, keys(3));
  expect([...found.keys()]).toEqual(keys(1).map(recordId));
  expect(unread).toEqual(keys(3).slice(1));
  expect(clock.monotonicMs()).toBeGreaterThan(500);
  expect(clock.monotonicMs()).toBeLessThanOrEqual(1_000);
});

test("the keys of a call that fails are unread, those of the others are read", async () => {
  const has = ({ Keys }: Keys, sk: string) => Keys.some((key) => key.sk.S === sk);
  const { table: records } = await table((asked) => (has(asked, "n/o-0") ? 400 : { found: 100 }));
  const { records: found, unread } = await readRecords(records, keys(150));
  expect(unread).toEqual(keys(100));
  expect(found.size).toBe(50);
});

test("rejects when nothing at all could be read", async () => {
  const { table: records } = await table(() => 400);
  await expect(readRecords(records, keys(150))).rejects.toThrow("no");
});

test("a key is asked for once, however often it is named", async () => {
  const { table: records, requests } = await table(() => ({ found: 100 }));
  await readRecords(records, [...keys(3), ...keys(3)]);
  expect(requests.map(({ Keys }) => Keys.map((key) => key.sk.S))).toEqual([
    keys(3).map((key) => recordItemKey(key).sk),
  ]);
});
