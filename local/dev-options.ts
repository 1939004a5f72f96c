import { delimiter, resolve } from "node:path";
import { parseArgs } from "node:util";

export interface DevOptions {
  /** A path, or several, joined as in $KUBECONFIG. Absent: the embedded cluster. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Serves SQS and DynamoDB, for this process alone. Absent: the embedded servers. */
  readonly awsEndpoint?: string;
  /** The name under which records of this cluster are kept. */
  readonly cluster: string;
  readonly functionsDir: string;
  readonly dataDir: string;
  readonly fresh: boolean;
  /** First of four ports: queue, table, watcher, embedded cluster. */
  readonly port: number;
  readonly verbose: boolean;
}

export const DEV_HELP = `Usage: tidegate dev [OPTIONS]        (in Tidegate's own repository: npm start -- [OPTIONS])

Runs your controllers on this machine: an embedded Kubernetes API server (or a cluster of yours),
the watcher, an embedded SQS queue, an embedded DynamoDB table, and each function in processes of
its own, reloaded when its sources change. All state is kept in .tidegate/ and found again by the
next start; .tidegate/kubeconfig is for kubectl.

Options:
  --kubeconfig FILE   a cluster of yours instead of the embedded one
  --context NAME      a context of that file (default: its current one)
  --aws-endpoint URL  a server of SQS and DynamoDB, such as moto's, instead of the embedded ones;
                      one that no other "tidegate dev" uses; not with --fresh, its state is its own
  --cluster NAME      the name under which records are kept (default: local)
  --functions DIR     one folder a controller (default: functions)
  --data DIR          where state is kept (default: .tidegate)
  --fresh             begins with an empty queue, table and embedded cluster
  --port N            first of four ports on 127.0.0.1 (default: 7370): queue N, table N+1,
                      health and metrics of the watcher N+2, embedded cluster N+3
  --verbose           shows every line of watcher and functions, metrics included
  --help              shows this text

Examples:
  tidegate dev
  tidegate dev --kubeconfig ~/.kube/config --context test
  tidegate dev --fresh
`;

const DEFAULT_PORT = 7370;
const PORTS = 4;

/** Reads the command line of `dev`. Fails with one line on an option that is unknown or out of range. */
export function devOptionsOf(args: string[]): DevOptions | "help" {
  const values = valuesOf(args);
  if (values.help) return "help";
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
  const awsEndpoint = endpointOf(values["aws-endpoint"]);
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
function requireText(values: ReturnType<typeof valuesOf>): void {
  const empty = Object.entries(values).find(([, value]) => value === "");
  if (empty) throw new Error(`cannot read --${empty[0]}: expected a value, got ""; see --help`);
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

function valuesOf(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        kubeconfig: { type: "string" },
        context: { type: "string" },
        "aws-endpoint": { type: "string" },
        cluster: { type: "string" },
        functions: { type: "string" },
        data: { type: "string" },
        fresh: { type: "boolean" },
        port: { type: "string" },
        verbose: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new Error(`cannot read the command line: ${(error as Error).message}; see --help`, {
      cause: error,
    });
  }
}
