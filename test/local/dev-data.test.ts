import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { takeDataDir } from "../../local/dev-data.ts";
import { processStart } from "../../local/process-start.ts";

let dataDir = "";

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tidegate-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("rejects while a process that runs holds the folder", async () => {
  await writeFile(join(dataDir, "lock"), String(process.ppid));
  await expect(takeDataDir({ dataDir, fresh: false })).rejects.toThrow(
    `process ${process.ppid} uses it; stop that one`,
  );
});

test("takes the folder over where another process was given the number since", async () => {
  await writeFile(join(dataDir, "lock"), `${process.ppid} 0`);
  const told = processStart(process.ppid) !== ""; // Not every system tells.
  const outcome = await takeDataDir({ dataDir, fresh: false }).then(
    () => "taken",
    () => "refused",
  );
  expect(outcome).toBe(told ? "taken" : "refused");
});

test("makes the folders above, too, and takes one that is there", async () => {
  const deep = join(dataDir, "a/b/c");
  for (const _turn of ["made", "there"]) {
    const giveBack = await takeDataDir({ dataDir: deep, fresh: false });
    expect(existsSync(join(deep, "lock"))).toBe(true);
    await giveBack();
  }
});

test("does not try for ever where no folder can be made", async () => {
  await expect(takeDataDir({ dataDir: "/proc/tidegate/data", fresh: false })).rejects.toThrow(
    /^cannot use \/proc\/tidegate\/data: expected a folder that can be written, got E[A-Z]+; .*--data$/,
  );
});

test("takes the folder over from a process that was killed, and gives it back", async () => {
  await writeFile(join(dataDir, "lock"), "999999999");
  const giveBack = await takeDataDir({ dataDir, fresh: false });
  expect(existsSync(join(dataDir, "lock"))).toBe(true);
  await giveBack();
  expect(existsSync(join(dataDir, "lock"))).toBe(false);
});

test("a fresh start removes the state and leaves what else is in the folder", async () => {
  await writeFile(join(dataDir, "sqs"), "");
  await writeFile(join(dataDir, "mine"), "");
  const giveBack = await takeDataDir({ dataDir, fresh: true });
  await giveBack();
  expect([existsSync(join(dataDir, "sqs")), existsSync(join(dataDir, "mine"))]).toEqual([
    false,
    true,
  ]);
});

test("the lock names its holder, and nothing else is left in the folder", async () => {
  const giveBack = await takeDataDir({ dataDir, fresh: false });
  expect(await readdir(dataDir)).toEqual(["lock"]);
  expect(await readFile(join(dataDir, "lock"), "utf8")).toBe(
    `${process.pid} ${processStart(process.pid)}`.trim(),
  );
  await giveBack();
});

test("says what to do where the folder cannot be used", async () => {
  await writeFile(join(dataDir, "file"), "");
  await expect(takeDataDir({ dataDir: join(dataDir, "file"), fresh: false })).rejects.toThrow(
    /^cannot use .*file: expected a folder that can be written, got EEXIST; .*--data$/,
  );
});
