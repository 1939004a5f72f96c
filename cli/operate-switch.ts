import type { CommandContext } from "./command-context.ts";
import type { RunState } from "./operate-pause.ts";
import type { Place } from "./operate-place.ts";
import { progressOn } from "./progress.ts";

/** A run may take 15 minutes, and ends before its function is paused. */
const WAIT_MS = 16 * 60_000;
const LOOK_MS = 500;

/**
 * Pauses or resumes a controller, and waits until that is so. Rejects where there is nothing to
 * switch, and when it is not so in time or was interrupted: it may be so later all the same.
 */
export async function switchController(
  place: Place,
  { controller, paused }: { readonly controller: string; readonly paused: boolean },
  context: CommandContext,
): Promise<RunState> {
  const { pauses } = place;
  const { clock, stopping } = context;
  if ((await pauses.state(controller)) === "missing") {
    throw new Error(
      `cannot ${paused ? "pause" : "resume"} ${controller}: expected its ${pauses.what}, got none in ${place.title}; check the name`,
    );
  }
  await pauses.set(controller, paused);
  const wanted = paused ? "paused" : "running";
  const progress = progressOn(context);
  const untilMs = clock.monotonicMs() + WAIT_MS;
  for (;;) {
    const state = await pauses.state(controller);
    if (state === wanted) {
      progress.end();
      return state;
    }
    if (stopping.aborted || clock.monotonicMs() > untilMs) {
      progress.end();
      throw new Error(
        `cannot wait for ${controller} to be ${wanted}: it was asked for, and is ${state} now; look again with tidegate status`,
      );
    }
    progress.tell(`${controller} is ${state}: waiting for it to be ${wanted}`);
    await clock.sleep(LOOK_MS, stopping);
  }
}
