import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

interface Failure {
  readonly line: number;
  readonly code: string;
  readonly text: string;
}

const traps = join(import.meta.dirname, "traps.ts");

test("each trap fails to compile with its text, and nothing else does", () => {
  const expected = expectedIn(readFileSync(traps, "utf8"));
  const failures = compile();
  const sprung = expected.filter((each) => !failures.some((failure) => meets(failure, each)));
  const surprising = failures.filter((failure) => !expected.some((each) => meets(failure, each)));
  expect({ sprung: sprung.map(shown), surprising: surprising.map(shown) }).toEqual({
    sprung: [],
    surprising: [],
  });
  expect(expected.length).toBeGreaterThan(30);
}, 60_000);

/** The comments of the traps; each speaks of the line below it. */
function expectedIn(source: string): Failure[] {
  return source.split("\n").flatMap((line, index) => {
    const [, code, text] = /^\s*\/\/ error (TS\d+): (.*)$/.exec(line) ?? [];
    return code && text ? [{ line: index + 2, code, text }] : [];
  });
}

function compile(): Failure[] {
  const root = join(import.meta.dirname, "../..");
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "test/types/tsconfig.json")],
    { cwd: root, encoding: "utf8" },
  );
  if (error || stderr) throw new Error(`cannot run the compiler: ${stderr}`, { cause: error });
  // An error begins at the margin; what belongs to it is indented.
  return stdout.split(/\n(?=\S)/).map((block) => {
    const [, file, line, code, text] =
      /^(.+?)\((\d+),\d+\): error (TS\d+): ([\s\S]*)$/.exec(block) ?? [];
    if (!file?.endsWith("test/types/traps.ts")) throw new Error(`cannot compile: ${block}`);
    return { line: Number(line), code: code ?? "", text: (text ?? "").replaceAll(/\s+/g, " ") };
  });
}

function meets(failure: Failure, expected: Failure): boolean {
  if (failure.line !== expected.line || failure.code !== expected.code) return false;
  let from = 0;
  return expected.text.split(/(?:^| )\.\.\.(?: |$)/).every((part) => {
    const at = failure.text.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

function shown({ line, code, text }: Failure): string {
  return `traps.ts:${line}: error ${code}: ${text}`;
}
