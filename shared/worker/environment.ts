import { requireEnv } from "./require-env.ts";

/** What a function is told by its environment. */
export interface Environment {
  readonly table: string;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl?: string;
  readonly cluster: string;
  readonly revision: string;
  readonly access: ClusterAccess;
  readonly logLevel?: string;
}

/** How the function reaches the cluster: by an access file, or as an EKS cluster. */
export type ClusterAccess =
  | { readonly file: string }
  | {
      readonly endpoint: string;
      /** PEM in base64, as EKS tells it. */
      readonly certificateAuthorityData: string;
      readonly region: string;
      /** The cluster's name in EKS, where it is not the name that Tidegate has for it. */
      readonly clusterName?: string;
    };

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the environment of a function. Fails, naming the first variable that is missing. */
export function readEnvironment(env: Variables): Environment {
  const deadLetterQueueUrl = env.TIDEGATE_DEAD_LETTER_QUEUE_URL;
  const logLevel = env.TIDEGATE_LOG_LEVEL;
  return {
    table: requireEnv("TIDEGATE_TABLE", env),
    queueUrl: requireEnv("TIDEGATE_QUEUE_URL", env),
    cluster: requireEnv("TIDEGATE_CLUSTER", env),
    revision: requireEnv("TIDEGATE_REVISION", env),
    access: accessOf(env),
    ...(deadLetterQueueUrl && { deadLetterQueueUrl }),
    ...(logLevel && { logLevel }),
  };
}

function accessOf(env: Variables): ClusterAccess {
  if (env.TIDEGATE_KUBE_ACCESS) return { file: env.TIDEGATE_KUBE_ACCESS };
  if (!env.TIDEGATE_EKS_ENDPOINT) {
    throw new Error(
      "cannot reach the cluster: expected TIDEGATE_EKS_ENDPOINT or TIDEGATE_KUBE_ACCESS, got neither; set one in the function's environment",
    );
  }
  return {
    endpoint: env.TIDEGATE_EKS_ENDPOINT,
    certificateAuthorityData: requireEnv("TIDEGATE_EKS_CA", env),
    region: requireEnv("AWS_REGION", env),
    ...(env.TIDEGATE_EKS_CLUSTER && { clusterName: env.TIDEGATE_EKS_CLUSTER }),
  };
}
