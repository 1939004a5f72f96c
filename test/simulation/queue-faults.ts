import { type ActKind, actKind } from "./act.ts";
import { CONTROLLERS } from "./controllers.ts";

const NAMES = CONTROLLERS.map(({ name }) => name);

const SENDS = ["SendMessageBatch", "ChangeMessageVisibilityBatch", "DeleteMessageBatch"] as const;
const CALLS = [...SENDS, "ChangeMessageVisibility", "ReceiveMessage"] as const;

/** What befalls messages on their way, and calls to the queues. */
export const QUEUE_FAULTS: readonly ActKind[] = [
  actKind({
    name: "late delivery",
    weight: 3,
    draw: (draws) => ({
      controller: draws.pick(NAMES),
      times: draws.between(1, 3),
      lateMs: draws.pick([500, 5_000, 55_000, 90_000]),
    }),
    play: ({ platform }, { controller, ...delivery }) =>
      platform.deliveries.add(controller, delivery),
  }),
  actKind({
    name: "duplicate delivery",
    weight: 4,
    draw: (draws) => ({
      controller: draws.pick(NAMES),
      times: draws.between(1, 3),
      againMs: draws.pick([0, 20, 300, 5_000, 40_000, 200_000]),
    }),
    play: ({ platform }, { controller, ...delivery }) =>
      platform.deliveries.add(controller, delivery),
  }),
  actKind({
    name: "reordered delivery",
    weight: 2,
    draw: (draws) => ({ controller: draws.pick(NAMES), times: draws.between(1, 5) }),
    play: ({ platform }, { controller, times }) =>
      platform.deliveries.add(controller, { times, reordered: true }),
  }),
  actKind({
    name: "queue throttled",
    weight: 3,
    draw: (draws) => ({ action: draws.pick(CALLS), times: draws.between(1, 8) }),
    play: ({ platform }, { action, times }) =>
      platform.sqs.inject({ action, times, error: "RequestThrottled" }),
  }),
  actKind({
    name: "batch partly failed",
    weight: 3,
    draw: (draws) => ({
      action: draws.pick(SENDS),
      times: draws.between(1, 4),
      which: draws.between(1, 1_023),
    }),
    play: ({ platform }, { action, times, which }) => {
      const failEntries = (index: number) => ((which >> index) & 1) === 1;
      platform.sqs.inject({ action, times, failEntries });
    },
  }),
  actKind({
    name: "queue's answer lost",
    weight: 3,
    draw: (draws) => ({ action: draws.pick(SENDS) }),
    play: ({ platform }, { action }) => platform.sqs.inject({ action, loseAnswer: true }),
  }),
  actKind({
    name: "queue slow",
    weight: 2,
    draw: (draws) => ({ action: draws.pick(SENDS), delayMs: draws.pick([200, 2_000, 8_000]) }),
    play: ({ platform }, { action, delayMs }) => platform.sqs.inject({ action, delayMs }),
  }),
];
