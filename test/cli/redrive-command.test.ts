import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { redriveLetters } from "../../cli/redrive-letters.ts";
import { OperateStage } from "./operate-stage.ts";

let stage: OperateStage;

beforeEach(async () => {
  stage = await OperateStage.start();
});
afterEach(() => stage?.close());

const key = (name: string) => ({ namespace: "default", name });
const dead = () => stage.queues.website.deadLetterQueueUrl;

test("moves dead letters back as requests of their objects, each with an id of its own", async () => {
  await stage.deadLetter("website", key("a"), "boom");
  await stage.deadLetter("website", key("a"));
  await stage.deadLetter("website", key("b"));
  const answer = await stage.json("redrive", "website");
  const moved = { namespace: "default", error: null };
  expect(answer).toEqual({
    dryRun: false,
    controllers: [
      {
        controller: "website",
        objects: [
          { ...moved, name: "a", letters: 2, error: "boom" },
          { ...moved, name: "b", letters: 1 },
        ],
        refused: [],
        unreadable: [],
        left: 0,
      },
    ],
  });
  const requests = await stage.received(stage.queues.website.queueUrl);
  expect(requests).toEqual([
    expect.objectContaining({ controller: "website", name: "a", reason: "redrive" }),
    expect.objectContaining({ controller: "website", name: "b", reason: "redrive" }),
  ]);
});

test("leaves messages without a readable key, names them and never shows them", async () => {
  await stage.poison(dead(), "password=hunter2");
  await stage.deadLetter("website", key("a"));
  const { code, out } = await stage.run(["redrive", "website"]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^website: 1 objects, 1 messages in the dead-letter queue\n {2}moved 1 of default\/a\n {2}left: message \S+ has no readable key/,
  );
  expect(out).not.toContain("hunter2");
  expect(await stage.visible(dead())).toBe(1);
});

test("a dry run tells the same and moves nothing", async () => {
  await stage.deadLetter("website", key("a"), "boom");
  const { code, out, err } = await stage.run(["redrive", "--dry-run"]);
  // Of what is defined and not deployed it says so.
  expect(err).toMatch(/^(tidegate: passed over: cannot find queue tidegate-local-\S+.fifo.*\n)+$/);
  expect({ code, out }).toEqual({
    code: 0,
    out:
      "config-digest: no dead letters, 0 messages in the dead-letter queue\n" +
      "website: 1 objects, 1 messages in the dead-letter queue\n  would move 1 of default/a: boom\n",
  });
  expect(await stage.visible(dead())).toBe(1);
  expect(await stage.visible(stage.queues.website.queueUrl)).toBe(0);
});

test("moves no more than it may", async () => {
  for (const name of ["a", "b", "c"]) await stage.deadLetter("website", key(name));
  const { out } = await stage.run(["redrive", "website", "--max", "2"]);
  expect(out).toMatch(/^website: 2 objects, 1 messages in the dead-letter queue$/m);
  expect(await stage.visible(dead())).toBe(1);
});

test("an interrupted one has moved what it told, and left the rest", async () => {
  for (const name of ["a", "b"]) await stage.deadLetter("website", key(name));
  const { code } = await stage.run(["redrive", "website"], { stopping: AbortSignal.abort() });
  expect(code).toBe(130);
  expect(await stage.visible(dead())).toBe(2);
});

test("a dead letter stays until the queue has accepted its request", async () => {
  for (const name of ["a", "b"]) await stage.deadLetter("website", key(name), "boom");
  const { refused, objects } = await redriveLetters({
    sqs: stage.sqs,
    deadLetterQueueUrl: dead(),
    sender: { send: async (requests) => requests.map(({ name }) => name === "a") },
    startedAtMs: Date.now(),
    limit: 10,
    signal: new AbortController().signal,
    told: () => {},
  });
  expect(objects.map(({ name }) => name)).toEqual(["a"]);
  expect(refused).toEqual([{ ...key("b"), letters: 1, error: "boom" }]);
  expect(await stage.received(dead())).toEqual([expect.objectContaining({ name: "b" })]);
});

test("a send that fails loses no dead letter", async () => {
  await stage.deadLetter("website", key("a"));
  const send = () => Promise.reject(new Error("cut off"));
  const options = {
    sqs: stage.sqs,
    deadLetterQueueUrl: dead(),
    limit: 10,
    startedAtMs: 0,
    told: () => {},
  };
  const signal = new AbortController().signal;
  await expect(redriveLetters({ ...options, sender: { send }, signal })).rejects.toThrow("cut off");
  expect(await stage.held(dead())).toBe(1);
});

test("moves an object whose run fails again at once no second time", async () => {
  await stage.deadLetter("website", key("a"), "boom");
  const send = async () => {
    await stage.deadLetter("website", key("a"), "boom again");
    return [true];
  };
  const { objects } = await redriveLetters({
    sqs: stage.sqs,
    deadLetterQueueUrl: dead(),
    sender: { send },
    startedAtMs: Date.now(),
    limit: 5,
    signal: new AbortController().signal,
    told: () => {},
  });
  expect(objects).toEqual([{ ...key("a"), letters: 1, error: "boom" }]);
  expect(await stage.visible(dead())).toBe(1);
});

test("shows an error of several lines as one", async () => {
  await stage.deadLetter("website", key("a"), "boom\n\tred");
  const { out } = await stage.run(["redrive", "website", "--dry-run"]);
  expect(out).toMatch(/^ {2}would move 1 of default\/a: boom red$/m);
});

test.each([
  [["redrive", "nope"], 1, /cannot find queue tidegate-local-nope.fifo.*deploy/],
  [["redrive", "--max", "0"], 2, /expected a number above 0/],
])("refuses %j", async (args, expected, text) => {
  const { code, err } = await stage.run(args);
  expect(code).toBe(expected);
  expect(err).toMatch(text);
});
