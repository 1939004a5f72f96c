import { expect, test } from "@jest/globals";
import { type BatchCall, inBatches } from "../../shared/queue/sqs-batch.ts";

interface Answer {
  readonly entry: string;
  readonly SenderFault: boolean;
  readonly Code: string;
}

/** A service that answers each call with the next of these, and remembers what it was asked. */
function scripted(...answers: readonly (readonly Answer[] | Error)[]) {
  const calls: (readonly string[])[] = [];
  const refused: string[] = [];
  const waitsMs: number[] = [];
  const batch: BatchCall<string> = {
    call: async (entries) => {
      const answer = answers[calls.length] ?? [];
      calls.push(entries.map(({ entry }) => entry));
      if (answer instanceof Error) throw answer;
      return answer.map(({ entry, ...error }) => ({
        Id: entries.find((each) => each.entry === entry)?.Id ?? "",
        ...error,
      }));
    },
    refused: (entry, { code }) => refused.push(`${entry} ${code}`),
    clock: {
      sleep: async (ms) => {
        waitsMs.push(ms);
      },
    },
    random: () => 1,
  };
  return { batch, calls, refused, waitsMs };
}

test("an entry that is bad for good is not repeated and holds up no other (B10)", async () => {
  const { batch, calls, refused } = scripted(
    [
      { entry: "bad", SenderFault: true, Code: "InvalidParameterValue" },
      { entry: "slow", SenderFault: false, Code: "InternalError" },
    ],
    [],
  );
  expect(await inBatches(["good", "bad", "slow"], batch)).toEqual([true, false, true]);
  expect(calls).toEqual([["good", "bad", "slow"], ["slow"]]);
  expect(refused).toEqual(["bad InvalidParameterValue"]);
});

test("a throttled entry is repeated, whoever is said to be at fault", async () => {
  const { batch, calls } = scripted([{ entry: "a", SenderFault: true, Code: "RequestThrottled" }]);
  expect(await inBatches(["a", "b"], batch)).toEqual([true, true]);
  expect(calls).toEqual([["a", "b"], ["a"]]);
});

test("a call that fails as a whole is repeated, at most 4 times, with doubling pauses", async () => {
  const failing = () => Object.assign(new Error("away"), { name: "TimeoutError" });
  const { batch, calls, refused, waitsMs } = scripted(failing(), failing(), failing(), failing());
  expect(await inBatches(["a"], batch)).toEqual([false]);
  expect(calls).toHaveLength(4);
  expect(waitsMs).toEqual([100, 200, 400]);
  expect(refused).toEqual(["a TimeoutError"]);
});

test("entries go in calls of at most 10, and answers stay in their order", async () => {
  const { batch, calls } = scripted([
    { entry: "3", SenderFault: true, Code: "InvalidParameterValue" },
  ]);
  const entries = Array.from({ length: 25 }, (_, index) => String(index));
  expect(await inBatches(entries, batch)).toEqual(entries.map((entry) => entry !== "3"));
  expect(calls.map((call) => call.length)).toEqual([10, 10, 5]);
});
