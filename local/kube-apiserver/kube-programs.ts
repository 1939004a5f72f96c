import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";

/** Paths of the programs of one Kubernetes version. */
export interface KubePrograms {
  readonly etcd: string;
  readonly kubeApiserver: string;
  /** Undefined where there is none. */
  readonly kubectl: string | undefined;
  /** Undefined where there is none. */
  readonly kubeControllerManager: string | undefined;
}

/** Where the programs are in a folder, present or not. */
export function programsIn(folder: string) {
  return {
    etcd: join(folder, "etcd"),
    kubeApiserver: join(folder, "kube-apiserver"),
    kubectl: join(folder, "kubectl"),
    kubeControllerManager: join(folder, "kube-controller-manager"),
  };
}

/**
 * The programs in the folder that KUBEBUILDER_ASSETS names, as envtest's. Rejects with one line where
 * etcd or kube-apiserver is missing.
 */
export async function assetsIn(folder: string): Promise<KubePrograms> {
  const { etcd, kubeApiserver, kubectl, kubeControllerManager } = programsIn(folder);
  for (const path of [etcd, kubeApiserver]) {
    if (await runnable(path)) continue;
    const got = (await there(folder)) ? "none" : "no such folder";
    throw new Error(
      `no program ${path}: KUBEBUILDER_ASSETS is expected to name a folder that holds etcd and ` +
        `kube-apiserver, got ${got}; name another one, or unset it`,
    );
  }
  return {
    etcd,
    kubeApiserver,
    kubectl: (await runnable(kubectl)) ? kubectl : undefined,
    kubeControllerManager: (await runnable(kubeControllerManager))
      ? kubeControllerManager
      : undefined,
  };
}

/** Whether there is a program that may be run. */
export async function runnable(path: string): Promise<boolean> {
  return (await there(path)) && !(await stat(path)).isDirectory();
}

async function there(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
