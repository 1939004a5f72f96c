import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { hashOfSources, watchSources } from "../../local/source-files.ts";
import { systemClock } from "../../shared/clock.ts";

let dir = "";

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "tidegate-"));
});
afterEach(() => rm(dir, { recursive: true }));

test("the hash changes with a source, and not with other files", async () => {
  await writeFile(join(dir, "a.ts"), "1");
  const before = await hashOfSources([dir, join(dir, "missing")]);
  await writeFile(join(dir, "notes.txt"), "1");
  expect(await hashOfSources([dir])).toBe(before);
  await writeFile(join(dir, "a.ts"), "2");
  expect(await hashOfSources([dir])).not.toBe(before);
});

test("tells once that sources changed, however many writes an edit takes", async () => {
  let calls = 0;
  const told = Promise.withResolvers<void>();
  const stop = watchSources([dir], systemClock, async () => {
    calls += 1;
    told.resolve();
  });
  await writeFile(join(dir, "a.ts"), "1");
  await writeFile(join(dir, "a.ts"), "2");
  await told.promise;
  stop();
  expect(calls).toBe(1);
});
