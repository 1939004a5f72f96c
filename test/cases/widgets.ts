import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import type { Context } from "../../shared/api/reconciler.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import { Widget } from "../support/watcher-objects.ts";

export const web = { namespace: "a", name: "web" };
export const child = { namespace: "a", name: "web-child" };

/** A controller of widgets that own config maps, unless told otherwise. */
export function widgets(options: object = {}): Controller {
  const made = defineController({ name: "widgets", for: Widget, owns: [ConfigMap], ...options });
  return made as unknown as Controller;
}

/** What a reconciler of widgets is given. */
export type WidgetContext = Context<ConfigMap>;

/** Makes a config map that has the widget's size. */
export async function makeChild({ metadata, spec }: Widget, { apply }: WidgetContext) {
  const name = `${metadata.name}-child`;
  await apply(ConfigMap, { metadata: { name }, data: { size: String(spec?.size ?? 0) } });
}

/** Each widget gets a config map, and a status. */
export const makesChild: Partial<AnyReconciler> = {
  reconcile: async (widget: Widget, context: WidgetContext) => {
    await makeChild(widget, context);
    return { status: { ready: true } };
  },
};
