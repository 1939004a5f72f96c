import type { Condition } from "../api/condition.ts";
import type { KubernetesObject } from "../api/object.ts";
import { groupKindOf } from "../api/object.ts";
import { covers, useText } from "../api/permissions.ts";
import { ConflictError, KubeError } from "../kube/kube-error.ts";
import { fillStatus, holds } from "./conditions.ts";
import { reread } from "./finalizers.ts";
import { absent } from "./object-gone-error.ts";
import { type KindTraits, MAX_CONFLICTS, type RunScope } from "./run-scope.ts";

type WithStatus = KubernetesObject & { readonly status?: object };

/**
 * Writes what this controller has to say of the object's status, by server-side apply on `/status`:
 * conditional on the version known, nothing at all when the last good run left the same behind and
 * it still stands there. What is no longer returned goes; what others wrote stays.
 *
 * On a conflict it reads again and applies again, as long as it is the same object. The repeated
 * write keeps the generation that the run decided on.
 *
 * @param kept Conditions of ours that stay as they stand.
 */
export async function writeStatus(
  scope: RunScope,
  decidedOn: KubernetesObject,
  returned: object,
  kept: readonly Partial<Condition>[] = [],
): Promise<void> {
  checkDeclared(scope);
  let object: WithStatus = decidedOn;
  for (let conflicts = 0; ; ) {
    const known = { ...traitsOf(scope) };
    const status = fillStatus(returned, object.status, {
      kept,
      generation: decidedOn.metadata.generation,
      nowMs: scope.clock.nowMs(),
      observedGeneration: generationIn(known),
    });
    if (unchanged(scope, object, status)) return;
    try {
      const written = await applyStatus(scope, object, status, known);
      if (!written) continue; // Something about the schema was learned: fill in again.
      if (conflicts === 0) scope.sightings.wrote(object, written);
      return scope.applied.note(noteOf(scope, decidedOn, status));
    } catch (error) {
      const retried = error instanceof ConflictError && conflicts < MAX_CONFLICTS;
      if (!retried && !absent(error)) throw error;
      conflicts += 1;
      object = await reread(scope, object);
      // A kind without the subresource is answered like an object that is gone.
      if (absent(error)) throw noSubresource(scope, error);
      if (object.metadata.uid !== decidedOn.metadata.uid) return; // Another object by now.
    }
  }
}

/** The status of a built-in kind is its own controller's, unless the definition says otherwise. */
function checkDeclared({ controller, permissions }: RunScope): void {
  const { kind } = controller.for;
  const asked = { verb: "patch", subresource: "status" } as const;
  if (permissions.some((each) => covers(each, controller.for, asked))) return;
  throw new Error(
    `cannot write the status of ${kind}: expected controller ${controller.name} to declare it, for ${kind} is built in; add uses: [${useText(controller.for, asked)}]`,
  );
}

/** What is known of the kind that the run's object has. */
export function traitsOf({ controller, memory }: RunScope): KindTraits {
  const id = groupKindOf(controller.for);
  const traits = memory.get(id) ?? {};
  memory.set(id, traits);
  return traits;
}

function generationIn({ noObservedGeneration, noConditionGeneration }: KindTraits) {
  return { status: !noObservedGeneration, conditions: !noConditionGeneration };
}

/**
 * Whether the last write said the same and all of it still stands there. Both are needed: the live
 * status alone does not show what we said before and no longer say, which has to go.
 */
function unchanged(scope: RunScope, object: WithStatus, status: object): boolean {
  const note = noteOf(scope, object, status);
  if (!scope.applied.equals(note) || !holds(object.status, status)) return false;
  scope.applied.note(note);
  return true;
}

function noteOf({ controller, key }: RunScope, { metadata }: KubernetesObject, status: object) {
  const { apiVersion, kind } = controller.for;
  const manifest = [controller.fieldManager, metadata.uid, status];
  return { kind: { apiVersion, kind: `${kind}/status` }, ...key, manifest };
}

/** Resolves to undefined where the server knows a field not, which was then noted. */
async function applyStatus(
  scope: RunScope,
  { apiVersion, kind, metadata }: KubernetesObject,
  status: object,
  known: KindTraits,
): Promise<WithStatus | undefined> {
  const { controller, kube, key } = scope;
  const { name, namespace, resourceVersion } = metadata;
  const manifest = {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), resourceVersion },
    status,
  };
  try {
    const { object } = await kube.apply<WithStatus>(controller.for, key, manifest, {
      fieldManager: controller.fieldManager,
      force: true,
      fieldValidation: "Strict",
      subresource: "status",
    });
    notePruned(scope, object, status);
    return object;
  } catch (error) {
    if (learns(scope, error, known)) return undefined;
    throw error;
  }
}

/**
 * Whether a refusal says that the schema has no `observedGeneration` where we put one. The worker
 * has no schema, so it tries; each process learns it at most twice a kind. The API server answers
 * `.status.observedGeneration: field not declared in schema` to an apply (with status 500), and
 * `unknown field "status.observedGeneration"` to strict validation.
 *
 * @param known What the refused write went by. Another run of this process may have learned the same
 *   meanwhile: then this one, too, has to fill in again.
 */
function learns(scope: RunScope, error: unknown, known: KindTraits): boolean {
  if (!(error instanceof KubeError) || ![400, 422, 500].includes(error.status)) return false;
  if (!/field not declared in schema|unknown field/.test(error.message)) return false;
  const traits = traitsOf(scope);
  const inConditions = /conditions\S*\.observedGeneration/.test(error.message);
  const inStatus = /status\.observedGeneration/.test(error.message);
  if (inConditions) traits.noConditionGeneration = true;
  if (inStatus) traits.noObservedGeneration = true;
  return (
    known.noConditionGeneration !== traits.noConditionGeneration ||
    known.noObservedGeneration !== traits.noObservedGeneration
  );
}

/** A server that prunes instead of refusing: what it dropped would differ for ever. */
function notePruned(scope: RunScope, { status }: WithStatus, wanted: object): void {
  const pruned = (value: object | undefined) =>
    "observedGeneration" in wanted && value !== undefined && !("observedGeneration" in value);
  if (pruned(status)) traitsOf(scope).noObservedGeneration = true;
}

function noSubresource({ controller }: RunScope, cause: unknown): Error {
  const { kind, apiVersion } = controller.for;
  return new Error(
    `cannot write the status of ${kind} (${apiVersion}): expected the status subresource, got 404; declare subresources.status in its CustomResourceDefinition`,
    { cause },
  );
}
