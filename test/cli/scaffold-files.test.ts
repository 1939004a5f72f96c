import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { writeFiles } from "../../cli/scaffold-files.ts";
import { type ScaffoldDir, scaffoldDir } from "./scaffold-dir.ts";

let place: ScaffoldDir;

beforeEach(async () => {
  place = await scaffoldDir();
});
afterEach(() => place.remove());

const FILES = [
  { path: "functions/a/resource.ts", text: "new" },
  { path: "test/a.test.ts", text: "new" },
];

function write(options: { force?: boolean; dryRun?: boolean } = {}, files = FILES) {
  const { force = false, dryRun = false } = options;
  return writeFiles(files, { root: place.dir, force, dryRun, id: "id" });
}

function read(path: string): Promise<string> {
  return readFile(join(place.dir, path), "utf8");
}

async function git(...args: string[]): Promise<void> {
  const as = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
  await promisify(execFile)("git", [...as, ...args], { cwd: place.dir });
}

test("makes files, with the folders that they need", async () => {
  expect(await write()).toEqual({
    created: ["functions/a/resource.ts", "test/a.test.ts"],
    overwritten: [],
    changed: [],
  });
  expect(await place.files()).toEqual(["functions/a/resource.ts", "test/a.test.ts"]);
});

test("refuses all of them where one is there, and names it", async () => {
  await place.write("test/a.test.ts", "old");
  await expect(write()).rejects.toThrow("cannot write test/a.test.ts: expected nothing there");
  expect(await place.files()).toEqual(["test/a.test.ts"]);
});

test("a dry run answers the same and writes nothing", async () => {
  const { created } = await write({ dryRun: true });
  expect(created).toHaveLength(2);
  expect(await place.files()).toEqual([]);
});

test("with force it overwrites, and tells what", async () => {
  await place.write("test/a.test.ts", "old");
  const { created, overwritten } = await write({ force: true });
  expect({ created, overwritten }).toEqual({
    created: ["functions/a/resource.ts"],
    overwritten: ["test/a.test.ts"],
  });
  expect(await read("test/a.test.ts")).toBe("new");
});

test.each(["untracked", "edited", "ignored"])(
  "not even force overwrites what is %s in a repository",
  async (state) => {
    await git("init");
    await place.write("test/a.test.ts", "old");
    if (state === "edited") {
      await git("add", ".");
      await git("commit", "-m", "a");
      await place.write("test/a.test.ts", "older");
    }
    if (state === "ignored") await place.write(".gitignore", "test/");
    await expect(write({ force: true })).rejects.toThrow(
      /^cannot overwrite test\/a\.test\.ts: expected no changes that git could not bring back/,
    );
    await expect(read("functions/a/resource.ts")).rejects.toThrow("ENOENT");
  },
);

test("force overwrites what is committed, whatever else was edited", async () => {
  await git("init");
  await place.write("test/a.test.ts", "old");
  await git("add", ".");
  await git("commit", "-m", "a");
  await place.write("test/b.test.ts", "edited");
  expect((await write({ force: true })).overwritten).toEqual(["test/a.test.ts"]);
});

test.each([
  [
    "written",
    [
      { path: "made/b.ts", text: "" },
      { path: `made/${"x".repeat(300)}`, text: "" },
    ],
  ],
  [
    "moved into place",
    [
      { path: "made", text: "" },
      { path: "made/b.ts", text: "" },
    ],
  ],
])("takes back all that it did where a later file cannot be %s", async (_, bad) => {
  await place.write("functions/a/resource.ts", "old");
  await expect(write({ force: true }, [...FILES, ...bad])).rejects.toThrow("nothing was made");
  expect(await readdir(place.dir)).toEqual(["functions"]);
  expect(await place.files()).toEqual(["functions/a/resource.ts"]);
  expect(await read("functions/a/resource.ts")).toBe("old");
});

test("writes over no folder and through no link", async () => {
  await mkdir(join(place.dir, "elsewhere"));
  await mkdir(join(place.dir, "test"));
  await symlink("../elsewhere/b.ts", join(place.dir, "test/a.test.ts"));
  await expect(write({ force: true })).rejects.toThrow(/expected a file or nothing there/);
});
