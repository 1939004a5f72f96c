import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { CommandContext } from "./command-context.ts";

/** The kubeconfig that kubectl would read: that of `--kubeconfig`, KUBECONFIG, or ~/.kube/config. */
export function kubeconfigFile(
  { kubeconfig }: { readonly kubeconfig?: string },
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
): string {
  const files = kubeconfig || env.KUBECONFIG || join(env.HOME ?? homedir(), ".kube", "config");
  const paths = files.split(delimiter).filter(Boolean);
  return paths.map((path) => resolve(cwd, path)).join(delimiter);
}
