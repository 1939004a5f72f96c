import type { Kind } from "../api/object.ts";
import type { Clock } from "../clock.ts";
import type { KubeClient } from "../kube/kube-client.ts";
import { ConflictError } from "../kube/kube-error.ts";
import type { ListedObject } from "./object-list.ts";

/** With what finalizers are taken off. */
export interface FinalizerWork {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  /** Told once they were taken from an object. */
  readonly stripped: (object: ListedObject, finalizers: readonly string[]) => void;
}

export interface Drain extends FinalizerWork {
  readonly clock: Clock;
  /** What is still there of what is to go. */
  readonly left: () => Promise<readonly ListedObject[]>;
  /** Finalizers to take from objects of a kind that are deleted; none where their function does it. */
  readonly strip: (kind: Kind) => readonly string[];
  /** Told at each look. */
  readonly tell: (left: readonly ListedObject[]) => void;
  /** Told when nothing has gone for `STILL_MS`, and again after as long. */
  readonly still: (left: readonly ListedObject[]) => void;
}

const LOOK_MS = 1_000;
/** Runs that fail come back after 1 s, 2 s, ...: so long nothing may happen before it is told. */
export const STILL_MS = 30_000;
const AT_A_TIME = 10;

/**
 * Deletes objects, with background propagation, and waits until they are gone; also those that are
 * made meanwhile. Tells when nothing happens for a while. Rejects once the signal is aborted: what is
 * deleted by then stays so.
 */
export async function drained(drain: Drain): Promise<void> {
  const { clock, signal } = drain;
  let seen = { count: -1, atMs: clock.monotonicMs() };
  for (;;) {
    const objects = await drain.left();
    if (objects.length === 0) return;
    drain.tell(objects);
    await inParallel(objects, (object) => removeObject(drain, object));
    const nowMs = clock.monotonicMs();
    if (objects.length !== seen.count) seen = { count: objects.length, atMs: nowMs };
    else if (nowMs - seen.atMs >= STILL_MS) {
      drain.still(objects);
      seen = { count: objects.length, atMs: nowMs };
    }
    await clock.sleep(LOOK_MS, signal);
    signal.throwIfAborted();
  }
}

/** Runs `act` for all, ten at a time. */
export async function inParallel<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

/** Deletes it first: an object that is being deleted takes no finalizer any more. */
async function removeObject(drain: Drain, object: ListedObject): Promise<void> {
  const { client, signal } = drain;
  const { kind, key, metadata } = object;
  const { uid } = metadata;
  if (metadata.deletionTimestamp === undefined) {
    await unlessChanged(() => client.delete(kind, key, { propagation: "Background", uid, signal }));
  }
  await takeFinalizers(drain, object, drain.strip(kind));
}

/** Takes these finalizers off an object, and no others. One that was changed meanwhile is left as it is. */
export async function takeFinalizers(
  { client, signal, stripped }: FinalizerWork,
  object: ListedObject,
  ours: readonly string[],
): Promise<void> {
  const { kind, key, metadata } = object;
  const { uid } = metadata;
  if (!metadata.finalizers?.some((each) => ours.includes(each))) return;
  await unlessChanged(async () => {
    // Read anew: since the list, somebody may have put one of theirs beside it.
    const now = await client.get(kind, key, { signal });
    if (now?.metadata.uid !== uid) return;
    const { resourceVersion, finalizers: all = [] } = now.metadata;
    const finalizers = all.filter((each) => !ours.includes(each));
    const patch = { metadata: { uid, resourceVersion, finalizers } };
    await client.patch(kind, key, { type: "merge", patch }, { fieldManager: "tidegate", signal });
    const taken = all.filter((each) => ours.includes(each));
    if (taken.length > 0) stripped(object, taken);
  });
}

/** What somebody changed meanwhile is seen anew a second later. */
async function unlessChanged(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { status } = error as { readonly status?: number };
    if (!(error instanceof ConflictError) && status !== 404) throw error;
  }
}
