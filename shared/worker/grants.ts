import type { Controller } from "../api/controller.ts";
import type { Kind } from "../api/object.ts";
import { groupKindOf } from "../api/object.ts";
import type { Verb } from "../api/use.ts";

/** What a reconciler's client may do. */
export interface Grants {
  /** Fails, saying what to declare, unless the definition allows the verb on this kind. */
  readonly check: (verb: Verb, kind: Kind) => void;
  /** Fails unless the controller owns the kind. */
  readonly checkOwned: (kind: Kind) => void;
}

const ALL: readonly Verb[] = ["get", "list", "create", "update", "patch", "delete"];

/**
 * The grants of a definition: reads on the kinds of `for` and `watches`, everything on those of
 * `owns`, and what `uses` says. The types say the same; this holds for code without types, so that
 * no call is made which the derived role does not allow.
 */
export function grantsOf(controller: Controller): Grants {
  const granted = new Map<string, Set<Verb>>();
  const grant = (kind: Kind, verbs: readonly Verb[]) => {
    const id = groupKindOf(kind);
    granted.set(id, new Set([...(granted.get(id) ?? []), ...verbs]));
  };
  grant(controller.for, ["get", "list"]);
  for (const { kind } of controller.watches) grant(kind, ["get", "list"]);
  for (const { kind } of controller.owns) grant(kind, ALL);
  for (const { kind, verbs } of controller.uses) grant(kind, verbs);
  const owned = new Set(controller.owns.map(({ kind }) => groupKindOf(kind)));
  return {
    check: (verb, kind) => {
      if (granted.get(groupKindOf(kind))?.has(verb)) return;
      throw new Error(
        `cannot ${verb} ${kind.kind}: expected controller ${controller.name} to declare it; add uses: [${useText(kind, verb)}]`,
      );
    },
    checkOwned: (kind) => {
      if (owned.has(groupKindOf(kind))) return;
      throw new Error(
        `cannot apply ${kind.kind}: expected a kind that controller ${controller.name} owns; add owns: [${kind.kind}]`,
      );
    },
  };
}

/** The part of the definition that asks for a verb on a kind: what a missing role is named by. */
export function askedBy(controller: Controller, kind: Kind, verb: Verb): string {
  const id = groupKindOf(kind);
  if (groupKindOf(controller.for) === id) return `for: ${kind.kind}`;
  if (controller.owns.some((owned) => groupKindOf(owned.kind) === id))
    return `owns: [${kind.kind}]`;
  const used = controller.uses.some(
    (use) => groupKindOf(use.kind) === id && use.verbs.includes(verb),
  );
  if (used) return `uses: [${useText(kind, verb)}]`;
  const watched = controller.watches.some((entry) => groupKindOf(entry.kind) === id);
  return watched ? `watches: [watch(${kind.kind}, ...)]` : `the platform (${kind.kind})`;
}

/** A rule in the words of a definition. */
function useText(kind: Kind, verb: Verb): string {
  return `use(${kind.kind}, "${verb}")`;
}
