import { spawn } from "node:child_process";
import { systemClock } from "../../shared/clock.ts";
import type { KubectlOutput } from "./kubectl-mask.ts";
import type { KubectlStep } from "./kubectl-step.ts";

/** A kubectl of one version against one server. */
export interface KubectlRun {
  readonly path: string;
  readonly kubeconfigPath: string;
  readonly namespace: string;
  /** Holds what kubectl remembers of the server. */
  readonly home: string;
}

/** Long enough for a kubectl to wait for what comes; sooner is no fault, it then is there already. */
const WAITING_MS = 1_200;
const LIMIT_MS = 90_000;

/** Runs one step; resolves to what was printed. */
export async function runStep(run: KubectlRun, step: KubectlStep): Promise<KubectlOutput> {
  const { meanwhile = [], until } = step;
  const input = typeof step.input === "object" ? JSON.stringify(step.input) : step.input;
  const running = runKubectl(run, step.args, {
    input: meanwhile.length > 0 ? undefined : input,
    until,
  });
  if (meanwhile.length > 0) await systemClock.sleep(WAITING_MS);
  for (const args of meanwhile) {
    const { code, stderr } = await runKubectl(run, args, { input });
    if (code !== 0) throw new Error(`cannot run kubectl ${args.join(" ")}: ${stderr}`);
  }
  return running;
}

interface RunOptions {
  readonly input?: string | undefined;
  readonly until?: number | undefined;
}

function runKubectl(
  { path, kubeconfigPath, namespace, home }: KubectlRun,
  args: readonly string[],
  { input = "", until }: RunOptions,
): Promise<KubectlOutput> {
  const own = args.some(
    (word) => word === "-n" || word === "-A" || word.startsWith("--namespace="),
  );
  const where = own ? [] : ["--namespace", namespace];
  const child = spawn(path, ["--kubeconfig", kubeconfigPath, ...where, ...args], {
    env: { PATH: process.env.PATH, HOME: home, EDITOR: "true", TERM: "dumb" },
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    if (until !== undefined && stdout.split("\n").length > until) child.kill();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // It may end without having read it.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => {
      clearTimeout(limit);
      resolve({ stdout, stderr, code });
    });
  });
}
