import { createHash } from "node:crypto";
import { Stack } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import type { Controller } from "../shared/api/controller.ts";
import type { EksCluster } from "./cluster.ts";
import type { ControllerQueues } from "./controller-queues.ts";

export interface FunctionVariablesOptions extends ControllerQueues {
  readonly controller: Controller;
  readonly cluster: EksCluster;
  readonly table: ITable;
  readonly revision: string;
  /** The user's own. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The environment of a controller's function: what `reconcileHandler` reads, and what the user adds.
 * Fails where the user sets what is not the user's to set, and where all is larger than Lambda takes.
 */
export function functionVariables(
  scope: Construct,
  options: FunctionVariablesOptions,
): Record<string, string> {
  const { controller, cluster, environment } = options;
  // A function works for one cluster, so that the environment can hold how to reach it.
  const own = {
    TIDEGATE_TABLE: options.table.tableName,
    TIDEGATE_QUEUE_URL: options.queue.queueUrl,
    TIDEGATE_DEAD_LETTER_QUEUE_URL: options.deadLetterQueue.queueUrl,
    TIDEGATE_CLUSTER: cluster.name,
    TIDEGATE_REVISION: options.revision,
    TIDEGATE_EKS_ENDPOINT: cluster.endpoint,
    TIDEGATE_EKS_CA: cluster.certificateAuthorityData,
  };
  const taken = Object.keys(environment).find((name) => name in own || RESERVED.test(name));
  if (taken !== undefined) {
    throw new Error(
      `cannot set ${taken} for controller ${controller.name}: expected a variable that neither Tidegate nor Lambda sets; rename it`,
    );
  }
  const variables = { ...environment, ...own };
  checkSize(controller.name, Stack.of(scope).resolve(variables) as Record<string, unknown>);
  return variables;
}

/** Which code this is: the hash of the bundle, which holds the definition, and of the environment. */
export function revisionOf(
  scope: Construct,
  codeHash: string,
  environment: Readonly<Record<string, string>>,
): string {
  const names = Object.keys(environment).sort();
  const values = Stack.of(scope).resolve(names.map((name) => environment[name])) as unknown;
  const text = JSON.stringify([codeHash, names, values]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
const RESERVED =
  /^(AWS_(REGION|DEFAULT_REGION|ACCESS_KEY(_ID)?|SECRET_ACCESS_KEY|SESSION_TOKEN|EXECUTION_ENV|LAMBDA_.*)|_HANDLER|_X_AMZN_.*|LAMBDA_TASK_ROOT|LAMBDA_RUNTIME_DIR)$/;

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const MAX_BYTES = 4_096;
/** About what is known at deploy only: a URL, a name; a cluster's CA is longer. */
const UNKNOWN_BYTES = 100;
const UNKNOWN_CA_BYTES = 1_500;

function checkSize(controller: string, variables: Readonly<Record<string, unknown>>): void {
  const sizes = Object.entries(variables).map(([name, value]) => {
    if (typeof value === "string") return Buffer.byteLength(name + value);
    return name.length + (name === "TIDEGATE_EKS_CA" ? UNKNOWN_CA_BYTES : UNKNOWN_BYTES);
  });
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes <= MAX_BYTES) return;
  throw new Error(
    `cannot deploy controller ${controller}: expected at most ${MAX_BYTES} bytes of environment, got ${bytes}; put large values into the code, or into a parameter that the function reads`,
  );
}
