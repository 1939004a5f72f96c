import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type CertificateAndKey,
  certificateAuthority,
  issueCertificate,
  signingKeys,
} from "../kube/certificates.ts";
import type { KubeConnection } from "./kube-request.ts";

/** Someone who may log in with a token. */
export interface KubeUser {
  readonly name: string;
  readonly groups?: readonly string[] | undefined;
  readonly token: string;
}

/** What kube-apiserver needs on disk, and what its clients need to trust it. */
export interface KubeFiles {
  readonly caPath: string;
  readonly authority: CertificateAndKey;
  readonly adminToken: string;
  /** Of a user of its own, so that an audit log tells its requests from the admin's. */
  readonly controllersToken: string;
  readonly auditPolicyPath: string;
  /** Flags of kube-apiserver that name the other files. */
  readonly flags: readonly string[];
}

/** Writes into the folder what is not there yet, so that a folder that is kept keeps its tokens. */
export async function writeKubeFiles(
  folder: string,
  users: readonly KubeUser[],
): Promise<KubeFiles> {
  await mkdir(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  const authority = await kept(at("ca.json"), () => certificateAuthority(AUTHORITY));
  const serving = await kept(at("serving.json"), () =>
    issueCertificate(authority, AUTHORITY, {
      commonName: "kube-apiserver",
      hosts: ["127.0.0.1", "localhost", "kubernetes.default.svc"],
    }),
  );
  const signing = await kept(at("signing.json"), signingKeys);
  const tokens = await kept(at("tokens.json"), () => ({
    admin: randomBytes(24).toString("hex"),
    deploymentController: randomBytes(24).toString("hex"),
  }));

  await write(at("ca.crt"), authority.certificate);
  await write(at("serving.crt"), serving.certificate);
  await write(at("serving.key"), serving.key);
  await write(at("signing.key"), signing.privateKey);
  await write(at("signing.pub"), signing.publicKey);
  const groups = ["system:masters"];
  const everyone = [
    { name: "admin", groups, token: tokens.admin },
    { name: "deployment-controller", groups, token: tokens.deploymentController },
    ...users,
  ];
  await write(at("tokens.csv"), everyone.map(tokenLine).join(""));
  await write(at("audit-policy.json"), JSON.stringify(AUDIT_POLICY));
  return {
    caPath: at("ca.crt"),
    authority,
    adminToken: tokens.admin,
    controllersToken: tokens.deploymentController,
    auditPolicyPath: at("audit-policy.json"),
    flags: [
      `--client-ca-file=${at("ca.crt")}`,
      `--tls-cert-file=${at("serving.crt")}`,
      `--tls-private-key-file=${at("serving.key")}`,
      `--service-account-key-file=${at("signing.pub")}`,
      `--service-account-signing-key-file=${at("signing.key")}`,
      `--token-auth-file=${at("tokens.csv")}`,
    ],
  };
}

/** The client certificate of a user, who needs no token and may be made up at any time. */
export function clientCertificate(
  authority: CertificateAndKey,
  user: Omit<KubeUser, "token">,
): CertificateAndKey {
  return issueCertificate(authority, AUTHORITY, {
    commonName: user.name,
    organizations: user.groups,
  });
}

/** How a kubeconfig logs in. */
export type KubeCredentials = { readonly token: string } | CertificateAndKey;

/** The text of a kubeconfig with one context, "tidegate". */
export function kubeconfig(
  { url, ca }: Omit<KubeConnection, "token">,
  credentials: KubeCredentials,
): string {
  const user =
    "token" in credentials
      ? [`    token: ${credentials.token}`]
      : [
          `    client-certificate-data: ${base64(credentials.certificate)}`,
          `    client-key-data: ${base64(credentials.key)}`,
        ];
  return [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    "- name: tidegate",
    "  cluster:",
    `    server: ${url}`,
    `    certificate-authority-data: ${base64(ca)}`,
    "users:",
    "- name: tidegate",
    "  user:",
    ...user,
    "contexts:",
    "- name: tidegate",
    "  context: {cluster: tidegate, user: tidegate, namespace: default}",
    "current-context: tidegate",
    "",
  ].join("\n");
}

/** Writes a file that only its owner may read. */
export async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}

const AUTHORITY = "tidegate-kube-ca";

/** One line for each request, with who, what and the answer's status; no bodies. */
const AUDIT_POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Metadata" }],
};

/** The format of kube-apiserver's --token-auth-file: token, user, uid, "group,group". */
function tokenLine({ token, name, groups = [] }: KubeUser): string {
  return `${token},"${name}","${name}","${groups.join(",")}"\n`;
}

async function kept<Value>(path: string, make: () => Value): Promise<Value> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text !== undefined) return JSON.parse(text) as Value;
  const made = make();
  await write(path, JSON.stringify(made));
  return made;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
