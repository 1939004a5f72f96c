import { homedir } from "node:os";
import { join } from "node:path";
import {
  assetsIn,
  type KubePrograms,
  programsIn,
  runnable,
} from "../../local/kube-apiserver/kube-programs.ts";
import { buildKube } from "./kube-build.ts";

/** The Kubernetes version that is built unless another one is asked for. */
export const KUBERNETES_VERSION = "1.37.2";

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
export async function kubeBinaries(options: KubeBinariesOptions): Promise<KubePrograms> {
  const { env, progress, signal, version = KUBERNETES_VERSION } = options;
  if (env.KUBEBUILDER_ASSETS) return assetsIn(env.KUBEBUILDER_ASSETS);

  if (!/^1\.\d+\.\d+/.test(version)) {
    throw new Error(`no Kubernetes version ${version}: expected one like ${KUBERNETES_VERSION}`);
  }
  const folder = join(cacheFolder(env), "tidegate", "kube", version);
  const built = programsIn(folder);
  if (!(await allPresent(Object.values(built))))
    await buildKube({ version, folder, env, progress, signal });
  return built;
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  return env.XDG_CACHE_HOME || join(homedir(), ".cache");
}

async function allPresent(paths: readonly string[]): Promise<boolean> {
  return (await Promise.all(paths.map(runnable))).every(Boolean);
}
