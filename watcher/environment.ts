/** What the watcher program is told by its environment. */
export interface WatcherEnvironment {
  readonly table: string;
  readonly cluster: string;
  /** By controller name. */
  readonly queueUrls: ReadonlyMap<string, string>;
  /** An access file; absent: in the cluster, by the pod's service account. */
  readonly kubeAccess?: string;
  readonly port: number;
  readonly podName?: string;
  readonly kubernetesHost?: string;
  readonly kubernetesPort?: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = 8080;

/** Reads the environment. Fails with one line that names every variable that is wrong. */
export function readEnvironment(env: Variables): WatcherEnvironment {
  const faults: string[] = [];
  const required = (name: string): string => {
    const value = env[name];
    if (!value) faults.push(`${name} to be set`);
    return value ?? "";
  };
  const table = required("TIDEGATE_TABLE");
  const cluster = required("TIDEGATE_CLUSTER");
  const urls = required("TIDEGATE_QUEUE_URLS");
  const queueUrls = urls === "" ? new Map<string, string>() : queueUrlsOf(urls);
  if (!queueUrls) faults.push(`TIDEGATE_QUEUE_URLS to be JSON { controller: URL }, got ${urls}`);
  const port = Number(env.TIDEGATE_PORT || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    faults.push(`TIDEGATE_PORT to be a port, got ${env.TIDEGATE_PORT}`);
  }
  if (faults.length > 0) {
    throw new Error(`cannot start the watcher: expected ${faults.join(", and ")}`);
  }
  return {
    table,
    cluster,
    queueUrls: queueUrls ?? new Map(),
    port,
    ...optional("kubeAccess", env.TIDEGATE_KUBE_ACCESS),
    ...optional("podName", env.TIDEGATE_POD_NAME),
    ...optional("kubernetesHost", env.KUBERNETES_SERVICE_HOST),
    ...optional("kubernetesPort", env.KUBERNETES_SERVICE_PORT),
  };
}

function queueUrlsOf(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
    const entries = Object.entries(value);
    const whole = entries.every(([, url]) => typeof url === "string" && URL.canParse(url));
    return whole ? new Map(entries as [string, string][]) : undefined;
  } catch {
    return undefined; // Not JSON: told by the caller.
  }
}

function optional<N extends string>(
  name: N,
  value: string | undefined,
): { readonly [K in N]?: string } {
  return value ? ({ [name]: value } as { readonly [K in N]: string }) : {};
}
