import { readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { RenewedValue } from "./renewed-value.ts";
import type { KubeAccess } from "./wire.ts";

/** Where the kubelet puts token, CA and namespace. https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/ */
const SERVICE_ACCOUNT_DIR = "/var/run/secrets/kubernetes.io/serviceaccount";
/** How long a token read from a file is used; the kubelet puts a new one there long before its end. */
export const TOKEN_FILE_MS = 60_000;

export interface InClusterOptions {
  /** Value of KUBERNETES_SERVICE_HOST: a name or an address, IPv6 without brackets. */
  readonly host: string | undefined;
  /** Value of KUBERNETES_SERVICE_PORT. */
  readonly port: string | undefined;
  readonly clock: Clock;
  /** Default: where the kubelet puts the files. */
  readonly dir?: string;
}

export interface InClusterAccess extends KubeAccess {
  /** Resolves to the namespace of the pod. */
  readonly namespace: () => Promise<string>;
}

/**
 * The access of a pod, by its service account. The token file is read again every 60 s, and at once
 * when a token is refused; the CA for each new connection. Fails outside a pod.
 */
export function inClusterAccess(options: InClusterOptions): InClusterAccess {
  const { host, port, clock, dir = SERVICE_ACCOUNT_DIR } = options;
  if (!host || !port) {
    throw new Error(
      `cannot reach the cluster from inside: expected KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, got ${host || "none"} and ${port || "none"}; run in a pod, or use a kubeconfig`,
    );
  }
  const read = (name: string) => readServiceAccountFile(join(dir, name));
  const token = new RenewedValue(async () => {
    const goodUntilMs = clock.nowMs() + TOKEN_FILE_MS;
    return { value: await read("token"), goodUntilMs };
  }, clock);
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ca: () => read("ca.crt"),
    authorization: async (asked) => `Bearer ${await token.get(asked)}`,
    namespace: () => read("namespace"),
  };
}

async function readServiceAccountFile(path: string): Promise<string> {
  let text: string;
  try {
    text = (await readFile(path, "utf8")).trim();
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw new Error(
      `cannot read ${path}: ${code}; run in a pod whose service account token is mounted`,
      { cause },
    );
  }
  if (text === "") throw new Error(`cannot use ${path}: expected some text, got an empty file`);
  return text;
}
