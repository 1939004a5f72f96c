import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const FUNCTIONS = ["config-digest", "website"];

/**
 * Writes a folder of functions that are those of the repository, each with the tap before its
 * handler. Resolves to its path, for `--functions`.
 */
export async function tappedFunctions(folder: string): Promise<string> {
  const functions = join(folder, "functions");
  for (const name of FUNCTIONS) {
    const source = join(ROOT, "functions", name);
    const target = join(functions, name);
    await mkdir(target, { recursive: true });
    await writeFile(join(target, "controller.ts"), reexport(join(source, "controller.ts")));
    const handler = `import ${JSON.stringify(join(import.meta.dirname, "run-tap.ts"))};\n`;
    await writeFile(join(target, "handler.ts"), handler + reexport(join(source, "handler.ts")));
  }
  const resource = "website/resource.ts"; // The embedded cluster installs what it defines.
  await writeFile(join(functions, resource), reexport(join(ROOT, "functions", resource)));
  await writeFile(join(folder, "package.json"), `{ "type": "module" }\n`);
  const env = `ZONE=example.com\nZONE_FILE=${join(folder, "zone.json")}\n`;
  await writeFile(join(functions, "website", "local.env"), env);
  return functions;
}

function reexport(file: string): string {
  return `export * from ${JSON.stringify(file)};\n`;
}
