// Prints what the controller files named on the command line define, as JSON, one line a file.
// A process of its own, so that the definitions can be read anew after each edit.
import { pathToFileURL } from "node:url";
import type { Controller } from "../shared/api/controller.ts";
import { controllersIn } from "../shared/api/controllers-in.ts";
import { mappingOf } from "../shared/api/mapping.ts";
import { describeEach } from "./describe-files.ts";

await describeEach(async (file) => {
  const controllers = controllersIn((await import(pathToFileURL(file).href)) as object);
  const [controller, ...more] = controllers;
  if (!controller || more.length > 0) {
    throw new Error(`expected one exported controller, got ${controllers.length}`);
  }
  return summaryOf(controller);
});

function summaryOf(controller: Controller): object {
  const { name, timeoutSeconds } = controller;
  return { name, timeoutSeconds, mapping: mappingOf(controller) };
}
