import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DeploymentView } from "./deployment-controller.ts";
import { kubeBinaries } from "./kube-binaries.ts";
import { KubeCluster } from "./kube-cluster.ts";
import { type KubeUser, writeKubeFiles } from "./kube-files.ts";
import { tryLock } from "./kube-lock.ts";
import type { KubeConnection } from "./kube-request.ts";

export interface KubeOptions {
  /** Kept afterwards. Default: a temporary folder, removed at the end. */
  readonly dataDir?: string | undefined;
  /** Of 127.0.0.1. Default: a free one. */
  readonly port?: number | undefined;
  /** Kubernetes version without "v". Default KUBERNETES_VERSION. */
  readonly version?: string | undefined;
  /** Default "AlwaysAllow": whoever can log in may do anything. */
  readonly authorization?: "AlwaysAllow" | "RBAC" | undefined;
  /** Logs each request, without its body, to `auditLogPath`. Default false. */
  readonly audit?: boolean | undefined;
  /** Who may log in by token, besides the admin. Others can by `kubeconfigFor`. */
  readonly users?: readonly KubeUser[] | undefined;
  /** Runs the real garbage collector and namespace controller, if there are any. Default true. */
  readonly garbageCollector?: boolean | undefined;
  /** Runs our small Deployment controller. Default true. */
  readonly deployments?: boolean | undefined;
  /** How many replicas of a Deployment become available. Default: all. */
  readonly availableReplicas?: ((deployment: DeploymentView) => number) | undefined;
  /** Further flags of kube-apiserver. They come last, so they win. */
  readonly apiserverFlags?: readonly string[] | undefined;
  /** Stops everything once aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Default process.env. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Told of long waits, in lines. Default: nobody. */
  readonly progress?: ((line: string) => void) | undefined;
}

/** A kube-apiserver that runs, with all that a client needs. `token` is the admin's. */
export interface Kube extends KubeConnection {
  /** With the admin's token. */
  readonly kubeconfigPath: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly caPath: string;
  /** Holds logs and data. */
  readonly dataDir: string;
  /** One JSON audit event a line. Empty or missing without `audit`. */
  readonly auditLogPath: string;
  /** As the server tells it, such as "v1.37.2". */
  readonly version: string;
  /** A kubectl of the same version, if there is one. */
  readonly kubectlPath: string | undefined;
  /** Of kube-apiserver now; a signal to it tests how clients bear a server that hangs. */
  readonly pid: () => number;
  /** Writes a kubeconfig with a client certificate of that user; resolves to its path. */
  readonly kubeconfigFor: (user: Omit<KubeUser, "token">) => Promise<string>;
  /**
   * Forgets old versions of all objects in etcd. kube-apiserver answers from memory until `restart`;
   * then paged lists and watches from before end with 410.
   */
  readonly compact: () => Promise<void>;
  /** Kills kube-apiserver as a crash would. Data stay; `restart` brings it back. */
  readonly kill: () => Promise<void>;
  /** Stops kube-apiserver if it runs, and starts it again at the same URL. */
  readonly restart: () => Promise<void>;
  /** Ends everything and removes what was temporary. Can be called again. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts etcd and kube-apiserver on loopback, and resolves once they are ready (5 s or so, plus
 * minutes if they have to be built first).
 *
 * There are no nodes and no other controllers: pods stay pending. Admission by service accounts is
 * off, so that pods can be made at all.
 */
export async function startKube(options: KubeOptions = {}): Promise<Kube> {
  const { env = process.env, progress = () => {}, version, signal } = options;
  const binaries = await kubeBinaries({ version, env, progress, signal });
  if (options.port !== undefined) await requireFree(options.port);
  const port = options.port ?? (await freePort());
  signal?.throwIfAborted();

  // Its own folder even where data are kept: the path of a socket may have 107 bytes at most.
  const runDir = await mkdtemp(join(tmpdir(), "tidegate-kube-"));
  const dataDir = options.dataDir ?? runDir;
  const lockPath = join(dataDir, "lock");
  try {
    await mkdir(dataDir, { recursive: true });
    await requireLock(lockPath);
    const files = await writeKubeFiles(join(dataDir, "pki"), options.users ?? []);
    const plan = { options, binaries, files, port, runDir, dataDir, lockPath };
    return await KubeCluster.start(plan);
  } catch (error) {
    await rm(runDir, { recursive: true, force: true });
    throw error;
  }
}

async function requireLock(path: string): Promise<void> {
  if (await tryLock(path)) return;
  throw new Error(
    `cannot use the data in ${dirname(path)}: expected them free, got ${path} of a process that ` +
      "runs; stop that one, or choose another folder",
  );
}

async function requireFree(port: number): Promise<void> {
  await listenOnce(port).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(
      `cannot serve Kubernetes on 127.0.0.1:${port}: expected a free port, got ${cause.code}; ` +
        "choose another port, or none to get a free one",
      { cause },
    );
  });
}

/** The port may be taken again by the time it is used, which is rare enough for tests. */
async function freePort(): Promise<number> {
  return listenOnce(0);
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : port;
}
