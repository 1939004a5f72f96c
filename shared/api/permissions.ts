import { type Controller, finalizersOf } from "./controller.ts";
import { customKind, groupKindOf, type Kind } from "./object.ts";
import type { Selector } from "./source.ts";
import type { Verb } from "./use.ts";

/** Calls that a controller's function makes on objects of one kind, or on a subresource of them. */
export interface Permission {
  readonly kind: Kind;
  readonly verbs: readonly Verb[];
  /** "status", "scale", ...; absent: the objects themselves. */
  readonly subresource?: string;
  /** The only objects that it is for; default: all. */
  readonly names?: readonly string[];
  /** Whether the reconciler's own client may make them; else only what Tidegate does by itself. */
  readonly client: boolean;
  /** The part of the definition that asks for it, as it stands there: "owns: [Deployment]". */
  readonly askedBy: string;
}

/** The Events that recordEvent writes. Also a run that fails for good, or is forbidden a call, records one. */
export const EVENTS: Kind = {
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  plural: "events",
  scope: "Namespaced",
};

/** What `apply` sends: a read, and a server-side apply, which needs create where there is no object yet. */
const APPLY: readonly Verb[] = ["get", "create", "patch"];

/**
 * All that the function of a controller does at the API server, by its definition. Its client is
 * checked against this and its role is made of it, so that neither allows more than the other.
 */
export function permissionsOf(controller: Controller): readonly Permission[] {
  const { owns, applies, watches, uses } = controller;
  return [
    ...ownKind(controller),
    { kind: EVENTS, verbs: ["create", "patch"], client: false, askedBy: "recordEvent" },
    ...owns.map(({ kind }) => allowed(kind, APPLY, `owns: [${kind.kind}]`)),
    ...applies.map((kind) => allowed(kind, APPLY, `applies: [${kind.kind}]`)),
    ...watches.map(({ kind, fields }) => ({
      ...allowed(kind, ["get"], `watches: [watch(${kind.kind}, ...)]`),
      ...named(fields),
    })),
    ...uses.flatMap(({ kind, verbs, subresource }) =>
      (verbs as readonly Verb[]).map((verb) => ({
        ...allowed(kind, [verb], `uses: [${useText(kind, { verb, subresource })}]`),
        ...(subresource === undefined ? {} : { subresource }),
      })),
    ),
  ];
}

/** A verb on a kind, or on a subresource of it. */
export interface Asked {
  readonly verb: Verb;
  readonly subresource?: string | undefined;
}

/** Whether it allows the verb. On a kind it says nothing of its subresources, nor the other way round. */
export function covers(permission: Permission, kind: Kind, { verb, subresource }: Asked): boolean {
  return (
    groupKindOf(permission.kind) === groupKindOf(kind) &&
    permission.subresource === subresource &&
    permission.verbs.includes(verb)
  );
}

/** The entry of `uses` that declares it. */
export function useText({ kind }: Kind, { verb, subresource }: Asked): string {
  return subresource === undefined
    ? `use(${kind}, "${verb}")`
    : `useSubresource(${kind}, "${subresource}", "${verb}")`;
}

/**
 * The name that a field selector asks for, if it does: the API server takes a list or a watch by
 * such a selector for one of that object alone.
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources
 */
export function named(fields: Selector | undefined): { readonly names?: readonly string[] } {
  const name =
    typeof fields === "string"
      ? /(?:^|,)\s*metadata\.name\s*==?\s*([^\s,=]+)/.exec(fields)?.[1]
      : fields?.["metadata.name"];
  return name === undefined ? {} : { names: [name] };
}

/** What is done with the reconciled objects themselves. */
function ownKind(controller: Controller): readonly Permission[] {
  const { owns, fields } = controller;
  const kind = controller.for;
  const own = { kind, ...named(fields), client: false };
  const asked = `for: ${kind.kind}`;
  const finalizes = finalizersOf(controller).length > 0;
  return [
    { ...own, verbs: ["get"], client: true, askedBy: asked },
    ...(finalizes ? [{ ...own, verbs: PATCH, askedBy: `finalizer of ${asked}` }] : []),
    // A failed run sets Ready=False. What a built-in kind's status says is its own controller's affair.
    ...(customKind(kind) ? [{ ...own, verbs: PATCH, subresource: "status", askedBy: asked }] : []),
    // A server may ask for it where an owner reference blocks the owner's deletion.
    // https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement
    ...(owns.length > 0
      ? [{ ...own, verbs: UPDATE, subresource: "finalizers", askedBy: "owns" }]
      : []),
  ];
}

const PATCH: readonly Verb[] = ["patch"];
const UPDATE: readonly Verb[] = ["update"];

function allowed(kind: Kind, verbs: readonly Verb[], askedBy: string): Permission {
  return { kind, verbs, client: true, askedBy };
}
