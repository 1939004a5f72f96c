import type { Key, Kind, KubernetesObject } from "../api/object.ts";
import type { ApplyOptions } from "../api/reconciler.ts";
import type { NewMeta } from "../api/resource.ts";
import { ConflictError } from "../kube/kube-error.ts";
import type { Grants } from "./grants.ts";
import { absent } from "./object-gone-error.ts";
import { takeOver } from "./owned-fields.ts";
import {
  CONTROLLER_LABEL,
  checkOwnerScope,
  checkOwnership,
  ownerReferenceTo,
} from "./owner-reference.ts";
import { MAX_CONFLICTS, type RunScope } from "./run-scope.ts";

/** A manifest as code without types may pass it. */
interface Written {
  readonly metadata: NewMeta;
}

/** One call of `apply`. */
interface Application {
  readonly kind: Kind;
  readonly key: Key;
  readonly manifest: object;
  readonly options: ApplyOptions;
}

/**
 * The `apply` of a run's context: reads the object, refuses a foreign one, and sends a server-side
 * apply that is conditional on the version read. Nothing is sent when the last run applied the same
 * and left the object at the very version that it has now. Nothing is compared field by field:
 * defaults and mutating webhooks would differ for ever.
 */
export function createApply(scope: RunScope, grants: Grants, owner: KubernetesObject) {
  return async <T extends KubernetesObject>(
    kind: Kind<T>,
    object: object,
    options: ApplyOptions = {},
  ): Promise<T> => {
    grants.checkApply(kind, { owner: options.owner ?? true });
    const application = prepare(scope, owner, { kind, object: object as Written, options });
    grants.check("patch", kind, application);
    for (let conflicts = 0; ; conflicts += 1) {
      const live = await scope.kube.get(kind, application.key, { raw: true });
      if (live) scope.sightings.read(withoutManagers(live));
      if (live) checkOwnership(live, owner, judging(scope, options));
      try {
        return withoutManagers(await send(scope, application, live)) as T;
      } catch (error) {
        if (!repeatable(error, live) || conflicts >= MAX_CONFLICTS) throw error;
        scope.sightings.touched(kind, { key: application.key, ...uidOf(live) });
      }
    }
  };
}

/** The object without its field managers, which no reconciler is shown. */
export function withoutManagers<T extends KubernetesObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as T["metadata"] & {
    managedFields?: unknown;
  };
  return { ...object, metadata };
}

function prepare(
  { controller }: RunScope,
  owner: KubernetesObject,
  { kind, object, options }: { kind: Kind; object: Written; options: ApplyOptions },
): Application {
  const owned = options.owner ?? true;
  const { name } = object.metadata ?? {};
  if (!name) throw new Error(`cannot apply ${kind.kind}: expected metadata.name, got none`);
  const namespace =
    kind.scope === "Cluster" ? "" : (object.metadata.namespace ?? owner.metadata.namespace ?? "");
  const key = { namespace, name };
  if (kind.scope === "Namespaced" && namespace === "") {
    throw new Error(
      `cannot apply ${kind.kind} ${name}: expected metadata.namespace, got none; ${owner.kind} ${owner.metadata.name} has none either`,
    );
  }
  if (owned) checkOwnerScope(owner, kind, key);
  const manifest = {
    ...object,
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      ...object.metadata,
      ...(namespace !== "" && { namespace }),
      ...(owned
        ? { ownerReferences: [...(object.metadata.ownerReferences ?? []), ownerReferenceTo(owner)] }
        : { labels: { ...object.metadata.labels, [CONTROLLER_LABEL]: controller.name } }),
    },
  };
  return { kind, key, manifest, options };
}

function judging({ controller }: RunScope, { adopt = false, owner = true }: ApplyOptions) {
  return { adopt, owned: owner, controller: controller.name };
}

async function send(
  scope: RunScope,
  application: Application,
  live: KubernetesObject | undefined,
): Promise<KubernetesObject> {
  const { controller, kube, sightings, applied, metrics } = scope;
  const { kind, key, manifest, options } = application;
  // The version stands in it: an object that changed since is never "the same applied again".
  const noteOf = ({ metadata: { uid, resourceVersion } }: KubernetesObject) => ({
    kind,
    ...key,
    manifest: [controller.fieldManager, options.takeOverFrom ?? [], manifest, uid, resourceVersion],
  });
  if (live && applied.equals(noteOf(live))) {
    applied.note(noteOf(live));
    metrics.count("Applied", { controller: controller.name, result: "skipped" });
    return live;
  }
  const base = live && (await takenOver(scope, application, live));
  const { metadata } = manifest as Written;
  const resourceVersion = base?.metadata.resourceVersion;
  const conditional = { ...manifest, metadata: { ...metadata, ...(base && { resourceVersion }) } };
  const { object, created } = await kube.apply(kind, key, conditional, {
    fieldManager: controller.fieldManager,
    force: options.force ?? true,
    fieldValidation: "Strict",
  });
  if (created) sightings.created(object);
  else if (base) sightings.wrote(base, object);
  else sightings.touched(kind, { key, uid: object.metadata.uid }); // Made by another in between.
  applied.note(noteOf(object));
  metrics.count("Applied", { controller: controller.name, result: "sent" });
  return object;
}

/** Moves what older managers wrote to ours, in one patch that is conditional on the version read. */
async function takenOver(
  { controller, kube, sightings }: RunScope,
  { kind, key, options }: Application,
  live: KubernetesObject,
): Promise<KubernetesObject> {
  const managedFields = takeOver(live, controller.fieldManager, options.takeOverFrom ?? []);
  if (!managedFields) return live;
  const { resourceVersion } = live.metadata;
  const patch = [
    { op: "replace", path: "/metadata/managedFields", value: managedFields },
    { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion },
  ];
  const moved = await kube.patch(
    kind,
    key,
    { type: "json", patch },
    { fieldManager: controller.fieldManager },
  );
  sightings.wrote(live, moved);
  return moved;
}

/** A version that has passed, or an object that went away in between; not a field conflict, which lasts. */
function repeatable(error: unknown, live: KubernetesObject | undefined): boolean {
  if (absent(error)) return live !== undefined; // Else it is the namespace that is absent.
  if (!(error instanceof ConflictError)) return false;
  return !(error.details.causes ?? []).some(({ reason }) => reason === "FieldManagerConflict");
}

function uidOf(live: KubernetesObject | undefined): { uid?: string } {
  return live ? { uid: live.metadata.uid } : {};
}
