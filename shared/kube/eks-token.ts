import { SignatureV4 } from "@smithy/signature-v4";
import type { Clock } from "../clock.ts";
import { dnsSuffixOf } from "./dns-suffix.ts";
import { RenewedValue } from "./renewed-value.ts";
import { Sha256 } from "./sha256.ts";

/** As the AWS SDK's credential providers give them. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

export interface EksTokenOptions {
  /** The name of the cluster in EKS, for which alone the token is good. */
  readonly clusterName: string;
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly clock: Clock;
}

/**
 * The server takes a token for 15 minutes from its date on, and no longer than its credentials live.
 * https://github.com/kubernetes-sigs/aws-iam-authenticator/blob/master/pkg/token/token.go
 */
const EKS_TOKEN_MS = 10 * 60_000;
/** Credentials that end within a minute may end on the way. */
const CREDENTIALS_MARGIN_MS = 60_000;

/**
 * Tokens for an EKS cluster, made here without any call to AWS. Each is used for 10 of its 15
 * minutes, and not beyond its credentials; `renew` makes a new one at once.
 */
export function eksTokens(
  options: EksTokenOptions,
): (asked: { readonly renew: boolean }) => Promise<string> {
  const { clock, credentials } = options;
  const token = new RenewedValue(async () => {
    const identity = await credentials();
    const nowMs = clock.nowMs();
    const value = await signEksToken({ ...options, credentials: identity, atMs: nowMs });
    const endsAtMs = identity.expiration?.getTime() ?? Number.POSITIVE_INFINITY;
    const goodUntilMs = Math.min(nowMs + EKS_TOKEN_MS, endsAtMs - CREDENTIALS_MARGIN_MS);
    return { value, goodUntilMs };
  }, clock);
  return (asked) => token.get(asked);
}

/**
 * One token: a presigned URL of STS GetCallerIdentity, with the cluster's name among the signed
 * headers, which the server asks STS to resolve to an identity. The host has to be an STS endpoint of
 * the cluster's partition.
 */
export async function signEksToken(options: {
  readonly clusterName: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}): Promise<string> {
  const { clusterName, region, credentials, atMs } = options;
  const hostname = `sts.${region}.${dnsSuffixOf(region)}`;
  const signer = new SignatureV4({ service: "sts", region, credentials, sha256: Sha256 });
  const { query = {} } = await signer.presign(
    {
      method: "GET",
      protocol: "https:",
      hostname,
      path: "/",
      query: { Action: "GetCallerIdentity", Version: "2011-06-15" },
      headers: { host: hostname, "x-k8s-aws-id": clusterName },
    },
    // The server demands a value of at most 900 and then ignores it; 60 is the custom.
    { expiresIn: 60, signingDate: new Date(atMs) },
  );
  const url = `https://${hostname}/?${queryText(query)}`;
  return `k8s-aws-v1.${Buffer.from(url).toString("base64url")}`;
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join("&");
}
