import type { Api } from "./api.ts";
import { WIDGETS, widget, widgetDefinition } from "./objects.ts";

// Widgets whose schemas have rules (`x-kubernetes-validations`).

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The definition of widgets with these properties of their spec, and more of the root of their schema. */
export function ruledDefinition(spec: object, root: object = {}) {
  const whole = widgetDefinition();
  const openAPIV3Schema = {
    type: "object",
    ...root,
    properties: { spec, ...(root as { properties?: object }).properties },
  };
  const version = { name: "v1", served: true, storage: true, subresources: { status: {} } };
  return {
    ...whole,
    spec: { ...whole.spec, versions: [{ ...version, schema: { openAPIV3Schema } }] },
  };
}

/** An object with these properties, and what else its schema says. */
export function object(properties: object, more: object = {}) {
  return { type: "object", properties, ...more };
}

/** A short text with rules. */
export function text(...rules: readonly (string | object)[]) {
  return {
    type: "string",
    maxLength: 64,
    ...(rules.length > 0 && {
      "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)),
    }),
  };
}

/** Resolves once the server serves widgets with those rules. */
export async function defineRuled({ quiet }: Api, spec: object, root?: object): Promise<void> {
  await quiet.post(CRDS, ruledDefinition(spec, root));
  await quiet.until(WIDGETS, ({ status }) => status === 200);
}

/** Asks whether the server would take the definition. */
export function tryDefinition(api: Api, spec: object, root?: object) {
  return api.post(`${CRDS}?dryRun=All`, ruledDefinition(spec, root));
}

/** Posts a widget that is not kept. */
export function tryWidget(api: Api, spec: object) {
  return api.post(`${WIDGETS}?dryRun=All`, widget("a", { spec }));
}
