import { ConfigMap } from "../../shared/api/kinds.ts";
import { platformLabels } from "../../shared/platform/platform-labels.ts";
import { type ClusterWork, FIELD_MANAGER } from "./cluster-work.ts";
import { kindOf, type ObjectRef, refId } from "./manifest.ts";

/**
 * What a stack has applied to a cluster, kept there: so a roll-back, and a deletion without the manifests,
 * know what to remove.
 */
export interface Inventory {
  /** The stack's ARN, which is another one after it was made anew. */
  readonly stack: string;
  /** Everything that may be there, what failed to be applied included. */
  readonly refs: readonly ObjectRef[];
  /** The manifests that were applied to the end, and those that were begun last. */
  readonly completed: string;
  readonly attempted: string;
}

/** Undefined where the platform is not in the cluster. */
export async function readInventory(
  { client, signal }: ClusterWork,
  platform: string,
): Promise<Inventory | undefined> {
  const found = await client.get(ConfigMap, keyOf(platform), { signal });
  if (!found) return undefined;
  const { stack = "", objects = "", completed = "", attempted = "" } = found.data ?? {};
  const refs = objects.split("\n").flatMap(refOf);
  return { stack, refs, completed, attempted };
}

export async function writeInventory(
  { client, signal }: ClusterWork,
  platform: string,
  { refs, ...rest }: Inventory,
): Promise<void> {
  const lines = refs.map(({ kind, key }) =>
    [kind.apiVersion, kind.kind, key.namespace, key.name].join(" "),
  );
  const metadata = { labels: platformLabels(platform) };
  const object = { metadata, data: { ...rest, objects: lines.sort().join("\n") } };
  const options = { fieldManager: FIELD_MANAGER, force: true, signal };
  await client.apply(ConfigMap, keyOf(platform), object, options);
}

export async function removeInventory(
  { client, signal }: ClusterWork,
  platform: string,
): Promise<void> {
  await client.delete(ConfigMap, keyOf(platform), { signal });
}

/** Fails where the platform is another stack's. */
export function checkStack(found: Inventory | undefined, stack: string, platform: string): void {
  if (!found || found.stack === stack) return;
  const { namespace, name } = keyOf(platform);
  throw new Error(
    `cannot deploy platform ${platform}: expected it to be that of ${stack}, got ${found.stack}; give one of them another name, or, if that stack is gone, delete ConfigMap ${namespace}/${name}`,
  );
}

/** One list with all objects of both. */
export function joined(
  one: readonly ObjectRef[],
  other: readonly ObjectRef[],
): readonly ObjectRef[] {
  return [...new Map([...one, ...other].map((ref) => [refId(ref), ref])).values()];
}

/** Not in the watcher's namespace, which may not be there yet, and goes. */
function keyOf(platform: string) {
  return { namespace: "kube-system", name: `tidegate-inventory-${platform}` };
}

/** What this version does not know is left alone. */
function refOf(line: string): readonly ObjectRef[] {
  const [apiVersion = "", name = "", namespace = "", objectName = ""] = line.split(" ");
  const kind = kindOf(apiVersion, name);
  return kind ? [{ kind, key: { namespace, name: objectName } }] : [];
}
