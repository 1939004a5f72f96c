import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Kube } from "./kube-apiserver.ts";

const run = promisify(execFile);

/** Runs a real kubectl against the cluster; resolves to what it printed. Rejects with its error text. */
export async function kubectl(
  kube: Pick<Kube, "kubectlPath" | "kubeconfigPath">,
  ...args: readonly string[]
): Promise<string> {
  const program = kube.kubectlPath ?? "kubectl";
  const { stdout } = await run(program, ["--kubeconfig", kube.kubeconfigPath, ...args]);
  return stdout;
}

/** The object as JSON. */
export async function kubectlGet<T = Record<string, never>>(
  kube: Pick<Kube, "kubectlPath" | "kubeconfigPath">,
  ...args: readonly string[]
): Promise<T> {
  return JSON.parse(await kubectl(kube, "get", ...args, "-o", "json")) as T;
}
