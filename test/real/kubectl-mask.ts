import type { KubectlStep } from "./kubectl-step.ts";

/** What a kubectl command printed, and how it ended. */
export interface KubectlOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** The output as text to compare: without what is another on each server or at each time. */
export function maskedOutput(step: KubectlStep, { stdout, stderr, code }: KubectlOutput): string {
  const { lines, except, sorted, until } = step;
  const compared = (line: string) =>
    (lines === undefined || lines.test(line)) && (except === undefined || !except.test(line));
  const parts = [
    // It was ended by us.
    until === undefined ? `exit ${code}` : "",
    ...textLines("", masked(stdout)).filter(compared),
    ...textLines("stderr: ", masked(stderr)),
  ];
  return (sorted ? parts.toSorted() : parts).join("\n");
}

function textLines(prefix: string, text: string): readonly string[] {
  return text
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => prefix + line);
}

function masked(text: string): string {
  let result = text.replaceAll(OWN_TIMEOUT, "");
  for (const [pattern, by] of MASKS) result = result.replaceAll(pattern, by);
  return result;
}

/** What kubectl logs when its own timeout meets the opening of a watch: now and then, on any server. */
const OWN_TIMEOUT = /^.* reflector\.go:.*Failed to watch.*context deadline exceeded.*\n/gm;

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "UID"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "TIME"],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w+ \d{4} [\d:]{8} [+-]\d{4}/g, "TIME"],
  [/(resourceVersion"?: ?|Resource Version: +)("\d+"|\d+)/g, "$1VERSION"],
  [/^[IWE]\d{4} [\d:.]+ +\d+ /gm, "LOG "],
  // kubectl diff
  [/(\/\S*\/)?(LIVE|MERGED)-\d+\//g, "$2/"],
  [/^((---|\+\+\+) \S+)\t.*$/gm, "$1"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, "TIME"],
  [/127\.0\.0\.1:\d+/g, "ADDRESS"],
  // Hashes of templates are ours, and so are the random ends of names.
  [/(pod-template-hash"?[=:] ?"?)[a-z0-9]+/g, "$1HASH"],
  [/\b(web|api)-[a-z0-9]{8,10}\b(-[a-z0-9]{5}\b)?/g, "$1-HASH"],
  [/\b(generated-)[a-z0-9]{5}\b/g, "$1SUFFIX"],
  [/\b(\d+[smhd]|<invalid>)(\d+[smhd])?\b( \(x\d+ over \w+\))?/g, "AGE"],
  // Columns are as wide as the widest age.
  [/(?<=\S) {2,}/g, "  "],
  [/ +$/gm, ""],
];
