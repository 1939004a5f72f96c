import type { GuardedKind } from "./guarded-kinds.ts";

// What a template says to the function in functions/platform-manifests. Texts alone: CloudFormation makes
// one of every number and boolean.

/** Applies a part of a platform's manifests. */
export const MANIFESTS_RESOURCE = "Custom::TidegateManifests";
/** Refuses the removal of controllers whose finalizers are on objects. To be deleted first. */
export const GUARD_RESOURCE = "Custom::TidegateGuard";
/** Tells the watcher which code is deployed, where the manifests are applied by somebody else. */
export const REVISIONS_RESOURCE = "Custom::TidegateRevisions";

/** How a cluster is reached. */
export interface ClusterPlace {
  /** The name in EKS. */
  readonly cluster: string;
  readonly endpoint: string;
  /** PEM, in base64. */
  readonly certificateAuthorityData: string;
}

/** An object in S3: the manifests as an array in JSON. */
export interface Asset {
  readonly bucket: string;
  /** Another one for other content. */
  readonly key: string;
}

/**
 * When a resource does its part of a deploy (docs of the protocol, "Deploys"): definitions and access come
 * before the functions, whose new code may need them; revisions, watcher and removals after them.
 */
export type DeployStep = "before-functions" | "after-functions";

/** Which code is deployed. */
export interface RevisionsProperties {
  readonly cluster: string;
  /** Gets the revisions. */
  readonly table: string;
  /** By controller. */
  readonly revisions: Readonly<Record<string, string>>;
}

/** Properties of a `MANIFESTS_RESOURCE`. Both steps of a platform have the same manifests. */
export interface ManifestsProperties extends ClusterPlace, Asset, RevisionsProperties {
  /** Of the label on all objects. */
  readonly platform: string;
  readonly step: DeployStep;
  /** What stands for `${NAME}` in manifests other than definitions: known at deploy only. */
  readonly values: Readonly<Record<string, string>>;
}

/** How finalizers end whose controller goes. */
export type DrainWay = "refuse" | "finalize" | "strip";

/** Properties of a `GUARD_RESOURCE`. */
export interface GuardProperties extends ClusterPlace {
  readonly platform: string;
  readonly guarded: readonly GuardedKind[];
  /** Default "refuse". */
  readonly drain: DrainWay;
}
