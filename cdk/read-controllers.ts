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
  const found = await Promise.all(dirs.map(controllersIn));
  return found.flat();
}

async function controllersIn(dir: string): Promise<readonly FoundController[]> {
  const controllers = await loadControllers([join(dir, "controller.ts")]);
  return controllers.map((controller) => ({ controller, entry: join(dir, "handler.ts") }));
}
