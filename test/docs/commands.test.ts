import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { runCli } from "../cli/run-cli.ts";

const ROOT = join(import.meta.dirname, "../..");

test("every command that the documents name exists", async () => {
  const docs = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  const named = ["README.md", ...docs.map((name) => `docs/${name}`)].flatMap(commandsIn);
  const missing: string[] = [];
  for (const command of new Set(named.map(({ command }) => command))) {
    // The help of an unknown one is that of all.
    const { out } = await runCli([...command.split(" "), "--help"]);
    const at = named.find((each) => each.command === command)?.path;
    if (!out.startsWith(`Usage: tidegate ${command} `)) missing.push(`${at}: tidegate ${command}`);
  }
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(30);
});

/** `tidegate create api ...` in code, within a line or in a block. */
function commandsIn(path: string): { readonly path: string; readonly command: string }[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const pattern = /(?:`|^(?:\$ )?)(?:npx )?tidegate (create \w+|[a-z]+)/gm;
  return [...text.matchAll(pattern)].map(({ 1: command = "" }) => ({ path, command }));
}
