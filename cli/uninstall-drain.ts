import type { Kind } from "../shared/api/object.ts";
import type { Clock } from "../shared/clock.ts";
import type { KubeClient } from "../shared/kube/kube-client.ts";
import { ConflictError } from "../shared/kube/kube-error.ts";
import type { Transport } from "../shared/kube/wire.ts";
import { countText, type ListedObject, objectText } from "./object-list.ts";
import type { Progress } from "./progress.ts";
import { type InstalledKind, objectsOf } from "./uninstall-plan.ts";

export interface Drain {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly progress: Progress;
  /** Lines that stay, other than progress. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Finalizers to take from objects of a kind that are deleted; none where their function does it. */
  readonly strip: (kind: Kind) => readonly string[];
  /** Told once they were taken from an object. */
  readonly stripped: (object: ListedObject, finalizers: readonly string[]) => void;
}

const LOOK_MS = 1_000;
/** Runs that fail come back after 1 s, 2 s, ...: so long nothing may happen before it is told. */
const STILL_MS = 30_000;
const AT_A_TIME = 10;

/**
 * Deletes all objects of the kinds, with background propagation, and waits until they are gone; also
 * those that are made meanwhile. Tells when nothing happens for a while, and why. Rejects once the
 * signal is aborted: what is deleted by then stays so.
 */
export async function drainKinds(drain: Drain, kinds: readonly InstalledKind[]): Promise<void> {
  const { clock, progress, say, signal } = drain;
  let seen = { count: -1, atMs: clock.monotonicMs() };
  let most = 0;
  for (;;) {
    const objects = await objectsOf(drain.transport, kinds, signal);
    if (objects.length === 0) return;
    most = Math.max(most, objects.length);
    progress.tell(`${objects.length} of ${countText(most)} left`);
    await inParallel(objects, (object) => removeObject(drain, object));
    const nowMs = clock.monotonicMs();
    if (objects.length !== seen.count) seen = { count: objects.length, atMs: nowMs };
    else if (nowMs - seen.atMs >= STILL_MS) {
      say(stillText(objects));
      seen = { count: objects.length, atMs: nowMs };
    }
    await clock.sleep(LOOK_MS, signal);
    signal.throwIfAborted();
  }
}

async function inParallel<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
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
  const ours = drain.strip(kind);
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
    if (taken.length > 0) drain.stripped(object, taken);
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

function stillText(objects: readonly ListedObject[]): string {
  const finalizers = new Set(objects.flatMap(({ metadata }) => metadata.finalizers ?? []));
  const [first] = objects;
  const held = first ? ` (${objectText(first)}${objects.length > 1 ? " and others" : ""})` : "";
  return (
    `tidegate: nothing has gone for ${STILL_MS / 1000} s: ${countText(objects.length)} left${held}, held by ` +
    `${[...finalizers].join(", ") || "no finalizer"}; is the watcher running, and the functions? ` +
    '"tidegate status" tells of their runs; Ctrl-C ends the wait, and undoes nothing'
  );
}
