import { SignatureV4 } from "@smithy/signature-v4";
import type { Clock } from "../../shared/clock.ts";
import { dnsSuffixOf } from "../../shared/kube/dns-suffix.ts";
import type { AwsCredentials } from "../../shared/kube/eks-token.ts";
import { Sha256 } from "../../shared/kube/sha256.ts";
import type { Asset } from "../../shared/platform/custom-resources.ts";
import type { Fetch } from "./custom-resource.ts";

export interface AssetOptions {
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Default: S3 in the region. */
  readonly endpoint?: string;
}

const TRIES = 4;

/**
 * Reads the text of an object in S3. Rejects with what S3 says; broken connections and 5xx are tried
 * again. S3's own client would be a third of a megabyte for this one GET.
 */
export function createAssetReader(
  options: AssetOptions,
): (asset: Asset, signal: AbortSignal) => Promise<string> {
  return async (asset, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const met = await read(options, asset, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        return { status: 599, text: error instanceof Error ? error.message : String(error) };
      });
      if (met.status === 200) return met.text;
      if (met.status < 500 || attempt === TRIES) throw failure(asset, met);
      await options.clock.sleep(500 * 2 ** attempt, signal);
      signal.throwIfAborted();
    }
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function read(
  { region, credentials, fetch, clock, endpoint }: AssetOptions,
  { bucket, key }: Asset,
  signal: AbortSignal,
): Promise<Answer> {
  const { protocol, host, hostname } = new URL(
    endpoint ?? `https://s3.${region}.${dnsSuffixOf(region)}`,
  );
  const signer = new SignatureV4({
    service: "s3",
    region,
    credentials: await credentials(),
    sha256: Sha256,
    uriEscapePath: false, // S3 alone signs a path as it is sent.
  });
  const path = `/${[bucket, ...key.split("/")].map(encodeURIComponent).join("/")}`;
  const { headers } = await signer.sign(
    { method: "GET", protocol, hostname, path, headers: { host } },
    { signingDate: new Date(clock.nowMs()) },
  );
  const { host: _, ...sent } = headers;
  const response = await fetch(`${protocol}//${host}${path}`, {
    method: "GET",
    headers: sent,
    signal,
  });
  return { status: response.status, text: await response.text() };
}

function failure({ bucket, key }: Asset, { status, text }: Answer): Error {
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  const got = status === 599 ? text : [status, code].filter(Boolean).join(" ");
  return new Error(
    `cannot read the manifests: expected s3://${bucket}/${key}, got ${got}; the function's role needs s3:GetObject on it, and in a VPC a way to S3`,
  );
}
