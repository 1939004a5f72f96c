import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CliResult, runCli } from "./run-cli.ts";

/** A folder of its own to make projects in. */
export interface ScaffoldDir {
  readonly dir: string;
  /** Runs a command line in the folder, or in one below it. */
  run(args: readonly string[], below?: string): Promise<CliResult>;
  write(path: string, text: string): Promise<void>;
  /** All files below the folder, from it, sorted. */
  files(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export async function scaffoldDir(): Promise<ScaffoldDir> {
  const dir = await mkdtemp(join(tmpdir(), "tidegate-scaffold-"));
  return {
    dir,
    run: (args, below = "") => runCli(args, { cwd: join(dir, below) }),
    write: async (path, text) => {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    },
    files: async () => {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1))
        .sort();
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
