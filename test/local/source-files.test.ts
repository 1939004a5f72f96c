import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { hashOfSources, watchSources } from "../../local/source-files.ts";
import { systemClock } from "../../shared/clock.ts";

let dir = "";
let stop = () => {};

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "tidegate-"));
});
afterEach(() => {
  stop(); // Also of a test that ended by its time limit.
  return rm(dir, { recursive: true });
});

test("the hash changes with a source, and not with other files", async () => {
  await writeFile(join(dir, "a.ts"), "1");
  const before = await hashOfSources([dir, join(dir, "missing")]);
  await writeFile(join(dir, "notes.txt"), "1");
  await writeFile(join(dir, "a.test.ts"), "1");
  expect(await hashOfSources([dir])).toBe(before);
  await writeFile(join(dir, "a.ts"), "2");
  expect(await hashOfSources([dir])).not.toBe(before);
});

test("tells once that sources changed, however many writes an edit takes", async () => {
  let calls = 0;
  const told = Promise.withResolvers<void>();
  stop = watchSources([dir], systemClock, async () => {
    calls += 1;
    told.resolve();
  });
  await writeFile(join(dir, "a.ts"), "1");
  await writeFile(join(dir, "a.ts"), "2");
  await told.promise;
  expect(calls).toBe(1);
});

test("tells of every edit after an editor renamed a new file into the place of the old one", async () => {
  const edits = await editsOf(dir, async (next) => {
    const file = join(dir, "website", "reconciler.ts");
    await mkdir(join(dir, "website"));
    await next();
    await writeFile(file, "1");
    await next();
    await writeFile(`${file}.new`, "2");
    await rename(`${file}.new`, file);
    await next();
    await appendFile(file, "3");
    await next();
  });
  expect(edits).toBe(4);
});

test("tells of a folder that is moved away, and of one that comes with all its files", async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), "tidegate-"));
  const edits = await editsOf(dir, async (next) => {
    await mkdir(join(dir, "website"));
    await next();
    await writeFile(join(dir, "website", "reconciler.ts"), "1");
    await next();
    await rename(join(dir, "website"), join(elsewhere, "website"));
    await next();
    await rename(join(elsewhere, "website"), join(dir, "website"));
    await next();
  });
  await rm(elsewhere, { recursive: true });
  expect(edits).toBe(4);
});

test("tells of edits in a folder that was removed and made again", async () => {
  const edits = await editsOf(dir, async (next) => {
    for (const content of ["1", "2"]) {
      await mkdir(join(dir, "website"));
      await next();
      await writeFile(join(dir, "website", "reconciler.ts"), content);
      await next();
      await rm(join(dir, "website"), { recursive: true });
      await next();
    }
  });
  expect(edits).toBe(6);
});

/** How many edits were told; the test ends by its time limit where one is not. */
async function editsOf(watched: string, edit: (next: () => Promise<void>) => Promise<void>) {
  let edits = 0;
  let told = Promise.withResolvers<void>();
  stop = watchSources([watched], systemClock, async () => told.resolve());
  await edit(async () => {
    await told.promise;
    told = Promise.withResolvers<void>();
    edits += 1;
  });
  return edits;
}
