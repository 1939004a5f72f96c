import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../shared/clock.ts";

/** In the folder of local state: one empty file a paused controller, so that a restart finds them. */
const FOLDER = "paused";

/** How long a pause may go unseen. */
const LOOK_MS = 250;

/** The controllers that are to take no messages. */
export async function pausedIn(dataDir: string): Promise<ReadonlySet<string>> {
  return new Set(await readdir(join(dataDir, FOLDER)).catch((): string[] => []));
}

/** Asks whoever runs on this folder, now or later, to pause a controller or to resume it. */
export async function askToPause(
  dataDir: string,
  { controller, paused }: { readonly controller: string; readonly paused: boolean },
): Promise<void> {
  const file = join(dataDir, FOLDER, controller);
  if (!paused) return rm(file, { force: true });
  await mkdir(join(dataDir, FOLDER), { recursive: true });
  await writeFile(file, "");
}

/** Tells which controllers are to be paused, again and again, until the signal is aborted. */
export async function followPauses(
  { dataDir, clock }: { readonly dataDir: string; readonly clock: Pick<Clock, "sleep"> },
  told: (paused: ReadonlySet<string>) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(LOOK_MS, signal);
    if (!signal.aborted) told(await pausedIn(dataDir));
  }
}
