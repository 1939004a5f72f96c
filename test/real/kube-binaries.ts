import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { buildKube } from "./kube-build.ts";

/** The Kubernetes version that is built unless another one is asked for. */
export const KUBERNETES_VERSION = "1.37.2";

/** Paths of the programs of one Kubernetes version. */
export interface KubeBinaries {
  readonly etcd: string;
  readonly kubeApiserver: string;
  /** Undefined if the folder of KUBEBUILDER_ASSETS has none. */
  readonly kubectl: string | undefined;
  /** Undefined if the folder of KUBEBUILDER_ASSETS has none: then nothing collects garbage. */
  readonly kubeControllerManager: string | undefined;
}

export interface KubeBinariesOptions {
  /** Without a leading "v". Default KUBERNETES_VERSION. Ignored where KUBEBUILDER_ASSETS is set. */
  readonly version?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Called with one line whenever there is something to tell a person who waits. */
  readonly progress: (line: string) => void;
  /** Gives up building. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves to programs that are ready to run: those in KUBEBUILDER_ASSETS if that is set, else those
 * in the cache, which it first builds from Go modules if they are missing (many minutes).
 *
 * Rejects if the folder of KUBEBUILDER_ASSETS lacks a program, or if there is no Go to build with.
 */
export async function kubeBinaries(options: KubeBinariesOptions): Promise<KubeBinaries> {
  const { env, progress, signal, version = KUBERNETES_VERSION } = options;
  if (env.KUBEBUILDER_ASSETS) return assets(env.KUBEBUILDER_ASSETS);

  if (!/^1\.\d+\.\d+/.test(version)) {
    throw new Error(`no Kubernetes version ${version}: expected one like ${KUBERNETES_VERSION}`);
  }
  const folder = join(cacheFolder(env), "tidegate", "kube", version);
  const built = binariesIn(folder);
  if (!(await allPresent(Object.values(built))))
    await buildKube({ version, folder, env, progress, signal });
  return built;
}

/** Where the programs are in a folder, present or not. */
export function binariesIn(folder: string) {
  return {
    etcd: join(folder, "etcd"),
    kubeApiserver: join(folder, "kube-apiserver"),
    kubectl: join(folder, "kubectl"),
    kubeControllerManager: join(folder, "kube-controller-manager"),
  };
}

async function assets(folder: string): Promise<KubeBinaries> {
  const { etcd, kubeApiserver, kubectl, kubeControllerManager } = binariesIn(folder);
  for (const path of [etcd, kubeApiserver]) {
    if (await present(path)) continue;
    throw new Error(
      `no program ${path}: KUBEBUILDER_ASSETS is expected to hold etcd and kube-apiserver; ` +
        "unset it to have them built from Go modules",
    );
  }
  return {
    etcd,
    kubeApiserver,
    kubectl: (await present(kubectl)) ? kubectl : undefined,
    kubeControllerManager: (await present(kubeControllerManager))
      ? kubeControllerManager
      : undefined,
  };
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  return env.XDG_CACHE_HOME || join(homedir(), ".cache");
}

async function allPresent(paths: readonly string[]): Promise<boolean> {
  return (await Promise.all(paths.map(present))).every(Boolean);
}

async function present(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
