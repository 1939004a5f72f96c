import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { transformSync } from "esbuild";

const entry = join(import.meta.dirname, "../../cli/tidegate.ts");

test("the command says in one line which Node it needs", () => {
  const older = `Object.defineProperty(process, "versions", { value: { node: "23.11.1" } });`;
  const preload = `data:text/javascript,${encodeURIComponent(older)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", preload, entry], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: "tidegate: cannot run: expected Node 24 or newer, got 23.11.1; install Node 24\n",
  });
});

test("an old Node can read the file that says so: it has no newer syntax, and imports nothing before", () => {
  const source = readFileSync(entry, "utf8");
  const written = (target: string) => transformSync(source, { loader: "ts", target }).code;
  // Were there newer syntax, it would be rewritten, or refused as top-level await is.
  expect(written("es2020")).toBe(written("esnext"));
  expect(source).not.toMatch(/^import\b(?!\()/m);
});
