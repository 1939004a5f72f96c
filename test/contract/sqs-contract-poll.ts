import { ListQueuesCommand, type Message } from "@aws-sdk/client-sqs";
import { expect } from "@jest/globals";
import type { CurrentPeer, Scenario } from "./sqs-contract.ts";
import { TestQueue } from "./sqs-test-queue.ts";

/** Long polling. */
export function pollContract(current: CurrentPeer, test: Scenario): void {
  /** Starts a long poll, and resolves when the server has surely got it. */
  async function startPoll(queue: TestQueue, WaitTimeSeconds: number) {
    const poll: { done: boolean; readonly result: Promise<Message[]> } = {
      done: false,
      result: queue.receive({ WaitTimeSeconds }).finally(() => {
        poll.done = true;
      }),
    };
    for (let round = 0; round < 5; round += 1) {
      await queue.client.send(new ListQueuesCommand({ MaxResults: 1 }));
    }
    expect(poll.done).toBe(false);
    return poll;
  }

  test("a long poll ends with the first message that is sent", async () => {
    const queue = await TestQueue.make(current().client);
    const poll = await startPoll(queue, 20);
    await queue.send("m1");
    expect((await poll.result).map(({ Body }) => Body)).toEqual(["m1"]);
  });

  test("a long poll ends when a message becomes visible again", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("m1");
    await queue.receive({ VisibilityTimeout: 1 });
    const poll = await startPoll(queue, 20);
    await current().advance(1_500);
    expect((await poll.result).map(({ Body }) => Body)).toEqual(["m1"]);
  });

  test("a long poll ends when a visibility timeout of 0 frees a message", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("m1");
    const [message] = await queue.receive();
    const poll = await startPoll(queue, 20);
    await queue.hide(message, 0);
    expect((await poll.result).map(({ Body }) => Body)).toEqual(["m1"]);
  });

  test("a long poll ends when a deletion frees the group", async () => {
    const queue = await TestQueue.make(current().client);
    await queue.send("m1");
    const [first] = await queue.receive();
    await queue.send("m2");
    const poll = await startPoll(queue, 20);
    await queue.delete(first);
    expect((await poll.result).map(({ Body }) => Body)).toEqual(["m2"]);
  });

  test("a long poll without messages lasts its time", async () => {
    const queue = await TestQueue.make(current().client);
    const poll = await startPoll(queue, 2);
    await current().advance(1_000);
    expect(poll.done).toBe(false);
    await current().advance(1_500);
    expect(await poll.result).toEqual([]);
  });
}
