import type { CustomResourceDefinition } from "./custom-resource-definition.ts";

/** Annotations have at most 262,144 bytes, and plain `kubectl apply` keeps the whole definition in one. */
const LARGE_BYTES = 200_000;

/** What is allowed, and may surprise: texts for people. None for most definitions. */
export function crdWarnings(crd: CustomResourceDefinition): readonly string[] {
  const { name } = crd.metadata;
  const served = crd.spec.versions.filter((version) => version.served);
  const { length: bytes } = Buffer.from(JSON.stringify(crd));
  const warnings: string[] = [];
  if (served.length > 1) {
    const names = served.map((version) => version.name).join(", ");
    warnings.push(
      `${name} serves ${names}, and fields are not converted between them: a field that another version lacks is dropped when that one writes the object; give all versions the same fields`,
    );
  }
  if (bytes > LARGE_BYTES) {
    warnings.push(
      `${name} has ${Math.ceil(bytes / 1000)} kB: plain kubectl apply refuses it from 262 kB on; use --server-side, or shorter descriptions`,
    );
  }
  return warnings;
}
