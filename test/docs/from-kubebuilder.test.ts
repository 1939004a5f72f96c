import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { codeLines } from "../support/code-lines.ts";

// What docs/from-kubebuilder.md says of this repository, so that it does not grow old.

const ROOT = join(import.meta.dirname, "../..");
const PAGE = "docs/from-kubebuilder.md";
const page = read(PAGE);

test.each(["cronjob", "guestbook"])("the lines of functions/%s are as the table says", (name) => {
  const table = page.split(`(\`functions/${name}\`)`)[1]?.split(/\n(?=\*\*|The quick)/)[0] ?? "";
  const counted = sourcesOf(`functions/${name}`, /\.ts$/);
  const tests = sourcesOf("test/functions", new RegExp(`^${name}.*\\.test\\.ts$`));
  expect(filesIn(table)).toEqual(counted);
  const { "sample.yaml": yaml } = sourcesOf(`functions/${name}`, /\.yaml$/);
  expect(columnOf(table, "TypeScript")).toMatchObject({
    "the controller": sum(counted) - (counted["resource.ts"] ?? 0) - (counted["handler.ts"] ?? 0),
    "written, or scaffolded to be kept": sum(counted),
    "unit tests": sum(tests),
    "YAML in config/": yaml,
  });
});

test.each(["cronjob", "guestbook"])("the lines of kubebuilder's %s add up", (name) => {
  const table = page.split(`(\`functions/${name}\`)`)[1]?.split(/\n(?=\*\*|The quick)/)[0] ?? "";
  const { "written, or scaffolded to be kept": total, ...rows } = columnOf(table, "Go");
  const written = Object.entries(rows).filter(([row]) =>
    /^the (kind|controller|program)/.test(row),
  );
  expect(sum(Object.fromEntries(written))).toBe(total);
});

test("every name of ours that the page gives stands in the sources", () => {
  const sources = ["shared", "watcher", "cli"].map(textOf).join("\n");
  const words = new Set(sources.match(/\w+/g));
  const cells = page.split("\n").flatMap((line) => /^\|.*\|(.*)\|$/.exec(line)?.[1] ?? []);
  const code = cells.flatMap((cell) => cell.match(/`[^`]+`/g) ?? []).join(" ");
  // zod's own: its methods are not ours to name.
  const unknown = (code.match(/(?<![\w.])[a-z]+[A-Z]\w*/g) ?? []).filter(
    (word) => !words.has(word),
  );
  expect([...new Set(unknown)]).toEqual([]);
  expect(code.length).toBeGreaterThan(2_000);
});

/** "resource.ts 81" and "81 (resource.ts)" as a table has them. */
function filesIn(table: string): Record<string, number> {
  const pairs = [
    ...[...table.matchAll(/([\w-]+\.ts) (\d+)/g)].map(([, file, lines]) => [file, lines]),
    ...[...table.matchAll(/(\d+) \(([\w-]+\.ts)\)/g)].map(([, lines, file]) => [file, lines]),
  ];
  return Object.fromEntries(pairs.map(([file, lines]) => [file, Number(lines)]));
}

/** The first number of each row in the column. */
function columnOf(table: string, column: "Go" | "TypeScript"): Record<string, number> {
  const rows = table.split("\n").map((line) => line.replaceAll(/[*`]/g, "").split("|"));
  const at = column === "Go" ? 2 : 3;
  return Object.fromEntries(
    rows.flatMap((cells) => {
      const lines = /^[\d,]+/.exec(cells[at]?.trim() ?? "")?.[0].replaceAll(",", "");
      return lines === undefined ? [] : [[cells[1]?.trim() ?? "", Number(lines)]];
    }),
  );
}

/** The lines of each file of a folder. */
function sourcesOf(folder: string, name: RegExp): Record<string, number> {
  const files = readdirSync(join(ROOT, folder)).filter((file) => name.test(file));
  return Object.fromEntries(
    files.map((file) => [file, codeLines(read(`${folder}/${file}`))] as const),
  );
}

function sum(lines: Record<string, number>): number {
  return Object.values(lines).reduce((total, each) => total + each, 0);
}

function textOf(folder: string): string {
  const files = readdirSync(join(ROOT, folder), { recursive: true }).map(String);
  const sources = files.filter((file) => file.endsWith(".ts"));
  return sources.map((file) => read(`${folder}/${file}`)).join("\n");
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
