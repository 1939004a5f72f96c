import type { Controller } from "../shared/api/controller.ts";
import type { KubernetesObject } from "../shared/api/object.ts";
import { asks, type Predicate } from "../shared/api/predicate.ts";
import { selectorText } from "../shared/kube/paths.ts";
import { matchesLabels, selects } from "../shared/worker/selection.ts";
import { type ExplainFacts, type Finding, nameIn } from "./finding.ts";
import { known, textOf } from "./operate-facts.ts";

/** What of the controller's definition shuts the object out. */
export function selectionFindings(facts: ExplainFacts): Finding[] {
  const object = known(facts.object);
  if (!object) return [];
  const excluded = exclusions(facts.controller, object);
  if (excluded.length === 0) return predicateFindings(facts, object);
  return [...excluded, ...heldFinalizer(facts.controller, object)];
}

/** Whether the definition lets the object be reconciled at all. */
export function excluded(controller: Controller, object: KubernetesObject): boolean {
  return exclusions(controller, object).length > 0;
}

function exclusions(controller: Controller, object: KubernetesObject): Finding[] {
  const { name, namespaces, labels, fields } = controller;
  const { namespace = "" } = object.metadata;
  const found: Finding[] = [];
  const add = (code: string, text: string, todo: string) =>
    found.push({ code, level: "problem", text, todo });
  if (namespaces && !namespaces.includes(namespace)) {
    const text = `${name} takes the namespaces ${namespaces.join(", ")} alone, and not ${namespace}`;
    add("namespace-excluded", text, `add it to "namespaces" of ${name}, and deploy`);
  }
  if (!matchesLabels(labels, object.metadata.labels ?? {})) {
    const text = `its labels do not match the selector of ${name}, "${selectorText(labels)}"`;
    add("labels-excluded", text, 'label it (kubectl label), or change "labels" of the controller');
  }
  if (!selects(onlyFields(controller), object)) {
    const text = `its fields do not match the selector of ${name}, "${selectorText(fields)}"`;
    add("fields-excluded", text, 'change "fields" of the controller');
  }
  for (const [part, what] of partsOf(controller)) {
    if (inScope(part, object)) continue;
    add(
      "scope-excluded",
      `the ${what} of ${name} leaves it out by its name or namespace`,
      `change the ${what}`,
    );
  }
  return found;
}

function onlyFields(controller: Controller): Controller {
  const { labels: _labels, namespaces: _namespaces, ...rest } = controller;
  return rest;
}

function heldFinalizer({ name, finalizer }: Controller, { metadata }: KubernetesObject): Finding[] {
  if (finalizer === undefined || !metadata.finalizers?.includes(finalizer)) return [];
  const text = `it holds the finalizer ${finalizer} of ${name} all the same, which looks at it every 5 min, so that its deletion is finalized`;
  return [{ code: "finalizer-held", level: "info", text }];
}

/** Whether the predicates would let it pass as new: what a start of the watcher asks. */
function predicateFindings(facts: ExplainFacts, object: KubernetesObject): Finding[] {
  if (object.metadata.deletionTimestamp !== undefined) return []; // Then none is asked.
  return partsOf(facts.controller).flatMap(([part, what]): Finding[] => {
    try {
      if (asks(part as Predicate, { type: "added", now: object })) return [];
      const text = `the ${what} of ${facts.controller.name} does not let ${nameIn(facts)} pass as it is: a new object, and each at a start of the watcher, is passed over; only a change that it lets pass makes a run`;
      return [
        {
          code: "predicate-refuses",
          level: "problem",
          text,
          todo: `change the object, or the ${what}`,
        },
      ];
    } catch (error) {
      const text = `the ${what} of ${facts.controller.name} throws on it (${textOf(error)}): such changes pass`;
      return [{ code: "predicate-throws", level: "problem", text, todo: `mend the ${what}` }];
    }
  });
}

function partsOf(
  controller: Controller,
): readonly (readonly [Predicate<never>, "predicate" | "eventFilter"])[] {
  const { predicate, eventFilter } = controller;
  return [
    ...(predicate ? [[predicate, "predicate"] as const] : []),
    ...(eventFilter ? [[eventFilter, "eventFilter"] as const] : []),
  ];
}

/** One that throws lets it pass, as the watcher does. */
function inScope({ scope }: Predicate<never>, object: KubernetesObject): boolean {
  try {
    return scope?.(object) ?? true;
  } catch {
    return true;
  }
}
