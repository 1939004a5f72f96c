import { join, resolve } from "node:path";
import { dirsWithController } from "../local/function-folder.ts";
import type { Controller } from "../shared/api/controller.ts";
import { loadControllers } from "../watcher/load-controllers.ts";

/** A controller of a project's functions. */
export interface FoundController {
  readonly controller: Controller;
  /** The file that exports its handler. */
  readonly entry: string;
}

/**
 * The controllers that the folders of functions define, each beside its `handler.ts`. Rejects naming
 * the file that does not load, or the folder where none is found.
 */
export async function readControllers(functionsDir: string): Promise<readonly FoundController[]> {
  const dirs = await dirsWithController(resolve(functionsDir));
  if (dirs.length === 0) {
    throw new Error(
      `cannot find controllers in ${resolve(functionsDir)}: expected folders with controller.ts and handler.ts; make one with "tidegate create api"`,
    );
  }
  return Promise.all(dirs.map(controllerIn));
}

/** One a folder, for a function has one handler. */
async function controllerIn(dir: string): Promise<FoundController> {
  const file = join(dir, "controller.ts");
  const [controller, ...more] = await loadControllers([file]);
  if (!controller || more.length > 0) {
    throw new Error(
      `cannot deploy ${file}: expected it to export one controller, got ${more.length + 1}; give each a folder of its own`,
    );
  }
  return { controller, entry: join(dir, "handler.ts") };
}
