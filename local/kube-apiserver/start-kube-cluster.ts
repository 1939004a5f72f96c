import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { requireFreePort } from "../free-port.ts";
import { KubeCluster } from "./kube-cluster.ts";
import { type KubeUser, writeKubeFiles } from "./kube-files.ts";
import type { KubePrograms } from "./kube-programs.ts";
import type { KubeConnection } from "./kube-request.ts";
import { tryLock } from "./lock-file.ts";

export interface KubeClusterOptions {
  readonly programs: KubePrograms;
  /** Kept afterwards. Default: a temporary folder, removed at the end. */
  readonly dataDir?: string | undefined;
  /** Of 127.0.0.1. Default: a free one. */
  readonly port?: number | undefined;
  /** Default "AlwaysAllow": whoever can log in may do anything. */
  readonly authorization?: "AlwaysAllow" | "RBAC" | undefined;
  /** Logs each request, without its body, to `auditLogPath`. Default false. */
  readonly audit?: boolean | undefined;
  /** Who may log in by token, besides the admin. Others can by `kubeconfigFor`. */
  readonly users?: readonly KubeUser[] | undefined;
  /** Runs the real garbage collector and namespace controller, if there are any. Default true. */
  readonly garbageCollector?: boolean | undefined;
  /** Further controllers, which work until the signal is aborted and do not reject. Default: none. */
  readonly controllers?:
    | ((connection: KubeConnection, signal: AbortSignal) => Promise<void>)
    | undefined;
  /** Further flags of kube-apiserver. They come last, so they win. */
  readonly apiserverFlags?: readonly string[] | undefined;
  /** Does not keep this process alive, with whose end all ends. Default false. */
  readonly background?: boolean | undefined;
  /** Stops everything once aborted. */
  readonly signal?: AbortSignal | undefined;
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
  /** Of etcd now. */
  readonly etcdPid: () => number;
  /** Kills etcd as a crash would. Data stay; `restartEtcd` brings it back. */
  readonly killEtcd: () => Promise<void>;
  /** Starts etcd again after `killEtcd`; kube-apiserver finds it by itself. */
  readonly restartEtcd: () => Promise<void>;
  /** Ends everything and removes what was temporary. Can be called again. */
  readonly stop: () => Promise<void>;
}

/** Begins the name of each temporary folder of this process. */
export const RUN_DIR = `tidegate-kube-${process.pid}-`;

/**
 * Starts etcd and kube-apiserver on loopback, and resolves once they are ready (5 s or so). They end
 * with this process, however it ends.
 *
 * There are no nodes and no other controllers: pods stay pending. Admission by service accounts is
 * off, so that pods can be made at all.
 */
export async function startKubeCluster(options: KubeClusterOptions): Promise<Kube> {
  const { signal } = options;
  const port = await requireFreePort({ what: "Kubernetes", port: options.port ?? 0 });
  signal?.throwIfAborted();

  // Its own folder even where data are kept: the path of a socket may have 107 bytes at most.
  const runDir = await mkdtemp(join(tmpdir(), RUN_DIR));
  const dataDir = options.dataDir ?? runDir;
  const lockPath = join(dataDir, "lock");
  try {
    await mkdir(dataDir, { recursive: true });
    await requireLock(lockPath);
    const files = await writeKubeFiles(join(dataDir, "pki"), options.users ?? []);
    return await KubeCluster.start({ options, files, port, runDir, dataDir, lockPath });
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
