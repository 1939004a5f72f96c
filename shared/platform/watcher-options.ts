import { createHash } from "node:crypto";

/** What runs in the watcher's pods, and what it is told. */
export interface WatcherOptions {
  /**
   * By digest. With `bundle` any that has Node 24 in its PATH, else one whose program is the watcher.
   */
  readonly image: string;
  /** An ES module that runs the watcher with its controllers in it, in gzip. Absent: the image has it. */
  readonly bundle?: Uint8Array;
  /** Environment of the pods beside what the watcher gets anyway: the names of what is in AWS, as `TIDEGATE_TABLE`. */
  readonly config: Readonly<Record<string, string>>;
  /** The role for IAM roles for service accounts. Absent: EKS Pod Identity. */
  readonly roleArn?: string;
}

/** The name of the watcher's service account, Deployment and PodDisruptionBudget. */
export const WATCHER = "watcher";
/** The one place of the names of what is in AWS. */
export const CONFIG = "tidegate-config";
/** Each version has its own: pods of one never start the code of another. */
export function bundleName(bundle: Uint8Array): string {
  return `watcher-bundle-${createHash("sha256").update(bundle).digest("hex").slice(0, 10)}`;
}
export const BUNDLE_FILE = "watcher.mjs.gz";
/** The watcher's own default. */
export const HEALTH_PORT = 8080;

/** Beside each other in one namespace there are watchers of several platforms only by mistake. */
export const SELECTOR = { "app.kubernetes.io/name": "tidegate-watcher" };
