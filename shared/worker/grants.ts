import type { Controller } from "../api/controller.ts";
import { groupKindOf, type Key, type Kind } from "../api/object.ts";
import { type Asked, covers, useText } from "../api/permissions.ts";
import type { Verb } from "../api/use.ts";
import type { RunScope } from "./run-scope.ts";

/** What a call is for. A list has the key `{ namespace, name: "" }`. */
export interface GrantedCall {
  readonly key: Key;
  readonly subresource?: string | undefined;
}

/** What a reconciler's client may do. */
export interface Grants {
  /** Fails, saying what to declare, unless the definition allows the call. */
  readonly check: (verb: Verb, kind: Kind, call: GrantedCall) => void;
  /** Fails unless the controller may apply the kind, with itself as owner or without. */
  readonly checkApply: (kind: Kind, how: { readonly owner: boolean }) => void;
}

/**
 * The grants of a definition. The types say the same, but for namespaces and names; this holds for
 * code without types, so that no call is made which the derived role does not allow.
 */
export function grantsOf(scope: Pick<RunScope, "controller" | "permissions">): Grants {
  const { controller } = scope;
  const permissions = scope.permissions.filter(({ client }) => client);
  return {
    check: (verb, kind, { key, subresource }) => {
      const fitting = permissions.filter((each) => covers(each, kind, { verb, subresource }));
      const what = subresource === undefined ? kind.kind : `${subresource} of ${kind.kind}`;
      const add = `add uses: [${useText(kind, { verb, subresource })}]`;
      if (fitting.length === 0) {
        throw new Error(
          `cannot ${verb} ${what}: expected controller ${controller.name} to declare it; ${add}`,
        );
      }
      if (!fitting.some(({ names }) => names?.includes(key.name) ?? true)) {
        const names = fitting.flatMap((each) => each.names ?? []).join(", ");
        throw new Error(
          `cannot ${verb} ${what} ${key.name}: expected ${names}, which the field selector of controller ${controller.name} asks for; ${add}`,
        );
      }
      checkNamespace(controller, kind, { verb, key });
    },
    checkApply: (kind, { owner }) => checkApply(controller, kind, owner),
  };
}

/** The part of the definition that asks for a verb on a kind: what a missing role is named by. */
export function askedBy(
  { permissions }: Pick<RunScope, "permissions">,
  kind: Kind,
  asked: Asked,
): string {
  const permission = permissions.find((each) => covers(each, kind, asked));
  return permission?.askedBy ?? `the platform (${kind.kind})`;
}

/** The roles of a controller with `namespaces` are of those alone. */
function checkNamespace(
  { name, namespaces }: Controller,
  kind: Kind,
  { verb, key: { namespace } }: { readonly verb: Verb; readonly key: Key },
): void {
  if (!namespaces || kind.scope === "Cluster" || namespaces.includes(namespace)) return;
  const got = namespace === "" ? "all namespaces" : `namespace ${namespace}`;
  throw new Error(
    `cannot ${verb} ${kind.kind}: expected one of the namespaces of controller ${name} (${namespaces.join(", ")}), got ${got}; add it to namespaces`,
  );
}

function checkApply({ name, owns, applies }: Controller, kind: Kind, owner: boolean): void {
  const among = (kinds: readonly Kind[]) =>
    kinds.some((each) => groupKindOf(each) === groupKindOf(kind));
  if (among(owns.map((owned) => owned.kind))) return;
  if (!among(applies)) {
    throw new Error(
      `cannot apply ${kind.kind}: expected a kind that controller ${name} owns; add owns: [${kind.kind}]`,
    );
  }
  if (!owner) return;
  throw new Error(
    `cannot apply ${kind.kind}: expected { owner: false } for a kind of applies, got an owner; pass it, or add owns: [${kind.kind}]`,
  );
}
