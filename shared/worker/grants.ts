import type { Controller } from "../api/controller.ts";
import type { Kind } from "../api/object.ts";
import { groupKindOf } from "../api/object.ts";
import type { Verb } from "../api/use.ts";

/** What a reconciler's client may do. */
export interface Grants {
  /** Fails, saying what to declare, unless the definition allows the verb on this kind or subresource. */
  readonly check: (verb: Verb, kind: Kind, subresource?: string) => void;
  /** Fails unless the controller owns the kind. */
  readonly checkOwned: (kind: Kind) => void;
}

const ALL: readonly Verb[] = ["get", "list", "create", "update", "patch", "delete"];

/**
 * The grants of a definition: reads on the kinds of `for` and `watches`, everything on those of
 * `owns`, and what `uses` says; subresources only by `uses`. The types say the same; this holds for
 * code without types, so that no call is made which the derived role does not allow.
 */
export function grantsOf(controller: Controller): Grants {
  const granted = new Map<string, Set<Verb>>();
  const grant = (kind: Kind, verbs: readonly Verb[], subresource?: string) => {
    const id = resourceOf(kind, subresource);
    granted.set(id, new Set([...(granted.get(id) ?? []), ...verbs]));
  };
  grant(controller.for, ["get", "list"]);
  for (const { kind } of controller.watches) grant(kind, ["get", "list"]);
  for (const { kind } of controller.owns) grant(kind, ALL);
  for (const { kind, verbs, subresource } of controller.uses) grant(kind, verbs, subresource);
  const owned = new Set(controller.owns.map(({ kind }) => groupKindOf(kind)));
  return {
    check: (verb, kind, subresource) => {
      if (granted.get(resourceOf(kind, subresource))?.has(verb)) return;
      const what = subresource === undefined ? kind.kind : `${subresource} of ${kind.kind}`;
      throw new Error(
        `cannot ${verb} ${what}: expected controller ${controller.name} to declare it; add uses: [${useText(kind, { verb, subresource })}]`,
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

/** A verb on a kind, or on a subresource of it. */
interface Asked {
  readonly verb: Verb;
  readonly subresource?: string | undefined;
}

/** The part of the definition that asks for a verb on a kind: what a missing role is named by. */
export function askedBy(controller: Controller, kind: Kind, asked: Asked): string {
  const id = groupKindOf(kind);
  const used = controller.uses.some(
    (use) =>
      resourceOf(use.kind, use.subresource) === resourceOf(kind, asked.subresource) &&
      use.verbs.includes(asked.verb),
  );
  if (used && asked.subresource !== undefined) return `uses: [${useText(kind, asked)}]`;
  if (groupKindOf(controller.for) === id) return `for: ${kind.kind}`;
  if (controller.owns.some((owned) => groupKindOf(owned.kind) === id))
    return `owns: [${kind.kind}]`;
  if (used) return `uses: [${useText(kind, asked)}]`;
  const watched = controller.watches.some((entry) => groupKindOf(entry.kind) === id);
  return watched ? `watches: [watch(${kind.kind}, ...)]` : `the platform (${kind.kind})`;
}

/** A rule in the words of a definition. */
function useText({ kind }: Kind, { verb, subresource }: Asked): string {
  return subresource === undefined
    ? `use(${kind}, "${verb}")`
    : `useSubresource(${kind}, "${subresource}", "${verb}")`;
}

/** "apps/Deployment", "apps/Deployment/scale": a grant on the one says nothing of the other. */
function resourceOf(kind: Kind, subresource: string | undefined): string {
  return subresource === undefined ? groupKindOf(kind) : `${groupKindOf(kind)}/${subresource}`;
}
