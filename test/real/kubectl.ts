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

/** Makes or changes an object, as `kubectl apply --server-side` does. */
export async function kubectlApply(
  kube: Pick<Kube, "kubectlPath" | "kubeconfigPath">,
  object: object,
): Promise<void> {
  const args = ["--kubeconfig", kube.kubeconfigPath, "apply", "--server-side", "-f", "-"];
  const running = run(kube.kubectlPath ?? "kubectl", args);
  running.child.stdin?.end(JSON.stringify(object));
  await running;
}
