import { type Controller, finalizersOf } from "../api/controller.ts";
import { groupKindOf, type Kind } from "../api/object.ts";
import type { CustomResourceDefinition } from "../crd/custom-resource-definition.ts";

/** The finalizers that a controller may have put on objects of its kind. Texts alone, as CloudFormation has them. */
export interface GuardedKind {
  readonly controller: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Kind["scope"];
  /** Former ones too. */
  readonly finalizers: readonly string[];
  /** Whether the platform brings the kind itself, so that its objects are there for it alone. */
  readonly own: "true" | "false";
}

/** For each controller with finalizers. The same controllers in any order give the same. */
export function guardedKinds(
  controllers: readonly Controller[],
  crds: readonly CustomResourceDefinition[],
): readonly GuardedKind[] {
  const own = new Set(crds.map(({ spec: { group, names } }) => `${group}/${names.kind}`));
  return controllers
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((controller): GuardedKind => {
      const { apiVersion, kind, plural, scope } = controller.for;
      const finalizers = finalizersOf(controller);
      const brought = own.has(groupKindOf(controller.for)) ? "true" : "false";
      return {
        controller: controller.name,
        apiVersion,
        kind,
        plural,
        scope,
        finalizers,
        own: brought,
      };
    })
    .filter(({ finalizers }) => finalizers.length > 0);
}
