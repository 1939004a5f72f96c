import type { CustomResourceEvent } from "./custom-resource.ts";

/** Of a Create that failed before it could tell what it is for. Nothing was made. */
export const UNKNOWN_ID = "tidegate:unknown";

/**
 * What stands for a part of a platform in a cluster. The same properties give the same one, whatever else
 * changes; another cluster or platform makes another, so that CloudFormation deletes the old one.
 */
export function physicalIdOf(parts: {
  readonly cluster: string;
  readonly platform: string;
  readonly part: string;
}): string {
  return `tidegate:${parts.cluster}:${parts.platform}:${parts.part}`;
}

/**
 * What a request that failed is answered with. An Update keeps the id that there was, else CloudFormation
 * would delete what it stands for; a Create tells its own, so that what it made is deleted.
 */
export function idAfterFailure(event: CustomResourceEvent): string {
  if (event.PhysicalResourceId !== undefined) return event.PhysicalResourceId;
  const { cluster, platform, step = "guard" } = event.ResourceProperties;
  if (![cluster, platform, step].every((each) => typeof each === "string")) return UNKNOWN_ID;
  return physicalIdOf({ cluster, platform, part: step } as Parameters<typeof physicalIdOf>[0]);
}
