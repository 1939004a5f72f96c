import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { answer, type OutputFormat, outputOption } from "./answer.ts";
import type { CommandContext } from "./command-context.ts";

const EXAMPLES = `
Examples:
  tidegate version
  tidegate version --output json
`;

/** `tidegate version`. */
export function versionCommand(context: CommandContext): Command {
  return new Command("version")
    .description("shows the versions of Tidegate and Node")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async ({ output }: { readonly output: OutputFormat }) => {
      const value = { tidegate: await packageVersion(), node: process.versions.node };
      const text = `tidegate ${value.tidegate}, Node ${value.node}`;
      answer(context, output, { value, text });
    });
}

/** The version of this package. */
export async function packageVersion(): Promise<string> {
  const file = fileURLToPath(import.meta.resolve("tidegate/package.json"));
  const { version } = JSON.parse(await readFile(file, "utf8")) as { readonly version: string };
  return version;
}
