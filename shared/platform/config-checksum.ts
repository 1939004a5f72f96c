import { createHash } from "node:crypto";

const ANNOTATION = "tidegate.dev/config-checksum";

interface Manifest {
  readonly kind?: string;
  readonly metadata?: { readonly annotations?: object };
  readonly data?: object;
  readonly binaryData?: object;
  readonly spec?: { readonly template?: Manifest };
}

/**
 * The manifests with the checksum of all their ConfigMaps in the pods of their Deployments: pods read
 * their environment once, so other values must make other pods.
 */
export function withChecksum<T extends object>(manifests: readonly T[]): readonly T[] {
  const configs = (manifests as readonly Manifest[])
    .filter(({ kind }) => kind === "ConfigMap")
    .map(({ data = {}, binaryData = {} }) => [data, binaryData]);
  const checksum = createHash("sha256").update(JSON.stringify(configs)).digest("hex").slice(0, 16);
  return manifests.map((manifest) => {
    const { kind, spec } = manifest as Manifest;
    if (kind !== "Deployment" || !spec?.template) return manifest;
    const { metadata } = spec.template;
    const annotations = { ...metadata?.annotations, [ANNOTATION]: checksum };
    const template = { ...spec.template, metadata: { ...metadata, annotations } };
    return { ...manifest, spec: { ...spec, template } };
  });
}
