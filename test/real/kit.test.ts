import { dirname } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { comesTrue, KitPlace, verdictOf } from "./kit-run.ts";
import { kubeBinaries } from "./kube-binaries.ts";

// The testing kit with KUBEBUILDER_ASSETS. The tests are those of `npm test`, as they stand.

const BUILD_LIMIT_MS = 60 * 60_000;
const TEST_LIMIT_MS = 5 * 60_000;

let assets = "";
let place: KitPlace;

beforeAll(async () => {
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  assets = dirname((await kubeBinaries({ env: process.env, progress })).kubeApiserver);
}, BUILD_LIMIT_MS);

beforeEach(async () => {
  place = await KitPlace.make({ KUBEBUILDER_ASSETS: assets });
});
afterEach(() => place.remove());

test(
  "the tests of our own functions pass on a real kube-apiserver, and leave nothing behind",
  async () => {
    // Not those of the cron job, which end Jobs by hand: a kube-apiserver lets only a status pass
    // that a Job controller could have written.
    const files = ["test/functions/(?!cronjob\\.)", "test/testing/environment"];
    const verdict = verdictOf(place.jest(3, ...files));
    expect(await comesTrue(started, 60_000)).toBe(true);
    expect(await verdict).toMatchObject({ failures: [], left: 0 });
    // What ends a program and removes its folder needs a moment itself.
    await comesTrue(nothingLeft);
    expect(await place.left()).toEqual([]);
  },
  TEST_LIMIT_MS,
);

test(
  "a test that is killed leaves neither programs nor files",
  async () => {
    const child = place.jest(1, "test/functions/config-digest");
    expect(await comesTrue(started, 60_000)).toBe(true);
    child.kill("SIGKILL");
    // What ends a program and removes its folder needs a moment itself.
    await comesTrue(nothingLeft);
    expect(await place.left()).toEqual([]);
  },
  TEST_LIMIT_MS,
);

/** An API server that a test has to itself says so in a file. */
async function started(): Promise<boolean> {
  const all = await place.files();
  return all.some((name) => name.endsWith("offer.json"));
}

async function nothingLeft(): Promise<boolean> {
  return (await place.left()).length === 0;
}
