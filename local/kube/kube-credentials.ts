import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CertificateAndKey, certificateAuthority, issueCertificate } from "./certificates.ts";

/** What the embedded API server proves itself with, and what its clients do. */
export interface KubeCredentials {
  /** PEM of the authority that clients trust. */
  readonly ca: string;
  readonly tls: CertificateAndKey;
  /** The bearer token of the one user there is. */
  readonly token: string;
}

const AUTHORITY = "tidegate-local";

/** Makes new credentials, for the names of loopback. */
export function newKubeCredentials(): KubeCredentials {
  const authority = certificateAuthority(AUTHORITY);
  const tls = issueCertificate(authority, AUTHORITY, {
    // Another name than its issuer: it would be taken for signed by itself.
    commonName: "localhost",
    hosts: ["localhost", "127.0.0.1"],
  });
  return { ca: authority.certificate, tls, token: randomBytes(24).toString("base64url") };
}

/** The credentials kept in a folder, readable by this user alone, or new ones that are kept there. */
export async function keptKubeCredentials(dir: string): Promise<KubeCredentials> {
  const file = join(dir, "credentials.json");
  try {
    return JSON.parse(await readFile(file, "utf8")) as KubeCredentials;
  } catch {
    // There are none, or they cannot be read: new ones do as well.
  }
  const credentials = newKubeCredentials();
  await mkdir(dir, { recursive: true });
  await writePrivate(file, JSON.stringify(credentials));
  return credentials;
}

/** Writes a kubeconfig for clients such as kubectl. */
export async function writeKubeconfig(
  file: string,
  { url, ca, token }: { readonly url: string; readonly ca: string; readonly token: string },
): Promise<void> {
  const name = "tidegate";
  // JSON is YAML, too.
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name,
        cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") },
      },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  await writePrivate(file, `${JSON.stringify(config, null, 2)}\n`);
}

async function writePrivate(file: string, text: string): Promise<void> {
  const written = `${file}.new`;
  await writeFile(written, text, { mode: 0o600 });
  await rename(written, file);
}
