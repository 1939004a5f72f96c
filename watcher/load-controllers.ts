import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Controller } from "../shared/api/controller.ts";
import { controllersIn } from "../shared/api/controllers-in.ts";

/**
 * Every controller that the files export, each once. Rejects with the file when one cannot be loaded
 * or exports no controller.
 */
export async function loadControllers(files: readonly string[]): Promise<readonly Controller[]> {
  const found = new Set<Controller>();
  for (const file of files) {
    const controllers = controllersIn(await moduleOf(file));
    if (controllers.length === 0) {
      throw new Error(
        `cannot load ${file}: expected it to export a controller, got none; export what defineController returns`,
      );
    }
    for (const controller of controllers) found.add(controller);
  }
  if (found.size === 0) {
    throw new Error(
      "cannot start the watcher: expected the files of controllers as arguments, got none",
    );
  }
  return [...found];
}

async function moduleOf(file: string): Promise<object> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as object;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`cannot load ${file}: ${why}`, { cause });
  }
}
