import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../../local/kube/api-error.ts";
import type { ApiObject } from "../../local/kube/api-object.ts";
import { decodedObject } from "../../local/kube/apply-decoded.ts";
import { applyObject } from "../../local/kube/apply-object.ts";
import { trackUpdate } from "../../local/kube/apply-update.ts";
import { defaultBuiltIn } from "../../local/kube/built-in-defaults.ts";
import { jsonPatch } from "../../local/kube/json-patch.ts";
import { mergePatch } from "../../local/kube/merge-patch.ts";
import { withDefaults, withoutNulls } from "../../local/kube/schema-defaults.ts";
import type { ServedResource } from "../../local/kube/served-resource.ts";
import { strategicMerge } from "../../local/kube/strategic-merge.ts";
import { type KubeConnection, kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import type { Body, FuzzKind, FuzzWrite, Random } from "./kube-apply-writes.ts";

const MANAGERS = ["m1", "m2", "m3", "kubectl"];
const MEDIA_TYPES = {
  create: "application/json",
  put: "application/json",
  apply: "application/apply-patch+yaml",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
};

/** One object that is written again and again. */
export interface FuzzTarget {
  readonly kind: FuzzKind;
  readonly resource: ServedResource;
  readonly name: string;
  /** As kube-apiserver has it; undefined before it is there. */
  live: ApiObject | undefined;
}

export function randomWrite(random: Random, { kind, resource, live, name }: FuzzTarget): FuzzWrite {
  const ways = ["apply", "apply", "put", "merge", "json"] as const;
  const how = live
    ? random.pick(resource.custom ? ways : ([...ways, "strategic"] as const))
    : random.pick(["create", "apply"] as const);
  const onStatus = live !== undefined && kind.status !== undefined && random.chance(0.2);
  const part = onStatus ? { status: kind.status?.(random) } : kind.part(random);
  const head = { apiVersion: apiVersionOf(resource), kind: kind.kind };
  const place = { metadata: { name, namespace: "default" } };
  const body = {
    create: () => merged(merged(kind.base, part), { ...head, ...place }),
    apply: () => merged(live ? part : merged(kind.base, part), { ...head, ...place }),
    put: () => merged(live ?? {}, part),
    merge: () => part,
    strategic: () => part,
    json: () => [operation(random, onStatus ? ["/status/replicas"] : kind.paths)],
  }[how]();
  const manager = random.pick(MANAGERS);
  const force = random.chance(0.5);
  return { how, manager, force, body, ...(onStatus && { subresource: "status" as const }) };
}

/** Writes on both, and returns how they differ; undefined where they do not or cannot be compared. */
export async function differenceAfter(
  kube: KubeConnection,
  target: FuzzTarget,
  write: FuzzWrite,
): Promise<object | undefined> {
  const nowMs = Date.now();
  const answer = await kubeRequest(kube, requestOf(target, write));
  const ours = outcomeOf(() => written(target, write, nowMs));
  const real = answer.body as ApiObject & { message?: string; details?: { causes?: object[] } };
  const { live } = target;
  if (answer.status >= 400) {
    // Other refusals are made by the registry.
    if (answer.status !== 409 && !(ours instanceof ApiError)) return undefined;
    return differing({ live, write }, refusalOf(real), ours instanceof ApiError && refusalOf(ours));
  }
  target.live = real;
  if (ours instanceof ApiError) return { write, live, real, ours: ours.message };
  return differing({ live, write }, ownersOf(real), ownersOf(ours));
}

function requestOf({ kind, name }: FuzzTarget, write: FuzzWrite) {
  const root = kind.group === "" ? "/api/v1" : `/apis/${kind.group}/v1`;
  const path = `${root}/namespaces/default/${kind.plural}`;
  const query = `fieldManager=${write.manager}${write.how === "apply" ? `&force=${write.force}` : ""}`;
  const methods = {
    create: "POST",
    put: "PUT",
    apply: "PATCH",
    merge: "PATCH",
    strategic: "PATCH",
    json: "PATCH",
  };
  const below = write.subresource ? `/${write.subresource}` : "";
  return {
    method: methods[write.how],
    path: write.how === "create" ? `${path}?${query}` : `${path}/${name}${below}?${query}`,
    contentType: MEDIA_TYPES[write.how],
    body: write.body,
  };
}

function written({ resource, live }: FuzzTarget, write: FuzzWrite, nowMs: number): ApiObject {
  const { manager, subresource, force } = write;
  const how = { manager, subresource, resource, nowMs };
  const patch = write.body as Body;
  if (write.how === "apply") return applyObject({ ...how, live, patch, force });
  const after = {
    create: () => patch,
    put: () => patch,
    merge: () => mergePatch({ ...live }, patch),
    strategic: () => strategicMerge({ ...live }, patch, resource.schema),
    json: () => jsonPatch({ ...live }, patch),
  }[write.how]();
  return trackUpdate({ ...how, before: live, after: filled(resource, after as ApiObject) });
}

function filled(resource: ServedResource, object: ApiObject): ApiObject {
  if (!resource.custom) return defaultBuiltIn(resource, object);
  const decoded = decodedObject(resource, { ...object });
  const kept = withoutNulls(resource.schema, decoded);
  return withDefaults(resource.schema, kept) as unknown as ApiObject;
}

function outcomeOf(write: () => ApiObject): ApiObject | ApiError {
  try {
    return write();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Which manager is the first to be told of a conflict differs from run to run on the real server. */
function refusalOf(of: {
  readonly message?: string;
  readonly details?: { readonly causes?: unknown };
}): object {
  const causes = (of.details?.causes ?? []) as object[];
  return {
    message: of.message,
    causes: causes.map((cause) => JSON.stringify(inOrder(cause))).sort(),
  };
}

function ownersOf({ metadata }: ApiObject): object {
  const { managedFields = [], finalizers, labels, annotations } = metadata;
  const entries = managedFields.map((entry) => ({ ...entry, time: "" }));
  const texts = entries.map((entry) => JSON.stringify(inOrder(entry))).sort();
  return { texts, finalizers, labels, annotations };
}

/** Custom objects come with their keys in another order. */
function inOrder(value: object): object {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const inner = entries.map(([name, each]: [string, unknown]) => [
    name,
    typeof each === "object" && each !== null ? inOrder(each) : each,
  ]);
  return Object.fromEntries(inner);
}

function differing(context: object, real: object, ours: object | false): object | undefined {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return isDeepStrictEqual(plain(real), plain(ours)) ? undefined : { ...context, real, ours };
}

function merged(into: object, from: object): Body {
  const out: Body = { ...into };
  for (const [name, value] of Object.entries(from) as [string, unknown][]) {
    const known = out[name];
    out[name] = isPlain(known) && isPlain(value) ? merged(known, value) : value;
  }
  return out;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function operation(random: Random, paths: readonly string[]): object {
  const path = random.pick(paths);
  const value = path === "/status/replicas" ? 3 : random.pick(["1", "2"]);
  return { op: random.pick(["add", "add", "replace", "remove", "test"]), path, value };
}

function apiVersionOf({ group, version }: ServedResource): string {
  return group === "" ? version : `${group}/${version}`;
}
