import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../shared/clock.ts";
import { watchFolder } from "./folder-watch.ts";

/** What a function is made of. Its tests are not. */
const SOURCE = /(?<!\.test)\.(ts|mts|js|mjs|json|env)$/;

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
  const edited = (file?: string) => {
    if (pending || (file !== undefined && !SOURCE.test(file))) return;
    pending = true;
    busy = busy.then(async () => {
      await clock.sleep(SETTLE_MS, stop.signal);
      pending = false;
      if (!stop.signal.aborted) await changed();
    });
  };
  const unwatch = dirs.map((dir) => watchFolder(dir, edited));
  return () => {
    stop.abort();
    for (const end of unwatch) end();
  };
}

async function sourcesBelow(dir: string): Promise<string[]> {
  try {
    const files = await readdir(dir, { recursive: true });
    return files.filter((file) => SOURCE.test(file) && !file.includes("node_modules")).sort();
  } catch {
    return [];
  }
}
