import { contentOf, serverSideApplied } from "./fake-managers.ts";
import {
  absent,
  conflict,
  invalid,
  isJson,
  type Json,
  namedDetails,
  Refusal,
  type ServedKind,
  type Stored,
} from "./fake-object.ts";
import { deepMerged, jsonPatched, mergePatched } from "./fake-patch.ts";
import type { FakeStore, Scope } from "./fake-store.ts";

/** One request for one object. */
export interface ObjectRequest {
  readonly kind: ServedKind;
  readonly namespace: string;
  readonly name: string;
  readonly scope: Scope;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly contentType: string;
}

export interface Written {
  readonly object: Stored;
  readonly created: boolean;
}

/** POST. */
export function posted(store: FakeStore, request: ObjectRequest): Written {
  const { kind, namespace, query } = request;
  const body = jsonOf(request.body);
  const metadata = { ...jsonOf(body.metadata ?? {}), ...(namespace ? { namespace } : {}) };
  const owners = query.fieldManager ?? "unknown";
  const object = store.create(kind, { ...body, metadata }, request.scope, owners);
  return { object, created: true };
}

/** PUT. */
export function put(store: FakeStore, request: ObjectRequest): Written {
  const { kind, name, scope, query } = request;
  const live = liveOf(store, request);
  const body = jsonOf(request.body);
  const { resourceVersion, name: given } = jsonOf(body.metadata ?? {});
  if (given !== name) {
    const message = `the name of the object (${String(given)}) does not match the name on the URL (${name})`;
    throw new Refusal(400, "BadRequest", message);
  }
  if (kind.custom && !resourceVersion) {
    throw invalid(kind, name, "metadata.resourceVersion", "must be specified for an update");
  }
  checkVersion(kind, live, body);
  const owners = query.fieldManager ?? "unknown";
  const object = store.replace(kind, live, body, { scope, owners });
  return { object, created: false };
}

/** PATCH, by its media type. */
export function patched(store: FakeStore, request: ObjectRequest): Written {
  const { kind, name, scope, query, body, contentType } = request;
  if (contentType === "application/apply-patch+yaml") return applied(store, request);
  const live = liveOf(store, request);
  let next: Json;
  if (contentType === "application/json-patch+json") {
    try {
      next = jsonPatched(live, body as readonly Json[]);
    } catch (error) {
      throw new Refusal(422, "Invalid", String(error), namedDetails(kind, name));
    }
  } else if (contentType === "application/merge-patch+json") {
    next = jsonOf(mergePatched(live, body));
  } else if (contentType === "application/strategic-merge-patch+json" && !kind.custom) {
    next = jsonOf(deepMerged(live, body));
  } else {
    const message = `the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml; got ${contentType}`;
    throw new Refusal(415, "UnsupportedMediaType", message);
  }
  checkUid(kind, live, next);
  checkVersion(kind, live, next);
  const owners = query.fieldManager ?? "unknown";
  const object = store.replace(kind, live, next, { scope, owners });
  return { object, created: false };
}

function applied(store: FakeStore, request: ObjectRequest): Written {
  const { kind, namespace, name, scope, query } = request;
  const body = jsonOf(request.body);
  if (!query.fieldManager) {
    const message = "fieldManager: Required value: is required for apply patch";
    throw new Refusal(422, "Invalid", message, { kind: "PatchOptions" });
  }
  if (body.apiVersion !== kind.apiVersion || body.kind !== kind.kind) {
    const message = `expected ${kind.apiVersion} ${kind.kind}, got ${String(body.apiVersion)} ${String(body.kind)}`;
    throw new Refusal(400, "BadRequest", message);
  }
  const live = store.get(kind, { namespace, name });
  const meta = jsonOf(body.metadata ?? {});
  if (live) {
    checkUid(kind, live, body);
    checkVersion(kind, live, body);
  } else if (scope === "status") throw absent(kind, name);
  else if (meta.uid) {
    // A version alone does not keep an apply from creating: a real server drops it.
    throw conflict(kind, name, "uid mismatch: no existing object was found");
  }
  const manager = `${query.fieldManager}|Apply|${scope}`;
  const wanted = contentOf(scope === "status" ? { status: body.status } : body);
  if (scope === "main" && kind.status) delete wanted.status;
  const { object, managers, conflicts } = serverSideApplied(
    live,
    wanted,
    store.managersOf(live),
    manager,
  );
  if (conflicts.length > 0 && query.force !== "true") throw applyConflict(conflicts);
  if (live)
    return {
      object: store.replace(kind, live, object, { scope, owners: managers }),
      created: false,
    };
  const metadata = { ...jsonOf(object.metadata ?? {}), name, ...(namespace ? { namespace } : {}) };
  return { object: store.create(kind, { ...object, metadata }, scope, managers), created: true };
}

function applyConflict(conflicts: readonly string[]): Refusal {
  const message = `Apply failed with ${conflicts.length} conflicts: ${conflicts.join("; ")}`;
  const causes = conflicts.map((field) => ({ reason: "FieldManagerConflict", field }));
  return new Refusal(409, "Conflict", message, { causes });
}

/** DELETE. */
export function deleted(store: FakeStore, request: ObjectRequest): Stored {
  const { kind, name, query } = request;
  const live = liveOf(store, request);
  const options = jsonOf(request.body ?? {});
  const preconditions = jsonOf(options.preconditions ?? {});
  for (const field of ["uid", "resourceVersion"]) {
    const expected = preconditions[field];
    if (expected === undefined || expected === live.metadata[field]) continue;
    const why = `Precondition failed: ${field} in precondition: ${JSON.stringify(expected)}, in object meta: ${JSON.stringify(live.metadata[field])}`;
    throw conflict(kind, name, why);
  }
  const propagation = options.propagationPolicy ?? query.propagationPolicy ?? "Background";
  if (propagation === "Orphan") orphan(store, live);
  return store.remove(kind, live, propagation === "Foreground" ? "Foreground" : "Background");
}

function orphan(store: FakeStore, owner: Stored): void {
  for (const { kind, object } of store.everything()) {
    const { ownerReferences = [] } = object.metadata;
    const others = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
    if (others.length === ownerReferences.length) continue;
    const metadata = { ...object.metadata, ownerReferences: others };
    store.replace(
      kind,
      object,
      { ...object, metadata },
      { scope: "all", owners: "garbage-collector" },
    );
  }
}

function liveOf(store: FakeStore, { kind, namespace, name }: ObjectRequest): Stored {
  const live = store.get(kind, { namespace, name });
  if (!live) throw absent(kind, name);
  return live;
}

/** For patches: a PUT for another uid is a conflict instead, which the store tells. */
function checkUid(kind: ServedKind, live: Stored, wanted: Json): void {
  const { uid } = jsonOf(wanted.metadata ?? {});
  if (!uid || uid === live.metadata.uid) return;
  throw invalid(kind, live.metadata.name, "metadata.uid", "field is immutable");
}

function checkVersion(kind: ServedKind, live: Stored, wanted: Json): void {
  const { resourceVersion } = jsonOf(wanted.metadata ?? {});
  if (!resourceVersion || resourceVersion === live.metadata.resourceVersion) return;
  const why = "the object has been modified; please apply your changes to the latest version";
  throw conflict(kind, live.metadata.name, `${why} and try again`);
}

function jsonOf(value: unknown): Json {
  if (isJson(value)) return value;
  throw new Refusal(400, "BadRequest", `expected a JSON object, got ${JSON.stringify(value)}`);
}
