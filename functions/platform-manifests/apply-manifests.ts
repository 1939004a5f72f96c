import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject } from "../../shared/api/object.ts";
import { Definition } from "../../shared/platform/definition-kind.ts";
import { inParallel } from "../../shared/platform/drain.ts";
import { established } from "../../shared/platform/established.ts";
import { objectText } from "../../shared/platform/object-list.ts";
import { belongsTo, PLATFORM_LABEL } from "../../shared/platform/platform-labels.ts";
import { type ClusterWork, FIELD_MANAGER } from "./cluster-work.ts";
import { MANIFEST_KINDS, type Manifest } from "./manifest.ts";

export interface ApplyOptions {
  readonly platform: string;
  /** Roles and bindings keep what they allowed: whoever still runs may need it. */
  readonly widening: boolean;
  /** To what was there before a deploy that failed. */
  readonly rollingBack: boolean;
}

/** "left": it is somebody else's, or newer and in use. */
export type AppliedState = "created" | "changed" | "unchanged" | "left";

/**
 * Applies the manifests kind by kind, in the order in which one needs another, with conflicts of fields
 * decided for them. Resolves to what became of each, once the definitions are served. Rejects naming
 * every object of a kind that failed, before it goes on to the next kind.
 */
export async function applyManifests(
  work: ClusterWork,
  manifests: readonly Manifest[],
  options: ApplyOptions,
): Promise<readonly AppliedState[]> {
  const states: AppliedState[] = [];
  for (const kind of MANIFEST_KINDS) {
    const faults: string[] = [];
    const these = manifests.filter((manifest) => manifest.kind === kind);
    await inParallel(these, async (manifest) => {
      try {
        states.push(await applyOne(work, manifest, options));
        if (kind === Definition) await established(work, manifest.key.name);
      } catch (error) {
        work.signal.throwIfAborted();
        faults.push(error instanceof Error ? error.message : String(error));
      }
    });
    if (faults.length > 0) {
      const of = `${faults.length} of ${these.length} of kind ${kind.kind}`;
      throw new Error(`cannot apply the manifests: ${of} failed: ${faults.sort().join("; ")}`);
    }
  }
  return states;
}

async function applyOne(
  { client, log, signal }: ClusterWork,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<AppliedState> {
  const { kind, key } = manifest;
  const live = await client.get(kind, key, { signal });
  if (live && foreign(manifest, live, options)) return "left";
  const object = live && options.widening ? widened(manifest.object, live) : manifest.object;
  const how = { fieldManager: FIELD_MANAGER, fieldValidation: "Strict", force: true } as const;
  try {
    const { object: now } = await client.apply(kind, key, object, { ...how, signal });
    const same = live?.metadata.resourceVersion === now.metadata.resourceVersion;
    const state = same ? "unchanged" : live ? "changed" : "created";
    log.info("applied", { object: objectText(manifest), state });
    return state;
  } catch (error) {
    if (!options.rollingBack || !storesMore(live, error)) throw error;
    log.warn("left as it is: objects are stored in a version that it did not have before", {
      object: objectText(manifest),
    });
    return "left";
  }
}

/** Definitions are anybody's; a namespace that was there before is used as it is. */
function foreign(
  { kind, key }: Manifest,
  live: KubernetesObject,
  { platform }: ApplyOptions,
): boolean {
  if (kind === Definition || belongsTo(platform, live.metadata)) return false;
  if (kind.kind === "Namespace") return true;
  throw new Error(
    `cannot apply ${objectText({ kind, key })}: expected none, or one with label ${PLATFORM_LABEL}=${platform}, got somebody else's; remove it, or give it the label to have it taken over`,
  );
}

/** The API server takes no version away that objects are stored in. */
function storesMore(live: object | undefined, error: unknown): boolean {
  const { status, message } = error as { readonly status?: number; readonly message?: string };
  return live !== undefined && status === 422 && /status\.storedVersions/.test(message ?? "");
}

/** What roles and bindings allow, and whom. */
const ALLOWING = ["rules", "subjects"] as const;

type Allowing = { readonly [K in (typeof ALLOWING)[number]]?: readonly unknown[] };

/** A role or binding with what it allows beside what it is to allow; anything else as it is to be. */
function widened(object: object, live: object): object {
  const fields = ALLOWING.flatMap((field) => {
    const wanted = (object as Allowing)[field];
    const had = (live as Allowing)[field] ?? [];
    if (!wanted) return [];
    const more = had.filter((one) => !wanted.some((each) => isDeepStrictEqual(each, one)));
    return [[field, [...wanted, ...more]] as const];
  });
  return { ...object, ...Object.fromEntries(fields) };
}
