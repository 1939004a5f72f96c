import { type Controller, sourcesOf } from "../shared/api/controller.ts";
import { fingerprintsOf } from "../shared/queue/fingerprint.ts";
import { ControllerSources } from "./controller-sources.ts";
import { SourceView } from "./source-view.ts";
import { UseIndex } from "./use-index.ts";
import type { UserCode } from "./user-code.ts";

/** The views of a controller's sources, and what holds them together. */
export function controllerViews(
  controller: Controller,
  code: UserCode,
): { readonly sources: ControllerSources; readonly views: readonly SourceView[] } {
  const index = new UseIndex(controller.watches.length);
  const sources = new ControllerSources(controller, index);
  const fingerprints = fingerprintsOf(controller);
  const views = sourcesOf(controller).map((source) => {
    const fingerprintOf = fingerprints(source.kind);
    return new SourceView({
      controller,
      source,
      entry: source.watch ? controller.watches.indexOf(source.watch) : -1,
      index,
      code,
      fingerprintOf: (object) => fingerprintOf?.(object) ?? object.metadata.resourceVersion,
    });
  });
  return { sources, views };
}
