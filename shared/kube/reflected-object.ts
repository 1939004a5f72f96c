import type { KubernetesObject } from "../api/object.ts";
import type { ReflectorSource } from "./reflector-source.ts";
import { metadataOf, stripped } from "./strip.ts";

/**
 * An object of a list or a watch as it is kept: with the kind and apiVersion of the source (items of lists have
 * none, and metadata-only objects another one), and without what nobody should keep. Undefined where it
 * has no name, uid or version.
 */
export function reflectedObject(
  value: unknown,
  { kind: { apiVersion, kind }, full }: ReflectorSource,
): KubernetesObject | undefined {
  const metadata = metadataOf(value);
  if (!metadata?.name || !metadata.uid || !metadata.resourceVersion) return undefined;
  const object = stripped(value as KubernetesObject);
  return full ? { ...object, apiVersion, kind } : { apiVersion, kind, metadata: object.metadata };
}
