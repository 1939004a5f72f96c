import type { ObjectMeta } from "../api/object.ts";

/** Whose an object is; what has it may be removed with that platform. */
export const PLATFORM_LABEL = "tidegate.dev/platform";

/**
 * The labels of what belongs to a platform.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/
 */
export function platformLabels(platform: string): Readonly<Record<string, string>> {
  return { "app.kubernetes.io/managed-by": "tidegate", [PLATFORM_LABEL]: platform };
}

/** Whether an object is that platform's. */
export function belongsTo(platform: string, { labels }: Pick<ObjectMeta, "labels">): boolean {
  return labels?.[PLATFORM_LABEL] === platform;
}
