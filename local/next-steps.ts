import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { definitionFiles, definitionsIn } from "./dev-definitions.ts";

/**
 * What somebody can do next with the embedded cluster: command lines to be copied into a shell in
 * `cwd`, made from what the function folders hold.
 */
export async function nextSteps({
  kubeconfigFile,
  functionsDir,
  cwd,
}: {
  readonly kubeconfigFile: string;
  readonly functionsDir: string;
  readonly cwd: string;
}): Promise<string> {
  const definitions = await definitionFiles(functionsDir);
  const sample = definitions
    .map((file) => join(dirname(file), "sample.yaml"))
    .find((file) => existsSync(file));
  const commands = [
    `export KUBECONFIG=${shellWord(relative(cwd, kubeconfigFile))}`,
    ...(sample === undefined ? [] : [`kubectl apply -f ${shellWord(relative(cwd, sample))}`]),
    getCommand((await Promise.all(definitions.map(pluralsIn))).flat()),
  ];
  const lines = commands.map((command) => `    ${command}\n`);
  return `\n  The cluster is embedded. In another terminal:\n\n${lines.join("")}`;
}

/** kubectl watches one kind at a time. */
function getCommand(plurals: readonly string[]): string {
  if (plurals.length === 0) return "kubectl get all";
  return `kubectl get ${plurals.join(",")}${plurals.length === 1 ? " --watch" : ""}`;
}

async function pluralsIn(file: string): Promise<readonly string[]> {
  return definitionsIn(await readFile(file, "utf8")).map(({ spec }) => spec.names.plural);
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
