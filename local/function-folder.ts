import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Mapping } from "../shared/api/mapping.ts";
import { type Described, describeFiles, loadError } from "./describe-files.ts";

/** One folder of `functions/`: a controller and its function. */
export interface FunctionFolder {
  readonly name: string;
  readonly dir: string;
  readonly controllerFile: string;
  readonly handlerFile: string;
  readonly timeoutSeconds: number;
  readonly mapping: Mapping;
  /** From `local.env`, where there is one. */
  readonly env: Readonly<Record<string, string>>;
}

type Summary = Pick<FunctionFolder, "name" | "timeoutSeconds" | "mapping">;

/**
 * Reads all function folders in a process of its own, so that it can be done again after an edit.
 * Rejects naming the file when a definition does not load, and when two share a name.
 */
export async function readFunctionFolders(
  functionsDir: string,
): Promise<readonly FunctionFolder[]> {
  const dirs = await dirsWithController(functionsDir);
  if (dirs.length === 0) {
    throw new Error(
      `cannot find controllers in ${functionsDir}: expected folders with controller.ts and handler.ts; make one with "tidegate create api", or name another with --functions`,
    );
  }
  const files = dirs.map((dir) => join(dir, "controller.ts"));
  const described = await describeFiles<Summary>("describe-controllers", files);
  const folders = await Promise.all(dirs.map((dir, index) => folderOf(dir, described[index])));
  const names = folders.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new Error(
      `cannot run two controllers named ${twice}: expected each name once in ${functionsDir}`,
    );
  }
  return folders;
}

/** The folders below `functionsDir` that hold a controller, sorted. Rejects where there is no such folder. */
export async function dirsWithController(functionsDir: string): Promise<string[]> {
  const entries = await readdir(functionsDir, { withFileTypes: true }).catch((error: unknown) => {
    throw new Error(`cannot read ${functionsDir}: expected a folder of functions`, {
      cause: error,
    });
  });
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => join(functionsDir, name))
    .filter((dir) => existsSync(join(dir, "controller.ts")))
    .sort();
}

async function folderOf(
  dir: string,
  described: Described<Summary> | undefined,
): Promise<FunctionFolder> {
  const controllerFile = join(dir, "controller.ts");
  const handlerFile = join(dir, "handler.ts");
  if (described?.error !== undefined) throw loadError(described);
  if (!described) throw loadError({ file: controllerFile, error: "no answer" });
  if (!existsSync(handlerFile)) {
    throw new Error(
      `cannot run ${described.name}: expected ${handlerFile}, which exports "handler"`,
    );
  }
  const { name, timeoutSeconds, mapping } = described;
  return {
    name,
    dir,
    controllerFile,
    handlerFile,
    timeoutSeconds,
    mapping,
    env: await localEnv(dir),
  };
}

async function localEnv(dir: string): Promise<Record<string, string>> {
  const file = join(dir, "local.env");
  if (!existsSync(file)) return {};
  return parseEnv(await readFile(file, "utf8")) as Record<string, string>;
}
