import { execFile } from "node:child_process";
import { lstat, mkdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** A file to be made. */
export interface ScaffoldFile {
  /** From the folder of the project, with slashes. */
  readonly path: string;
  readonly text: string;
  /** What is there was read and is kept in `text`, as in a package.json: that is no conflict. */
  readonly merged?: boolean;
}

export interface WriteOptions {
  readonly root: string;
  /** Overwrites files that are there, as far as git can bring them back. */
  readonly force: boolean;
  /** Checks everything and writes nothing. */
  readonly dryRun: boolean;
  /** Makes the names of temporary files its own. */
  readonly id: string;
}

/** What was done, or would be, by path. */
export interface Written {
  readonly created: readonly string[];
  readonly overwritten: readonly string[];
  readonly changed: readonly string[];
}

/**
 * Writes all files or none: rejects before the first where one is in the way, and takes back what it
 * did where a later one cannot be written.
 */
export async function writeFiles(
  files: readonly ScaffoldFile[],
  { root, force, dryRun, id }: WriteOptions,
): Promise<Written> {
  const there: boolean[] = [];
  for (const { path } of files) there.push(await isThere(join(root, path)));
  const pathsOf = (wanted: (file: ScaffoldFile, index: number) => boolean) =>
    files.filter(wanted).map(({ path }) => path);
  const created = pathsOf((_, index) => !there[index]);
  const overwritten = pathsOf(({ merged }, index) => there[index] === true && !merged);
  const changed = pathsOf(({ merged }, index) => there[index] === true && merged === true);
  if (overwritten.length > 0) await checkOverwrite(root, overwritten, force);
  if (!dryRun) await writeAll(files, root, id);
  return { created, overwritten, changed };
}

/** Whether a file is there. Rejects where something else is, or where none could be made. */
async function isThere(file: string): Promise<boolean> {
  const entry = await lstat(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw new Error(`cannot write ${file}: expected folders above it`, { cause });
  });
  if (entry === undefined || entry.isFile()) return entry !== undefined;
  throw new Error(`cannot write ${file}: expected a file or nothing there, got something else`);
}

async function checkOverwrite(root: string, paths: readonly string[], force: boolean) {
  if (!force) {
    throw new Error(
      `cannot write ${paths.join(", ")}: expected nothing there; --force overwrites what git can bring back`,
    );
  }
  const lost = await uncommitted(root, paths);
  if (lost.length === 0) return;
  throw new Error(
    `cannot overwrite ${lost.join(", ")}: expected no changes that git could not bring back; ` +
      "commit them, or remove the files",
  );
}

/** Those that git knows of with changes; none where there is no repository, or no git. */
async function uncommitted(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const status = ["status", "--porcelain", "--ignored", "--no-renames", "-z", "--", "."];
  try {
    const prefix = await git(root, ["rev-parse", "--show-prefix"]);
    const entries = (await git(root, status)).split("\0").map((entry) => entry.slice(3));
    const dirty = (path: string) =>
      entries.some((entry) => entry === path || (entry.endsWith("/") && path.startsWith(entry)));
    return paths.filter((path) => dirty(`${prefix.trim()}${path}`));
  } catch {
    return []; // Nothing is versioned here, so nothing could be committed either.
  }
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { cwd });
  return stdout;
}

async function writeAll(files: readonly ScaffoldFile[], root: string, id: string): Promise<void> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const staged = files.map(({ path }) => join(root, `${path}.${id}.new`));
    for (const [index, { text }] of files.entries()) {
      const file = staged[index] as string;
      await makeFolder(dirname(file), undo);
      undo.unshift(() => rm(file, { force: true }));
      await writeFile(file, text, { flag: "wx" });
    }
    for (const [index, { path }] of files.entries()) {
      await moveInto(staged[index] as string, join(root, path), undo);
    }
  } catch (error) {
    for (const step of undo) await step().catch(() => {}); // The first failure is the one to tell.
    throw new Error(`cannot write into ${root}: nothing was made`, { cause: error });
  }
}

/** Makes the folder and those above it; each that was made is removed again if it is empty. */
async function makeFolder(dir: string, undo: (() => Promise<unknown>)[]): Promise<void> {
  const first = await mkdir(dir, { recursive: true });
  if (first === undefined) return;
  const made: string[] = [];
  for (let at = dir; at.length >= first.length; at = dirname(at)) made.push(at);
  undo.unshift(...made.map((each) => () => rmdir(each)));
}

async function moveInto(staged: string, file: string, undo: (() => Promise<unknown>)[]) {
  const before = await readFile(file).catch(() => undefined);
  await rename(staged, file);
  undo.unshift(() => (before === undefined ? rm(file) : writeFile(file, before)));
}
