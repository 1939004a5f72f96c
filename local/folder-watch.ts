import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join, sep } from "node:path";

/**
 * Calls `edited` with each name that changes in a folder or below it, also in folders that come
 * later; without a name where more than one may have changed. Passes over `node_modules`, names
 * with a dot in front, and a folder that does not exist. Returns how to stop.
 *
 * One watcher a folder: Node's own recursive watch on Linux has one a file, and hears nothing more
 * of a file once an editor saved it by renaming a new one into its place.
 */
export function watchFolder(dir: string, edited: (file?: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const leave = (folder: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
  };
  const enter = (folder: string) => {
    try {
      const changed = (event: string, name: string | null) => {
        // A folder that came, went, or came again: the watcher of the one before is deaf.
        if (event === "rename" && name !== null && seen(name)) {
          const path = join(folder, name);
          const known = watchers.has(path);
          leave(path);
          if (enter(path) || known) edited();
        }
        edited(name ?? undefined);
      };
      // Before the folder is read, so that what comes in between is told.
      watchers.set(
        folder,
        watch(folder, changed).on("error", () => leave(folder)),
      );
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isDirectory() && seen(entry.name)) enter(join(folder, entry.name));
      }
      return true;
    } catch {
      leave(folder); // A file, or gone already.
      return false;
    }
  };
  enter(dir);
  return () => leave(dir);
}

function seen(name: string): boolean {
  return name !== "node_modules" && !name.startsWith(".");
}
