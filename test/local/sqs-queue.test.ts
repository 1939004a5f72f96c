import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { SqsMessage } from "../../local/sqs-message.ts";
import { SqsQueue } from "../../local/sqs-queue.ts";

type Step =
  | { readonly do: "add"; readonly group: number; readonly delayMs: number }
  | { readonly do: "take"; readonly max: number; readonly hideMs: number }
  | { readonly do: "hide"; readonly pick: number; readonly hideMs: number }
  | { readonly do: "remove"; readonly pick: number }
  | { readonly do: "pass"; readonly ms: number };

const short = fc.integer({ min: 0, max: 5 });
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ do: fc.constant("add" as const), group: fc.nat(3), delayMs: short }),
    fc.record({
      do: fc.constant("take" as const),
      max: fc.integer({ min: 1, max: 4 }),
      hideMs: short,
    }),
    fc.record({ do: fc.constant("hide" as const), pick: fc.nat(20), hideMs: short }),
    fc.record({ do: fc.constant("remove" as const), pick: fc.nat(20) }),
    fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: -2, max: 6 }) }),
  ),
  { maxLength: 60 },
);

test.each(["q.fifo", "q"])("%s delivers what a plain search through all messages finds", (name) => {
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new SqsQueue(name, {}, 0);
      let nowMs = 100;
      for (const [index, step] of all.entries()) {
        if (step.do === "pass") nowMs += step.ms;
        else run(queue, step, { nowMs, seq: index + 1 });
        expect(queue.deliverable(nowMs, 3)).toEqual(search(queue, nowMs, 3));
        expect(queue.deliverable(nowMs, 99)).toEqual(search(queue, nowMs, 99));
        expect(queue.nextVisibleMs() ?? 0).toBe(nextVisible(queue, nowMs));
      }
    }),
    { numRuns: 500 },
  );
});

test("a queue made of the steps of another one delivers the same", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new SqsQueue("q.fifo", {}, 0);
      let nowMs = 100;
      for (const [index, step] of all.entries()) {
        if (step.do === "pass") nowMs += step.ms;
        else run(queue, step, { nowMs, seq: index + 1 });
      }
      const copy = new SqsQueue("q.fifo", {}, 0);
      for (const step of queue.steps(nowMs)) copy.apply(JSON.parse(JSON.stringify(step)));
      expect(copy.deliverable(nowMs + 3, 99)).toEqual(queue.deliverable(nowMs + 3, 99));
      expect(copy.size).toBe(queue.size);
    }),
    { numRuns: 200 },
  );
});

function run(
  queue: SqsQueue,
  step: Exclude<Step, { do: "pass" }>,
  { nowMs, seq }: { nowMs: number; seq: number },
): void {
  if (step.do === "add") {
    const groupId = `g${step.group}`;
    const visibleAtMs = nowMs + step.delayMs;
    const message = { id: `${seq}`, body: "b", groupId, seq, sentAtMs: nowMs, visibleAtMs };
    queue.apply({ op: "add", message: { ...message, receiveCount: 0 } });
  } else if (step.do === "take") {
    for (const { seq } of queue.deliverable(nowMs, step.max)) {
      const visibleAtMs = nowMs + step.hideMs;
      queue.apply({ op: "take", seq, receipt: `r${seq}`, atMs: nowMs, visibleAtMs });
    }
  } else {
    const message = [...queue.messages()].at(step.pick);
    if (!message) return;
    if (step.do === "remove") queue.apply({ op: "remove", seqs: [message.seq] });
    else queue.apply({ op: "hide", seq: message.seq, visibleAtMs: nowMs + step.hideMs });
  }
}

/** The rules S1 to S3, word for word. */
function search(queue: SqsQueue, nowMs: number, max: number): SqsMessage[] {
  const groups = Map.groupBy(queue.messages(), ({ seq, groupId }) =>
    queue.fifo ? groupId : String(seq),
  );
  const prefixes = [...groups.values()].map((messages) => {
    const hidden = messages.findIndex(({ visibleAtMs }) => visibleAtMs > nowMs);
    return hidden < 0 ? messages : messages.slice(0, hidden);
  });
  return prefixes
    .filter((prefix) => prefix.length > 0)
    .sort((a, b) => (a[0]?.seq ?? 0) - (b[0]?.seq ?? 0))
    .flat()
    .slice(0, max);
}

/** When the first of the locked groups is free, or 0. */
function nextVisible(queue: SqsQueue, nowMs: number): number {
  const heads = new Map<string | undefined, number>();
  for (const { seq, groupId, visibleAtMs } of queue.messages()) {
    const key = queue.fifo ? groupId : String(seq);
    if (!heads.has(key)) heads.set(key, visibleAtMs);
  }
  const later = [...heads.values()].filter((atMs) => atMs > nowMs);
  return later.length > 0 ? Math.min(...later) : 0;
}
