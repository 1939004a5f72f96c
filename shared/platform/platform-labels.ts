/** Whose all objects of a platform are; what has it may be removed with the platform. */
const PLATFORM_LABEL = "tidegate.dev/platform";

/**
 * The labels of what belongs to a platform.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/
 */
export function platformLabels(platform: string): Readonly<Record<string, string>> {
  return { "app.kubernetes.io/managed-by": "tidegate", [PLATFORM_LABEL]: platform };
}
