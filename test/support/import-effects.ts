import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { json } from "node:stream/consumers";

/**
 * Imports every module below the folder in a process of its own, and resolves to what that did
 * beside defining things, in order: globals, listeners, timers, handles, reads of the environment.
 *
 * @param ending Of the modules' names.
 */
export async function importEffects(folder: string, ending: ".ts" | ".js"): Promise<unknown> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries
    .filter((path) => path.endsWith(ending) && !path.endsWith(".d.ts"))
    .map((path) => join(folder, path));
  if (files.length < 100) throw new Error(`cannot find the modules of ${folder}: ${files.length}`);
  const program = join(import.meta.dirname, "import-effects-program.ts");
  const flags = ending === ".ts" ? ["--conditions=tidegate-source"] : [];
  const child = spawn(process.execPath, [...flags, program, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(files));
  return json(child.stdout);
}

/** What packages do that this one loads: the AWS SDK and zod keep what they share among copies. */
export const EFFECTS_OF_OTHERS = [
  "globalThis.__zod_globalConfig",
  "globalThis.__zod_globalRegistry",
  "globalThis.awslambda",
];
