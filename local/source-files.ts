import { createHash } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../shared/clock.ts";

const SOURCE = /\.(ts|mts|js|mjs|json|env)$/;

/** An editor writes a file in several steps. */
const SETTLE_MS = 50;

/**
 * The hash of all sources below these folders, or of those among them that `counts` names. A folder
 * that does not exist has none.
 */
export async function hashOfSources(
  dirs: readonly string[],
  counts: (file: string) => boolean = () => true,
): Promise<string> {
  const hash = createHash("sha256");
  for (const dir of dirs) {
    for (const file of (await sourcesBelow(dir)).filter(counts)) {
      hash.update(JSON.stringify(file)).update(await readFile(join(dir, file)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * Calls `changed` once edits below these folders have settled, with one call at a time.
 * Folders that do not exist are passed over. Returns how to stop.
 */
export function watchSources(
  dirs: readonly string[],
  clock: Clock,
  changed: () => Promise<void>,
): () => void {
  const stop = new AbortController();
  let pending = false;
  let busy = Promise.resolve();
  const edited = (file: string | null) => {
    if (pending || (file !== null && !SOURCE.test(file))) return;
    pending = true;
    busy = busy.then(async () => {
      await clock.sleep(SETTLE_MS, stop.signal);
      pending = false;
      if (!stop.signal.aborted) await changed();
    });
  };
  const watchers = dirs.map((dir) => watching(dir, edited));
  return () => {
    stop.abort();
    for (const watcher of watchers) watcher?.close();
  };
}

function watching(dir: string, edited: (file: string | null) => void): FSWatcher | undefined {
  try {
    return watch(dir, { recursive: true }, (_event, file) => edited(file)).on("error", () => {});
  } catch {
    return undefined; // A project without that folder.
  }
}

async function sourcesBelow(dir: string): Promise<string[]> {
  try {
    const files = await readdir(dir, { recursive: true });
    return files.filter((file) => SOURCE.test(file) && !file.includes("node_modules")).sort();
  } catch {
    return [];
  }
}
