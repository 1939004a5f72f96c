// docs/guarantees.md says in which file each reported fault runs over the wire.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const ROW = /^\| (B\d\d) \| .* \| (.*) \|$/gm;
/** The numbers before the colon of a test's name. */
const NAME = /^\s*(?:test\(|)"((?:B\d\d(?:, )?)+):/gm;

test("the guarantees list every reported fault with the files whose tests name it, and no others", async () => {
  const text = await readFile(join(import.meta.dirname, "../../docs/guarantees.md"), "utf8");
  const listed = [...text.matchAll(ROW)].map(([, id, files = ""]) => [
    id,
    files.split(", ").sort(),
  ]);
  expect(Object.fromEntries(listed)).toEqual(await named());
});

async function named(): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = new Map<string, readonly string[]>();
  for (const file of (await readdir(import.meta.dirname)).sort()) {
    const text = await readFile(join(import.meta.dirname, file), "utf8");
    const ids = [...text.matchAll(NAME)].flatMap(([, numbers = ""]) => numbers.split(", "));
    const short = file.replace(".test.ts", "");
    for (const id of new Set(ids)) found.set(id, [...(found.get(id) ?? []), short]);
  }
  return Object.fromEntries(found);
}
