import { expect, test } from "@jest/globals";
import { keepTable } from "../../local/dev-table.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";

interface Told {
  readonly lines: string[];
  readonly restored: number[];
}

/** Looks after a table that answers as `restore` says, for 20 s. */
async function kept(restore: (look: number) => Promise<boolean>): Promise<Told> {
  const clock = new VirtualClock();
  const stopping = new AbortController();
  const told: Told = { lines: [], restored: [] };
  const warn = (line: string) => void told.lines.push(line);
  let looks = 0;
  const running = keepTable(
    {
      restore: () => {
        looks += 1;
        return restore(looks);
      },
      restored: async () => void told.restored.push(looks),
      clock,
      log: { debug() {}, info() {}, warn, error() {} },
    },
    stopping.signal,
  );
  await clock.advance(20_000);
  stopping.abort();
  await running;
  return told;
}

test("a table that is there costs a look each 2 s, and nothing is said", async () => {
  let looks = 0;
  const told = await kept(async (look) => {
    looks = look;
    return false;
  });
  expect([looks, told]).toEqual([10, { lines: [], restored: [] }]);
});

test("each time that the table was deleted all is put back and told, once", async () => {
  const line = "the table was deleted: it is made again, and every object runs once more";
  expect(await kept(async (look) => look === 3 || look === 7)).toEqual({
    lines: [line, line],
    restored: [3, 7],
  });
});

test("looks that fail are told once for as long as it lasts, and tried again", async () => {
  const told = await kept(async (look) => {
    if (look < 4 || look === 8) throw new Error("no answer");
    return look === 5;
  });
  expect(told.restored).toEqual([5]);
  expect(told.lines.map((line) => line.slice(0, 27))).toEqual([
    "cannot look after the table",
    "the table was deleted: it i",
    "cannot look after the table",
  ]);
});
