import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { Definition } from "../shared/platform/definition-kind.ts";
import { type ClusterValues, onCluster } from "./cluster-options.ts";
import type { CommandContext } from "./command-context.ts";
import { readUrl, SOURCE_LIMIT_BYTES } from "./import-url.ts";

/** The text behind a file, an https URL or the name of a definition in the cluster. */
export async function readSource(
  source: string,
  values: ClusterValues,
  context: CommandContext,
): Promise<string> {
  if (/^\w+:\/\//.test(source)) return readUrl(source, { fetch, signal: context.stopping });
  const file = resolve(context.cwd, source);
  if (existsSync(file)) return readText(file);
  // As definitions are named: PLURAL.GROUP.
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(source) && !/\.(ya?ml|json)$/.test(source)) {
    return readInstalled(source, values, context);
  }
  throw new Error(
    `cannot import ${source}: expected a file, an https URL, or the name of a definition such as certificates.cert-manager.io, got none of these`,
  );
}

async function readText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > SOURCE_LIMIT_BYTES) {
    throw new Error(
      `cannot import ${file}: expected at most ${SOURCE_LIMIT_BYTES} bytes, got ${size}`,
    );
  }
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`cannot import ${file}: expected a file that can be read`, { cause });
  });
}

async function readInstalled(name: string, values: ClusterValues, context: CommandContext) {
  return onCluster(values, context, async ({ client, title }) => {
    const found = await client.get(Definition, { namespace: "", name });
    if (found) return JSON.stringify(found);
    throw new Error(
      `cannot import ${name}: expected a definition of that name in ${title}, or a file, got none; "kubectl get crds" lists them`,
    );
  });
}

/** The source as it may stand in a file: without what is this machine's alone, or secret. */
export function sourceText(source: string, cwd: string): string {
  const url = URL.parse(source);
  if (url?.protocol === "https:") return `${url.origin}${url.pathname}`;
  return isAbsolute(source) ? relative(cwd, source) : source;
}
