import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { isIPv4 } from "node:net";

/** A certificate and its private key, both PEM. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateSubject {
  /** The user, for a client of Kubernetes. */
  readonly commonName: string;
  /** The user's groups, for a client of Kubernetes. */
  readonly organizations?: readonly string[] | undefined;
  /** Host names and IPv4 addresses that a server answers to. Without any, it is a client's. */
  readonly hosts?: readonly string[] | undefined;
}

/** Makes a new certificate authority, valid for ten years. */
export function certificateAuthority(commonName: string): CertificateAndKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = distinguishedName({ commonName });
  const extensions = [
    extension(OIDS.basicConstraints, sequence(der(0x01, Buffer.from([0xff])))),
    // keyCertSign and cRLSign.
    extension(OIDS.keyUsage, der(0x03, Buffer.from([1, 0x06]))),
  ];
  const signed = { issuer: name, subject: name, publicKey, extensions };
  return { certificate: certificatePem(signed, privateKey), key: keyPem(privateKey) };
}

/** Makes a certificate of the authority for a server or a client, valid for ten years. */
export function issueCertificate(
  authority: CertificateAndKey,
  issuer: string,
  subject: CertificateSubject,
): CertificateAndKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const hosts = subject.hosts ?? [];
  const usage = hosts.length > 0 ? OIDS.serverAuth : OIDS.clientAuth;
  const extensions = [
    extension(OIDS.keyUsage, der(0x03, Buffer.from([7, 0x80]))), // digitalSignature
    extension(OIDS.extendedKeyUsage, sequence(oid(usage))),
    ...(hosts.length > 0
      ? [extension(OIDS.subjectAltName, sequence(...hosts.map(generalName)))]
      : []),
  ];
  const signed = {
    issuer: distinguishedName({ commonName: issuer }),
    subject: distinguishedName(subject),
    publicKey,
    extensions,
  };
  const certificate = certificatePem(signed, createPrivateKey(authority.key));
  return { certificate, key: keyPem(privateKey) };
}

/** Makes a key pair for signing service account tokens, both PEM. */
export function signingKeys(): { readonly publicKey: string; readonly privateKey: string } {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "pem" });
  return {
    publicKey: String(publicKey),
    privateKey: String(privateKey.export({ type: "sec1", format: "pem" })),
  };
}

/** Object identifiers of RFC 5280 and RFC 5758, https://www.rfc-editor.org/rfc/rfc5280. */
const OIDS = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
};

const DAY_MS = 24 * 3_600_000;

interface ToBeSigned {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

function certificatePem(content: ToBeSigned, signer: KeyObject): string {
  const algorithm = sequence(oid(OIDS.ecdsaWithSha256));
  const nowMs = Date.now();
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))), // Version 3.
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    algorithm,
    content.issuer,
    // A day of slack for clocks that differ.
    sequence(utcTime(nowMs - DAY_MS), utcTime(nowMs + 3650 * DAY_MS)),
    content.subject,
    content.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...content.extensions)),
  );
  const certificate = sequence(body, algorithm, bits(sign("sha256", body, signer)));
  const base64 = certificate.toString("base64").replace(/.{64}(?!$)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

function keyPem(key: KeyObject): string {
  return String(key.export({ type: "pkcs8", format: "pem" }));
}

function distinguishedName({ commonName, organizations = [] }: CertificateSubject): Buffer {
  const attribute = (type: string, value: string) =>
    der(0x31, sequence(oid(type), der(0x0c, Buffer.from(value))));
  return sequence(
    ...organizations.map((organization) => attribute(OIDS.organization, organization)),
    attribute(OIDS.commonName, commonName),
  );
}

function extension(type: string, value: Buffer): Buffer {
  return sequence(oid(type), der(0x04, value));
}

function generalName(host: string): Buffer {
  return isIPv4(host)
    ? der(0x87, Buffer.from(host.split(".").map(Number)))
    : der(0x82, Buffer.from(host));
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function integer(value: Buffer): Buffer {
  return der(0x02, value);
}

function bits(value: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([0]), value]));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const low = value & 0x7f;
  const high: number[] = [];
  for (let left = value >>> 7; left > 0; left >>>= 7) high.unshift((left & 0x7f) | 0x80);
  return [...high, low];
}

/** One value in DER: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...derLength(content.length)]), content]);
}

/** In the fewest bytes, as DER demands. No content here has 64 KiB. */
function derLength(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >>> 8, length & 0xff];
}
