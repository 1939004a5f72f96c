import { Definition } from "../../shared/platform/definition-kind.ts";
import { objectText } from "../../shared/platform/object-list.ts";
import { belongsTo } from "../../shared/platform/platform-labels.ts";
import type { ClusterWork } from "./cluster-work.ts";
import { MANIFEST_KINDS, type ObjectRef } from "./manifest.ts";
import { foreignContent } from "./namespace-content.ts";

/** As many are named. */
const NAMED = 5;

/**
 * Removes those of the objects that have the platform's label, what needs others first, and resolves to
 * how many. Never a definition: with it would go every object of its kind. Never a namespace with
 * something in it that is not the platform's.
 */
export async function removeObjects(
  work: ClusterWork,
  refs: readonly ObjectRef[],
  platform: string,
): Promise<number> {
  const { client, log, signal } = work;
  let removed = 0;
  for (const ref of lastFirst(refs)) {
    const { kind, key } = ref;
    if (kind === Definition) continue;
    const { metadata } = (await client.get(kind, key, { signal })) ?? {};
    if (!metadata || metadata.deletionTimestamp !== undefined) continue;
    const why = belongsTo(platform, metadata)
      ? await occupied(work, ref, platform)
      : "it has not the platform's label";
    if (why === undefined) {
      await client.delete(kind, key, { propagation: "Background", uid: metadata.uid, signal });
      removed += 1;
    }
    log.info(why === undefined ? "removed" : "kept", {
      object: objectText(ref),
      ...(why && { why }),
    });
  }
  return removed;
}

function lastFirst(refs: readonly ObjectRef[]): readonly ObjectRef[] {
  const rank = ({ kind }: ObjectRef) => MANIFEST_KINDS.indexOf(kind);
  return refs.toSorted((a, b) => rank(b) - rank(a));
}

async function occupied(
  work: ClusterWork,
  { kind, key }: ObjectRef,
  platform: string,
): Promise<string | undefined> {
  if (kind.kind !== "Namespace") return undefined;
  const content = await foreignContent(work, key.name, platform);
  if (content.length === 0) return undefined;
  const more = content.length > NAMED ? `, and ${content.length - NAMED} more` : "";
  return `there is ${content.slice(0, NAMED).join(", ")}${more}`;
}
