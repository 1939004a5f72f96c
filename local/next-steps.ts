import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { builtInResources } from "./kube/built-in-resources.ts";
import type { ResourceFile } from "./read-definitions.ts";

/**
 * What somebody can do next with the embedded cluster: command lines to be copied into a shell in
 * `cwd`, made from what the function folders define.
 */
export function nextSteps({
  kubeconfigFile,
  definitions,
  cwd,
}: {
  readonly kubeconfigFile: string;
  readonly definitions: readonly ResourceFile[];
  readonly cwd: string;
}): string {
  const files = definitions.filter(({ crds }) => crds.length > 0);
  const sample = files
    .map(({ file }) => join(dirname(file), "sample.yaml"))
    .find((file) => existsSync(file));
  const commands = [
    `export KUBECONFIG=${shellWord(relative(cwd, kubeconfigFile))}`,
    ...(sample === undefined ? [] : [`kubectl apply -f ${shellWord(relative(cwd, sample))}`]),
    getCommand(namesOf(files.flatMap(({ crds }) => crds))),
  ];
  const lines = commands.map((command) => `    ${command}\n`);
  return `\n  The cluster is embedded. In another terminal:\n\n${lines.join("")}`;
}

/** What kubectl finds each kind by: with its group where a kind of another one has the same plural. */
function namesOf(crds: ResourceFile["crds"]): readonly string[] {
  const builtIn = builtInResources().map(({ plural }) => plural);
  const plurals = [...builtIn, ...crds.map(({ spec }) => spec.names.plural)];
  return crds.map(({ metadata, spec: { names } }) => {
    const alone = plurals.filter((plural) => plural === names.plural).length === 1;
    return alone ? names.plural : metadata.name;
  });
}

/** kubectl watches one kind at a time. */
function getCommand(plurals: readonly string[]): string {
  if (plurals.length === 0) return "kubectl get all";
  return `kubectl get ${plurals.join(",")}${plurals.length === 1 ? " --watch" : ""}`;
}

/** A word of a command line, quoted where a shell would read more into it. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
