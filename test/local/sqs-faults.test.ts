import { expect, test } from "@jest/globals";
import { CoreQueue } from "./sqs-fixtures.ts";

test("an injected error befalls as many calls as told, of its action only", async () => {
  const queue = await CoreQueue.make();
  queue.core.inject({ action: "SendMessage", error: "RequestThrottled", times: 2 });
  expect(await queue.bodies()).toEqual([]);
  for (let n = 0; n < 2; n += 1) {
    await expect(queue.send("m")).rejects.toMatchObject({ code: "RequestThrottled", status: 403 });
  }
  await queue.send("m1");
  expect(await queue.bodies()).toEqual(["m1"]);
});

test("an injected fault for one queue leaves the others alone", async () => {
  const queue = await CoreQueue.make();
  const other = await CoreQueue.make(
    {},
    { core: queue.core, clock: queue.clock, name: "other.fifo" },
  );
  queue.core.inject({ action: "*", queue: "q.fifo", error: "InternalFailure" });
  await other.send("m1");
  await expect(queue.send("m1")).rejects.toMatchObject({ code: "InternalFailure" });
});

test("an injected partial failure answers entries in Failed and does not carry them out", async () => {
  const queue = await CoreQueue.make();
  const Entries = ["a", "b", "c"].map((id) => ({
    Id: id,
    MessageBody: id,
    MessageGroupId: id,
    MessageDeduplicationId: id,
  }));
  queue.core.inject({ action: "SendMessageBatch", failEntries: (index) => index === 1 });
  expect(await queue.call("SendMessageBatch", { Entries })).toMatchObject({
    Successful: [{ Id: "a" }, { Id: "c" }],
    Failed: [{ Id: "b", Code: "InternalError", SenderFault: false }],
  });
  expect(await queue.bodies()).toEqual(["a", "c"]);
});

test("a lost answer leaves the call done", async () => {
  const queue = await CoreQueue.make();
  queue.core.inject({ action: "SendMessage", loseAnswer: true });
  await expect(queue.send("m1")).rejects.toMatchObject({ code: "InternalFailure" });
  expect(await queue.bodies()).toEqual(["m1"]);
});

test("a delayed call is carried out after the delay", async () => {
  const queue = await CoreQueue.make();
  queue.core.inject({ action: "SendMessage", delayMs: 5_000 });
  const sent = queue.send("m1");
  await queue.clock.advance(4_999);
  expect(await queue.bodies()).toEqual([]);
  await queue.clock.advance(1);
  await sent;
  expect(await queue.bodies()).toEqual(["m1"]);
});
