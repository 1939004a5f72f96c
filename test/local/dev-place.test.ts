import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { takeDataDir } from "../../local/dev-data.ts";
import { askToPause, followPauses, pausedIn } from "../../local/dev-pauses.ts";
import { DevPlaceFile, readDevPlace } from "../../local/dev-place.ts";

const place = {
  cluster: "local",
  table: "tidegate",
  sqsEndpoint: "http://127.0.0.1:1",
  dynamoDbEndpoint: "http://127.0.0.1:2",
  region: "us-east-1",
  functionsDir: "functions",
  watcherUrl: "http://127.0.0.1:3",
  accessFile: "access.json",
};

let dataDir = "";

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tidegate-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("tells what runs on a folder while it is held, and nothing afterwards", async () => {
  const giveBack = await takeDataDir({ dataDir, fresh: false });
  const file = new DevPlaceFile(dataDir, place);
  file.update({ website: "paused" });
  expect(await readDevPlace(dataDir)).toEqual({ ...place, controllers: { website: "paused" } });
  await file.remove();
  expect(await readDevPlace(dataDir)).toBeUndefined();
  await giveBack();
});

test("a file that a killed process left behind tells nothing", async () => {
  new DevPlaceFile(dataDir, place).update({});
  expect(await readDevPlace(dataDir)).toBeUndefined();
  await writeFile(join(dataDir, "lock"), "999999999");
  expect(await readDevPlace(dataDir)).toBeUndefined();
});

test("a pause is kept in the folder until it is taken back, and told", async () => {
  await askToPause(dataDir, { controller: "website", paused: true });
  await askToPause(dataDir, { controller: "other", paused: true });
  await askToPause(dataDir, { controller: "other", paused: false });
  expect(await pausedIn(dataDir)).toEqual(new Set(["website"]));

  const stop = new AbortController();
  const told: ReadonlySet<string>[] = [];
  const follow = followPauses(
    { dataDir, clock: { sleep: async () => {} } },
    (paused) => {
      told.push(paused);
      stop.abort();
    },
    stop.signal,
  );
  await follow;
  expect(told).toEqual([new Set(["website"])]);
});

test("a fresh start forgets pauses and what ran before", async () => {
  await askToPause(dataDir, { controller: "website", paused: true });
  new DevPlaceFile(dataDir, place).update({});
  const giveBack = await takeDataDir({ dataDir, fresh: true });
  expect(await readdir(dataDir)).toEqual(["lock"]);
  await giveBack();
});
