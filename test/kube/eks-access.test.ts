import { createHash, createHmac } from "node:crypto";
import { expect, test } from "@jest/globals";
import { eksAccess } from "../../shared/kube/eks-access.ts";
import { type AwsCredentials, eksTokens, signEksToken } from "../../shared/kube/eks-token.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { client, loopback, pem } from "./loopback.ts";

const MINUTE_MS = 60_000;
const credentials: AwsCredentials = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: "a/session+token==",
};
const now = { renew: false };

const urlOf = (token: string) =>
  new URL(Buffer.from(token.replace(/^k8s-aws-v1\./, ""), "base64url").toString("utf8"));

/** The date of a token's signature. */
const dateOf = (token: string) => urlOf(token).searchParams.get("X-Amz-Date");

/** Signature Version 4, step by step as AWS documents it, with node:crypto alone. */
function expectedUrl(cluster: string, date: string): string {
  const day = date.slice(0, 8);
  const scope = `${day}/eu-central-1/sts/aws4_request`;
  const query = [
    ["Action", "GetCallerIdentity"],
    ["Version", "2011-06-15"],
    ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
    ["X-Amz-Credential", `AKIDEXAMPLE/${scope}`],
    ["X-Amz-Date", date],
    ["X-Amz-Expires", "60"],
    ["X-Amz-Security-Token", "a/session+token=="],
    ["X-Amz-SignedHeaders", "host;x-k8s-aws-id"],
  ]
    .map((pair) => pair.map((text) => encodeURIComponent(text)).join("="))
    .join("&");
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const hmac = (key: string | Buffer, text: string) =>
    createHmac("sha256", key).update(text).digest();
  const host = "sts.eu-central-1.amazonaws.com";
  const canonical = [
    "GET",
    "/",
    query,
    `host:${host}`,
    `x-k8s-aws-id:${cluster}`,
    "",
    "host;x-k8s-aws-id",
    sha256(""),
  ];
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical.join("\n"))].join("\n");
  const key = [day, "eu-central-1", "sts", "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  return `https://${host}/?${query}&X-Amz-Signature=${hmac(key, toSign).toString("hex")}`;
}

test("a token is the presigned URL that AWS's own steps give", async () => {
  const token = await signEksToken({
    clusterName: "prod-1",
    region: "eu-central-1",
    credentials,
    atMs: Date.UTC(2026, 10, 30, 12, 34, 56),
  });

  const url = urlOf(token);
  const expected = new URL(expectedUrl("prod-1", "20261130T123456Z"));
  expect(token).toMatch(/^k8s-aws-v1\.[A-Za-z0-9_-]+$/);
  expect(url.origin + url.pathname).toBe("https://sts.eu-central-1.amazonaws.com/");
  expect(new Map(url.searchParams)).toEqual(new Map(expected.searchParams));
});

test("the cluster's name is part of what is signed", async () => {
  const sign = (clusterName: string) =>
    signEksToken({ clusterName, region: "eu-central-1", credentials, atMs: 0 });

  const signatures = await Promise.all(["a", "b"].map(sign));

  const [a, b] = signatures.map((token) => urlOf(token).searchParams.get("X-Amz-Signature"));
  expect(a).not.toBe(b);
});

test.each([
  ["us-east-1", "sts.us-east-1.amazonaws.com"],
  ["us-gov-west-1", "sts.us-gov-west-1.amazonaws.com"],
  ["cn-north-1", "sts.cn-north-1.amazonaws.com.cn"],
  ["eusc-de-east-1", "sts.eusc-de-east-1.amazonaws.eu"],
  ["us-iso-east-1", "sts.us-iso-east-1.c2s.ic.gov"],
])("in %s the host is %s", async (region, host) => {
  const token = await signEksToken({ clusterName: "a", region, credentials, atMs: 0 });

  expect(urlOf(token).host).toBe(host);
});

function signing(given: () => Promise<AwsCredentials> = async () => credentials) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  let asked = 0;
  const counted = async () => {
    asked += 1;
    return given();
  };
  const options = { clusterName: "prod", region: "eu-central-1", credentials: counted, clock };
  return { clock, options, token: eksTokens(options), asked: () => asked };
}

test("B31: a token is used for 10 of its 15 minutes, and longer by nobody", async () => {
  const { clock, token } = signing();
  expect(dateOf(await token(now))).toBe("20260101T000000Z");

  await clock.advance(10 * MINUTE_MS - 1);
  expect(dateOf(await token(now))).toBe("20260101T000000Z");
  await clock.advance(1);
  expect(dateOf(await token(now))).toBe("20260101T001000Z");
});

test("B31: after a freeze of 20 minutes a new token is made", async () => {
  const { clock, token } = signing();
  await token(now);

  clock.step(20 * MINUTE_MS);

  expect(dateOf(await token(now))).toBe("20260101T002000Z");
});

test("B31: a token is not used beyond its credentials", async () => {
  const endsAtMs = Date.UTC(2026, 0, 1, 0, 5);
  const { clock, token } = signing(async () => ({
    ...credentials,
    expiration: new Date(endsAtMs),
  }));
  await token(now);

  await clock.advance(4 * MINUTE_MS - 1);
  expect(dateOf(await token(now))).toBe("20260101T000000Z");
  await clock.advance(1);
  expect(dateOf(await token(now))).toBe("20260101T000400Z");
});

test("B31: many who ask at once make one token, and so do those who were refused", async () => {
  const { token, asked } = signing();

  await Promise.all(Array.from({ length: 10 }, () => token(now)));
  expect(asked()).toBe(1);
  await Promise.all(Array.from({ length: 10 }, () => token({ renew: true })));
  expect(asked()).toBe(2);
});

test("credentials that fail once are asked for again", async () => {
  let fail = true;
  const { token } = signing(async () => {
    if (!fail) return credentials;
    fail = false;
    throw new Error("cannot get credentials");
  });

  await expect(token(now)).rejects.toThrow("cannot get credentials");
  expect(await token(now)).toMatch(/^k8s-aws-v1\./);
});

test("B31: a warm client of a cluster outlives its token by hours", async () => {
  const { clock, options } = signing();
  const identity = { cert: pem("server-a"), key: pem("server-a-key") };
  await using server = await loopback(
    ({ headers, answer }) => {
      const date = dateOf(String(headers.authorization).replace("Bearer ", "")) ?? "";
      const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
      const signedMs = Date.UTC(
        Number(y),
        Number(mo) - 1,
        Number(d),
        Number(h),
        Number(mi),
        Number(s),
      );
      answer(clock.nowMs() - signedMs < 15 * MINUTE_MS ? 200 : 401, {});
    },
    { tls: identity },
  );
  const certificateAuthorityData = Buffer.from(pem("ca-a")).toString("base64");
  using kube = client(eksAccess({ ...options, server: server.server, certificateAuthorityData }), {
    clock,
  });

  for (let minute = 0; minute < 180; minute += 7) {
    expect((await kube.request({ method: "GET", path: "/version" })).status).toBe(200);
    await clock.advance(7 * MINUTE_MS);
  }
  expect(server.got.every(({ headers }) => headers.authorization !== undefined)).toBe(true);
  expect(server.got).toHaveLength(26); // None was refused.
});

test("says what is expected as CA", () => {
  const { options } = signing();

  expect(() =>
    eksAccess({ ...options, server: "https://a", certificateAuthorityData: pem("ca-a") }),
  ).toThrow(
    "cannot use the CA of cluster prod: expected PEM in base64, got something else; give certificateAuthority.data of the cluster",
  );
});
