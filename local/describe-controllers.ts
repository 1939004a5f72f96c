// Prints what the controller files named on the command line define, as JSON, one line a file.
// A process of its own, so that the definitions can be read anew after each edit.
import { pathToFileURL } from "node:url";
import type { Controller } from "../shared/api/controller.ts";
import { controllersIn } from "../shared/api/controllers-in.ts";
import { mappingOf } from "../shared/api/mapping.ts";
import { codePlaceOf } from "./code-place.ts";

for (const file of process.argv.slice(2)) {
  process.stdout.write(`${JSON.stringify(await describe(file))}\n`);
}

async function describe(file: string): Promise<object> {
  try {
    const controllers = controllersIn((await import(pathToFileURL(file).href)) as object);
    const [controller, ...more] = controllers;
    if (!controller || more.length > 0) {
      throw new Error(`expected one exported controller, got ${controllers.length}`);
    }
    return { file, ...summaryOf(controller) };
  } catch (error) {
    if (!(error instanceof Error)) return { file, error: String(error) };
    const at = codePlaceOf(error.stack ?? "");
    return { file, error: error.message, ...(at !== undefined && { at }) };
  }
}

function summaryOf(controller: Controller): object {
  const { name, timeoutSeconds } = controller;
  return { name, timeoutSeconds, mapping: mappingOf(controller) };
}
