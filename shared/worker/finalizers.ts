import { type Controller, finalizersOf } from "../api/controller.ts";
import type { KubernetesObject } from "../api/object.ts";
import { ConflictError } from "../kube/kube-error.ts";
import { absent, ObjectGoneError } from "./object-gone-error.ts";
import { MAX_CONFLICTS, type RunScope } from "./run-scope.ts";

/** Whether the object carries the controller's finalizer. */
export function ownsFinalizer({ finalizer }: Controller, { metadata }: KubernetesObject): boolean {
  return finalizer !== undefined && (metadata.finalizers ?? []).includes(finalizer);
}

/** Whether it carries the controller's finalizer or a former one. */
export function carriesOurs(controller: Controller, object: KubernetesObject): boolean {
  const { formerFinalizers } = controller;
  const former = (object.metadata.finalizers ?? []).some((name) => formerFinalizers.includes(name));
  return former || ownsFinalizer(controller, object);
}

/**
 * Brings the finalizers in order before the reconciler is called, in one write that is conditional
 * on the version read. Resolves to the object as it is then. The caller looks at it anew: after a
 * conflict it may be terminating.
 */
export async function ensureFinalizers(
  scope: RunScope,
  read: KubernetesObject,
): Promise<KubernetesObject> {
  let object = read;
  for (let conflicts = 0; ; conflicts += 1) {
    const finalizers = wantedFinalizers(scope.controller, object);
    if (!finalizers) return object;
    const written = await writeFinalizers(scope, object, finalizers, conflicts);
    if (written.done) return written.object;
    object = written.object;
  }
}

/**
 * Takes our finalizer (and former ones) off a terminating object. On a conflict it reads again and
 * takes off only its own entry; `finalize` is not repeated. An object that is gone, or another one
 * by now, counts as done.
 */
export async function removeFinalizers(scope: RunScope, read: KubernetesObject): Promise<void> {
  const ours = finalizersOf(scope.controller);
  let object = read;
  for (let conflicts = 0; ; conflicts += 1) {
    const present = object.metadata.finalizers ?? [];
    const kept = present.filter((entry) => !ours.includes(entry));
    if (kept.length === present.length || object.metadata.uid !== read.metadata.uid) return;
    try {
      const written = await writeFinalizers(scope, object, kept, conflicts);
      if (written.done) return;
      object = written.object;
    } catch (error) {
      if (error instanceof ObjectGoneError) return;
      throw error;
    }
  }
}

/** A merge patch with the version in it: the server answers 409 if the object changed since. */
async function writeFinalizers(
  scope: RunScope,
  object: KubernetesObject,
  finalizers: readonly string[],
  conflicts: number,
): Promise<{ done: boolean; object: KubernetesObject }> {
  const { controller, kube, key, sightings } = scope;
  const { resourceVersion } = object.metadata;
  const patch = { metadata: { resourceVersion, finalizers } };
  try {
    const written = await kube.patch(
      controller.for,
      key,
      { type: "merge", patch },
      { fieldManager: controller.fieldManager },
    );
    sightings.wrote(object, written);
    return { done: true, object: written };
  } catch (error) {
    if (absent(error)) throw new ObjectGoneError(error.message, { cause: error });
    if (!(error instanceof ConflictError) || conflicts >= MAX_CONFLICTS) throw error;
    return { done: false, object: await reread(scope, object) };
  }
}

/**
 * The object as it is after a conflict. Its `seen` entry becomes unknown, for a foreign change lies
 * between, unless that changed nothing that anybody compares: two controllers meet in the status of
 * one object all the time.
 */
export async function reread(
  { controller, kube, key, sightings }: RunScope,
  { metadata }: KubernetesObject,
): Promise<KubernetesObject> {
  const { uid } = metadata;
  const object = await kube.get(controller.for, key);
  if (object?.metadata.uid === uid) sightings.read(object);
  else sightings.touched(controller.for, { key, uid });
  if (!object)
    throw new ObjectGoneError(`${controller.for.kind} ${key.namespace}/${key.name} is gone`);
  return object;
}

/**
 * The finalizers that the object should carry: ours added, former ones removed, all others in their
 * places. A terminating object is given none (the server refuses it). Undefined where nothing is to do.
 */
function wantedFinalizers(
  { finalizer, formerFinalizers }: Controller,
  { metadata }: KubernetesObject,
): readonly string[] | undefined {
  const present = metadata.finalizers ?? [];
  const kept = present.filter((entry) => entry === finalizer || !formerFinalizers.includes(entry));
  const adds =
    finalizer !== undefined && !present.includes(finalizer) && !metadata.deletionTimestamp;
  if (!adds && kept.length === present.length) return undefined;
  return adds ? [...kept, finalizer] : kept;
}
