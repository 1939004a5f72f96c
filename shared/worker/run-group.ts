import type { LogFields, Logger } from "../api/log.ts";
import { type AppliedManifest, decodeApplied, encodeApplied } from "../queue/applied.ts";
import { decideEnd } from "../queue/decide-end.ts";
import { fingerprintsOf } from "../queue/fingerprint.ts";
import type { ObjectRecord, RunEnd } from "../queue/record.ts";
import type { StartResult } from "../queue/record-store.ts";
import { SeenBuilder } from "../queue/seen-builder.ts";
import { loggerOf } from "../telemetry/logger-of.ts";
import { acknowledge, type GroupAnswer, type Turn, waitForLock } from "./acknowledge.ts";
import type { Host } from "./batch.ts";
import { guardClient } from "./guarded-client.ts";
import type { MessageGroup } from "./message-groups.ts";
import { ownWritesOf } from "./own-writes.ts";
import { reportRun } from "./report-run.ts";
import { runObject } from "./run-object.ts";
import { resultOf } from "./run-result.ts";
import type { RunScope, Sightings } from "./run-scope.ts";

/**
 * One key from start to acknowledgement. Rejects only where an end is not known to have happened;
 * the messages are then left to their visibility timeout (Q6).
 */
export async function runGroup(host: Host, group: MessageGroup, turn: Turn): Promise<GroupAnswer> {
  const runId = host.newId();
  const log = logOf(host, group, runId);
  let started: StartResult;
  try {
    started = await start(host, group, turn, runId);
  } catch (error) {
    // Q2: without a start there is no run, and the messages are left alone.
    log.error("start not written: not run", { error });
    return { done: [], failed: group.messages };
  }
  if (!started.started) return waitForLock(host, group, turn, started.runUntil);
  return execute(host, group, turn, { record: started.record, log });
}

async function start(
  { store, clock, metrics }: Host,
  { request }: MessageGroup,
  { deadline }: Turn,
  runId: string,
): Promise<StartResult> {
  const { controller, reason, changedAtMs } = request;
  const nowMs = clock.nowMs();
  const { runUntil } = deadline;
  const started = await store.start(request, { runId, nowMs, runUntil, reason });
  if (!started.started) metrics.count("Locked", { controller });
  else if (started.crashed) metrics.count("Crashed", { controller });
  if (started.started && changedAtMs !== undefined) {
    metrics.observe("QueueLagSeconds", Math.max(0, nowMs - changedAtMs) / 1_000, { controller });
  }
  return started;
}

interface Started {
  readonly record: ObjectRecord;
  readonly log: Logger;
}

async function execute(
  host: Host,
  group: MessageGroup,
  turn: Turn,
  started: Started,
): Promise<GroupAnswer> {
  const { clock, metrics, controller, revision, store } = host;
  const startedMs = clock.monotonicMs();
  const run = prepareRun(host, group, turn, started);
  const answer = await runObject(run.scope, host.reconciler);
  run.close();
  const [first] = group.messages;
  const { end, messages } = decideEnd(
    {
      record: started.record,
      result: resultOf(answer),
      object: answer.object && pick(answer.object.metadata),
      receiptHandle: first?.receiptHandle ?? "",
      receives: Number(first?.attributes?.ApproximateReceiveCount ?? 1),
      revision,
      nowMs: clock.nowMs(),
      ...run.notes(),
      maxAttempts: controller.maxAttempts,
      wakesItself: run.scope.ownWrites.any(),
    },
    host.random,
  );
  const ended = await store.end(group.request, end); // Q5
  const seconds = (clock.monotonicMs() - startedMs) / 1_000;
  const { log } = started;
  reportRun({ log, metrics, controller: controller.name }, { answer, end, ended, seconds });
  if (end.heldUntil !== undefined) reportSelfWakes(run.scope, end);
  if (!ended) return { done: [], failed: group.messages };
  return acknowledge(host, group, turn, messages);
}

/** Said once each time a key is slowed further. */
function reportSelfWakes({ log, metrics, controller, ownWrites }: RunScope, end: RunEnd): void {
  metrics.count("SelfWakes", { controller: controller.name });
  log.warn("the object keeps waking itself by its own writes and is slowed", {
    runs: end.selfWakes,
    fields: ownWrites.fields(),
  });
}

function logOf({ log }: Host, { request }: MessageGroup, reconcileID: string): Logger {
  const { controller, namespace, name } = request;
  return withFields(log, { controller, namespace, name, reconcileID });
}

interface Prepared {
  readonly scope: RunScope;
  readonly close: () => void;
  /** What the run has noted for its record. */
  readonly notes: () => { seen: Uint8Array; applied: Uint8Array | undefined };
}

function prepareRun(
  host: Host,
  { request }: MessageGroup,
  { deadline }: Turn,
  { record, log }: Started,
): Prepared {
  const seen = new SeenBuilder(fingerprintsOf(host.controller));
  const noted: AppliedManifest[] = [];
  const { kube, refusalOf, close } = guardClient(host.kube, deadline);
  const scope: RunScope = {
    controller: host.controller,
    permissions: host.permissions,
    cluster: host.cluster,
    key: { namespace: request.namespace, name: request.name },
    kube,
    refusalOf,
    record,
    sightings: sightingsIn(seen),
    ownWrites: ownWritesOf(host.controller),
    applied: { equals: decodeApplied(record.applied), note: (each) => noted.push(each) },
    clock: host.clock,
    signal: deadline.signal,
    checkTime: deadline.check,
    log,
    metrics: host.metrics,
    memory: host.memory,
  };
  return { scope, close, notes: () => ({ seen: seen.encode(), applied: encodeApplied(noted) }) };
}

function sightingsIn(seen: SeenBuilder): Sightings {
  return {
    read: (object) => seen.read(object, object),
    wrote: (before, after) =>
      seen.wrote({ kind: after, after, before: before.metadata.resourceVersion }),
    created: (object) => seen.wrote({ kind: object, after: object, created: true }),
    touched: (kind, { key, uid }) =>
      seen.touched(kind, { ...key, ...(uid === undefined ? {} : { uid }) }),
  };
}

function pick({ uid, generation }: { uid: string; generation?: number }) {
  return generation === undefined ? { uid } : { uid, generation };
}

function withFields(log: Logger, fields: LogFields): Logger {
  return loggerOf((level, message, more) => log[level](message, { ...fields, ...more }));
}
