import { delimiter, resolve } from "node:path";
import type { DevAccount } from "./dev-account.ts";

export interface DevOptions {
  /** A path, or several, joined as in $KUBECONFIG. Absent: the embedded cluster. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Serves SQS and DynamoDB, for this process alone. Absent: the embedded servers. */
  readonly awsEndpoint?: string;
  /** Queue and table in AWS. Absent: on this machine, or at the endpoint. */
  readonly account?: DevAccount;
  /** The name under which records of this cluster are kept. */
  readonly cluster: string;
  readonly functionsDir: string;
  readonly dataDir: string;
  readonly fresh: boolean;
  /** First of four ports: queue, table, watcher, embedded cluster. */
  readonly port: number;
  readonly verbose: boolean;
}

const DEFAULT_PORT = 7370;
const PORTS = 4;

/** The options of `dev` as they were written. */
export interface DevValues {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly awsEndpoint?: string;
  readonly cluster?: string;
  readonly functions?: string;
  readonly data?: string;
  readonly fresh?: boolean;
  readonly port?: string;
  readonly verbose?: boolean;
}

/** Reads what was written. Fails with one line on a value that is out of range. */
export function devOptionsOf(values: DevValues): DevOptions {
  requireText(values);
  const port = Number(values.port ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port + PORTS - 1 > 65_535) {
    throw new Error(
      `cannot read --port: expected a number from 1 to ${65_536 - PORTS}, got "${values.port}"`,
    );
  }
  const cluster = values.cluster ?? "local";
  if (!/^[a-zA-Z0-9][-a-zA-Z0-9_]{0,19}$/.test(cluster)) {
    throw new Error(
      `cannot read --cluster: expected at most 20 letters, digits, "-" and "_", got "${cluster}"`,
    );
  }
  if (values.context !== undefined && values.kubeconfig === undefined) {
    throw new Error("cannot use --context: expected --kubeconfig FILE beside it");
  }
  const awsEndpoint = endpointOf(values.awsEndpoint);
  if (awsEndpoint !== undefined && values.fresh) {
    throw new Error(
      "cannot use --fresh with --aws-endpoint: its queues and tables are not ours to empty; " +
        "start that server anew, or use a --cluster NAME that it does not know",
    );
  }
  return {
    ...(awsEndpoint === undefined ? {} : { awsEndpoint }),
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: absolute(values.kubeconfig) }),
    ...(values.context === undefined ? {} : { context: values.context }),
    cluster,
    functionsDir: resolve(values.functions ?? "functions"),
    dataDir: resolve(values.data ?? ".tidegate"),
    fresh: values.fresh ?? false,
    port,
    verbose: values.verbose ?? false,
  };
}

/** An empty name, as of a variable that is not set, would mean the present folder. */
function requireText(values: DevValues): void {
  const empty = Object.entries(values).find(([, value]) => value === "");
  if (!empty) return;
  const option = empty[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new Error(`cannot read --${option}: expected a value, got ""; see --help`);
}

function endpointOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/") {
    return url.origin;
  }
  throw new Error(
    `cannot read --aws-endpoint: expected a URL like http://127.0.0.1:5000, got "${value}"`,
  );
}

function absolute(paths: string): string {
  return paths
    .split(delimiter)
    .filter(Boolean)
    .map((path) => resolve(path))
    .join(delimiter);
}
