import { systemClock } from "../../shared/clock.ts";
import type { CrashObjects } from "./crash-objects.ts";

const PAUSE_MS = { least: 1_000, most: 6_000 };
/** After a request that the server did not take. */
const RETRY_MS = 500;

/** Of the deeds at an object that is there; the rest changes it. */
const DELETES = 0.2;
const DELETES_CHILD = 0.15;

export interface Loaded {
  readonly creations: number;
  readonly changes: number;
  readonly deletions: number;
  readonly childDeletions: number;
}

/** Creates, changes and deletes one object after the other state, until the signal is aborted. */
export async function loadOne(
  objects: CrashObjects,
  name: string,
  { random, signal }: { readonly random: () => number; readonly signal: AbortSignal },
): Promise<Loaded> {
  const done = { creations: 0, changes: 0, deletions: 0, childDeletions: 0 };
  let there = false;
  for (let step = 1; ; step += 1) {
    const { least, most } = PAUSE_MS;
    await systemClock.sleep(least + random() * (most - least), signal);
    const drawn = random();
    if (signal.aborted) return done;
    if (there && drawn < DELETES) {
      there = false;
      await untilTaken(() => objects.delete(name));
      done.deletions += 1;
    } else if (there && drawn < DELETES + DELETES_CHILD) {
      await untilTaken(() => objects.delete(`${name}.copy`));
      done.childDeletions += 1;
    } else {
      await untilTaken(() => objects.apply(name, String(step)));
      done[there ? "changes" : "creations"] += 1;
      there = true;
    }
  }
}

/** The server may be away at any time; what is asked for may be done twice. */
async function untilTaken(deed: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await deed();
    } catch {
      await systemClock.sleep(RETRY_MS);
    }
  }
}
