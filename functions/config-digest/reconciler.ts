import { createHash } from "node:crypto";
import { ConfigMap, canonicalJson, type Reconciler } from "tidegate";
import type { configDigestController } from "./controller.ts";

/** Keeps beside each labelled ConfigMap a second one with the digest of its data. */
export const configDigestReconciler: Reconciler<typeof configDigestController> = {
  async reconcile(config, { apply }) {
    await apply(ConfigMap, {
      metadata: { name: digestNameOf(config.metadata.name) },
      data: { sha256: digestOf(config) },
    });
  },
};

/** An object's name has 253 characters at most, so a long one is shortened by its hash. */
export function digestNameOf(name: string): string {
  const suffix = ".digest";
  if (name.length + suffix.length <= 253) return `${name}${suffix}`;
  return `${sha256(name)}${suffix}`;
}

function digestOf({ data, binaryData }: ConfigMap): string {
  return sha256(canonicalJson({ data, binaryData }));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
