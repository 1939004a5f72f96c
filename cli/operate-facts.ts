import type { Controller } from "../shared/api/controller.ts";
import type { KubernetesObject } from "../shared/api/object.ts";
import { createKubeClient } from "../shared/kube/create-kube-client.ts";
import type { ObjectRecord } from "../shared/queue/record.ts";
import { recordId } from "../shared/queue/record-store.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import type { RunState } from "./operate-pause.ts";
import type { Place } from "./operate-place.ts";
import { type QueueCounts, queueCounts, queueUrls } from "./operate-queues.ts";

/** What was found out, or why it could not be. */
export type Fact<T> = { readonly value: T } | { readonly unknown: string };

/** What is known of one object as one controller sees it. */
export interface ObjectFacts {
  readonly controller: Controller;
  readonly key: RequestKey;
  /** By the clock that wrote the record. */
  readonly nowMs: number;
  /** Undefined: no run was ever started. */
  readonly record: ObjectRecord | undefined;
  /** Undefined: it is not in the cluster. */
  readonly object: Fact<KubernetesObject | undefined>;
  /** Of the code that is deployed; undefined: none ever was. */
  readonly revision: string | undefined;
  readonly runState: Fact<RunState>;
  readonly queue: Fact<QueueCounts>;
}

/** Gathers the facts of one object. Rejects where the table cannot be read, for all else is read by it. */
export async function gatherFacts(
  place: Place,
  controller: Controller,
  key: RequestKey,
): Promise<ObjectFacts> {
  const [record, revisions, object, runState, queue] = await Promise.all([
    readRecord(place, key),
    place.store.revisions(key.cluster),
    learn(readObject(place, controller, key)),
    learn(place.pauses.state(key.controller)),
    learn(countsOf(place, key)),
  ]);
  const revision = revisions.get(key.controller);
  return {
    controller,
    key,
    nowMs: place.clock.nowMs(),
    record,
    object,
    revision,
    runState,
    queue,
  };
}

/** What a promise resolves to, or the text of its error. */
export async function learn<T>(asked: Promise<T>): Promise<Fact<T>> {
  try {
    return { value: await asked };
  } catch (error) {
    return { unknown: textOf(error) };
  }
}

/** The value of a fact; undefined where it is not known. */
export function known<T>(fact: Fact<T>): T | undefined {
  return "value" in fact ? fact.value : undefined;
}

/** The text of an error for people. Some of the system's have a code and no message. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || error.name;
}

async function readRecord(place: Place, key: RequestKey): Promise<ObjectRecord | undefined> {
  const { records, unread } = await place.store.read([key]);
  if (unread.length > 0) {
    throw new Error(
      `cannot read the record of ${key.controller} ${key.namespace}/${key.name}: expected the table to answer, got throttled; try again`,
    );
  }
  return records.get(recordId(key));
}

async function readObject(
  place: Place,
  controller: Controller,
  { namespace, name }: RequestKey,
): Promise<KubernetesObject | undefined> {
  const client = createKubeClient(await place.kube());
  return client.get(controller.for, { namespace, name });
}

async function countsOf({ sqs }: Place, key: RequestKey): Promise<QueueCounts> {
  return queueCounts(sqs, (await queueUrls(sqs, key)).queueUrl);
}
