import type { Logger } from "../../shared/api/log.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import type { Asset, ClusterPlace } from "../../shared/platform/custom-resources.ts";

/**
 * What CloudFormation sends for a custom resource. `ResponseURL` is a secret: who has it may answer.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref-requests.html
 */
export interface CustomResourceEvent {
  readonly RequestType: "Create" | "Update" | "Delete";
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly ResourceType: string;
  readonly LogicalResourceId: string;
  /** Absent for a Create. */
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
  /** Those before an Update. */
  readonly OldResourceProperties?: Readonly<Record<string, unknown>>;
}

/** What a request led to. */
export interface Outcome {
  /** Another one than before makes CloudFormation delete that one, once all else is done. */
  readonly physicalId: string;
  /** Absent: it succeeded. */
  readonly failure?: string;
  /** What `Fn::GetAtt` answers. */
  readonly data?: Readonly<Record<string, string>>;
}

/** What the function works with. */
export interface Host {
  readonly clock: Clock;
  readonly log: Logger;
  readonly fetch: Fetch;
  readonly transportTo: (place: ClusterPlace) => Transport;
  /** The text of an object in S3. */
  readonly readAsset: (asset: Asset, signal: AbortSignal) => Promise<string>;
  readonly putRevision: (revision: DeployedRevision) => Promise<void>;
}

/** Which code of a controller is deployed, and the table that tells the watcher. */
export interface DeployedRevision {
  readonly table: string;
  readonly cluster: string;
  readonly controller: string;
  readonly revision: string;
}

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  options: {
    readonly method: "GET" | "PUT";
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly status: number; readonly text: () => Promise<string> }>;
