import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "./scaffold-files.ts";

/** A folder whose files a command makes anew each time. Files of others in it are left alone. */
export interface GeneratedFolder {
  /** As it was named. */
  readonly dir: string;
  /** Where that is. */
  readonly path: string;
  /** First line of each file: by it the command knows its own. */
  readonly mark: string;
  /** By name. */
  readonly files: ReadonlyMap<string, string>;
}

/** The names of files, by what is to be done with them. */
export interface GeneratedPlan {
  readonly missing: readonly string[];
  readonly stale: readonly string[];
  /** Ours, and of nothing that there is any more. */
  readonly leftOver: readonly string[];
  readonly unchanged: readonly string[];
}

/** Compares a folder with what should be there. Rejects where a file of somebody else is in the way. */
export async function planGenerated(folder: GeneratedFolder): Promise<GeneratedPlan> {
  const { path, mark, files } = folder;
  const present = new Map<string, string>();
  for (const name of await yamlFilesIn(path)) {
    present.set(name, await readFile(join(path, name), "utf8"));
  }
  const ours = (name: string) => present.get(name)?.startsWith(`${mark}\n`);
  const names = [...files.keys()];
  const foreign = names.filter((name) => present.has(name) && !ours(name));
  if (foreign.length > 0) {
    throw new Error(
      `cannot write ${foreign.map((name) => join(folder.dir, name)).join(", ")}: expected "${mark}" as the first line, got a file of somebody else; move it away, or name another folder with -o`,
    );
  }
  const there = names.filter((name) => present.has(name));
  return {
    missing: names.filter((name) => !present.has(name)),
    stale: there.filter((name) => present.get(name) !== files.get(name)),
    leftOver: [...present.keys()].filter((name) => ours(name) && !files.has(name)),
    unchanged: there.filter((name) => present.get(name) === files.get(name)),
  };
}

async function yamlFilesIn(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(".yaml"))
      .map(({ name }) => name)
      .sort();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new Error(`cannot read ${path}: expected a folder, or nothing`, { cause });
  }
}

/** Does what the plan says: all files are written or none, then what is left over goes. */
export async function writeGenerated(
  { path, files }: GeneratedFolder,
  { missing, stale, leftOver }: GeneratedPlan,
  id: string,
): Promise<void> {
  // "merged": that they may be replaced is known from their first line.
  const written = [...missing, ...stale].map((name) => ({
    path: name,
    text: files.get(name) ?? "",
    merged: true,
  }));
  await writeFiles(written, { root: path, force: false, dryRun: false, id });
  for (const name of leftOver) await rm(join(path, name), { force: true });
}
