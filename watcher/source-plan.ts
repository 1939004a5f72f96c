import type { Kind } from "../shared/api/object.ts";
import { canonicalJson } from "../shared/api/predicate.ts";
import type { Selector } from "../shared/api/source.ts";
import type { SourceView } from "./source-view.ts";

/** What one reflector lists and watches, and for whom. */
export interface PlannedReflector {
  readonly kind: Kind;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labels?: Selector;
  readonly fields?: Selector;
  /** Whether any view needs whole objects; else metadata is enough for all. */
  readonly full: boolean;
  readonly views: readonly SourceView[];
}

/**
 * One reflector for each kind, namespace and selectors, shared by all views that want the same. A
 * view of a controller with `namespaces` is fed by one reflector a namespace.
 */
export function planReflectors(views: readonly SourceView[]): readonly PlannedReflector[] {
  const planned = new Map<string, PlannedReflector>();
  for (const view of views) {
    for (const namespace of namespacesOf(view)) {
      const { kind, labels, fields, full } = view.source;
      const id = canonicalJson([kind.apiVersion, kind.plural, namespace ?? null, labels, fields]);
      const so = planned.get(id);
      planned.set(id, {
        kind,
        ...(namespace !== undefined && { namespace }),
        ...(labels !== undefined && { labels }),
        ...(fields !== undefined && { fields }),
        full: full || (so?.full ?? false),
        views: [...(so?.views ?? []), view],
      });
    }
  }
  return [...planned.values()];
}

function namespacesOf({ source, controller }: SourceView): readonly (string | undefined)[] {
  const { namespaces } = controller;
  return namespaces && source.kind.scope === "Namespaced" ? [...new Set(namespaces)] : [undefined];
}
