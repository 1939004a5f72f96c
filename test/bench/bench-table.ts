import type { BenchRow } from "./bench-row.ts";

/** Rows of one part, or why there are none. */
export interface PartResult {
  readonly part: string;
  readonly rows: readonly BenchRow[];
  readonly failure?: string;
}

/** A Markdown table for people, with one line on top and one below it. */
export function benchTable(results: readonly PartResult[], machine: string): string {
  const cells = results.flatMap(({ part, rows, failure }) => [
    ...rows.map((row) => [part, row.what, row.value, row.target ?? "", verdict(row)]),
    ...(failure === undefined ? [] : [[part, failure, "", "", "FAILED"]]),
  ]);
  const lines = [["part", "measured", "value", "target", "met"], ...cells];
  const widths = [0, 1, 2, 3, 4].map((at) =>
    Math.max(...lines.map((line) => line[at]?.length ?? 0)),
  );
  const text = lines.map((line) => tableLine(line, widths));
  const rule = `|${widths.map((width, at) => rightAligned(at, width)).join("|")}|`;
  return [machine, "", text[0], rule, ...text.slice(1), "", summary(results)].join("\n");
}

function tableLine(line: readonly string[], widths: readonly number[]): string {
  const padded = line.map((cell, at) => {
    const text = cell.replaceAll("|", "/").replaceAll("\n", " ");
    return at === VALUE ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
  });
  return `| ${padded.join(" | ")} |`;
}

const VALUE = 2;

function rightAligned(at: number, width: number): string {
  return at === VALUE ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2);
}

function verdict({ met }: BenchRow): string {
  return met === undefined ? "" : met ? "yes" : "NO";
}

function summary(results: readonly PartResult[]): string {
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  const judged = results.flatMap(({ rows }) => rows).filter(({ met }) => met !== undefined);
  const missed = judged.filter(({ met }) => !met).length;
  const targets =
    missed === 0
      ? `All ${judged.length} targets are met.`
      : `${missed} of ${judged.length} targets are MISSED.`;
  return failed === 0 ? targets : `${targets} ${failed} parts FAILED.`;
}
