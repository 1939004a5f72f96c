import { createHash, createHmac } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createAssetReader } from "../../functions/platform-manifests/aws-asset.ts";
import type { Fetch } from "../../functions/platform-manifests/custom-resource.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";

const CREDENTIALS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "secret-key",
  sessionToken: "session-token",
};
const ASSET = { bucket: "assets-1", key: "team a/manifests.json" };

type Call = readonly [string, Parameters<Fetch>[1]];

function reading(answers: readonly (readonly [number, string] | Error)[]) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 30));
  const calls: Call[] = [];
  const fetch: Fetch = async (...call) => {
    calls.push(call);
    const answer = answers[calls.length - 1];
    if (!answer || answer instanceof Error) throw answer;
    const [status, text] = answer;
    return { status, text: async () => text };
  };
  const options = { region: "eu-west-1", credentials: async () => CREDENTIALS, fetch, clock };
  return { clock, calls, read: createAssetReader(options) };
}

const signal = new AbortController().signal;

test("an asset is asked for with the signature that S3 will compute", async () => {
  const { calls, read } = reading([[200, "[]"]]);
  expect(await read(ASSET, signal)).toBe("[]");
  const [url, { headers }] = calls[0] as Call;
  expect(url).toBe("https://s3.eu-west-1.amazonaws.com/assets-1/team%20a/manifests.json");
  const { authorization = "", ...others } = headers;
  expect(headers["x-amz-date"]).toBe("20261130T000000Z");
  expect(headers["x-amz-security-token"]).toBe("session-token");
  const sent = { ...others, host: "s3.eu-west-1.amazonaws.com" };
  expect(authorization).toBe(expectedAuthorization(new URL(url).pathname, sent));
});

test("what S3 cannot do for now is tried again, what it refuses is told with its code", async () => {
  const denied = "<Error><Code>AccessDenied</Code></Error>";
  const { clock, calls, read } = reading([new Error("socket hang up"), [503, ""], [403, denied]]);
  const reads = read(ASSET, signal).catch((error: unknown) => error);
  await clock.advance(10_000);
  expect(String(await reads)).toMatch(
    /cannot read the manifests: expected s3:\/\/assets-1\/team a\/manifests.json, got 403 AccessDenied; the function's role needs s3:GetObject/,
  );
  expect(calls).toHaveLength(3);
});

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function expectedAuthorization(path: string, headers: Readonly<Record<string, string>>): string {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const hmac = (key: string | Buffer, text: string) =>
    createHmac("sha256", key).update(text).digest();
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join("");
  const signed = names.join(";");
  const request = ["GET", path, "", lines, signed, sha256("")].join("\n");
  const scope = "20261130/eu-west-1/s3/aws4_request";
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(request)].join("\n");
  const key = ["20261130", "eu-west-1", "s3", "aws4_request"].reduce<string | Buffer>(
    hmac,
    "AWS4secret-key",
  );
  const signature = hmac(key, text).toString("hex");
  return `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
}
